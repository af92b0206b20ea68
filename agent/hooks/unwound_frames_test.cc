#include "agent/hooks/unwound_frames.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

constexpr uint32_t kInner = 7, kOuter = 8, kCatcher = 9;

TEST(UnwoundFrames, ItsEndIsThatOfTheFrameThatBegan) {
  UnwoundFrames frames;
  frames.begins(kInner, 3);
  EXPECT_EQ(frames.ends(3), kInner);
  frames.begins(kOuter, 2);
  EXPECT_EQ(frames.ends(2), kOuter);
  EXPECT_EQ(frames.count(), 0u);
}

TEST(UnwoundFrames, ExceptionsInFinallyBodiesAreNested) {
  UnwoundFrames frames;
  frames.begins(kOuter, 2);
  frames.begins(kInner, 5);  // called by the finally body
  EXPECT_EQ(frames.ends(5), kInner);
  frames.begins(kCatcher, 4);
  frames.is_caught_by(kCatcher, 4);
  EXPECT_EQ(frames.ends(2), kOuter);
}

TEST(UnwoundFrames, TheCatchersFrameStays) {
  UnwoundFrames frames;
  frames.begins(kInner, 2);
  EXPECT_EQ(frames.ends(2), kInner);
  frames.begins(kCatcher, 1);
  frames.is_caught_by(kCatcher, 1);
  EXPECT_EQ(frames.count(), 0u);
}

TEST(UnwoundFrames, AnExceptionThatGetsOutOfAFinallyBodyTakesThePlaceOfTheFirst) {
  UnwoundFrames frames;
  frames.begins(kOuter, 2);  // its finally body throws
  frames.begins(kInner, 3);
  EXPECT_EQ(frames.ends(3), kInner);
  frames.begins(kOuter, 2);  // now for the second
  EXPECT_EQ(frames.ends(2), kOuter);
  frames.begins(kCatcher, 1);
  EXPECT_EQ(frames.count(), 1u) << "what was said of the first has gone with the frame";
}

TEST(UnwoundFrames, WhatWasLeftBehindGoes) {
  UnwoundFrames frames;
  frames.begins(kInner, 5);
  frames.begins(kInner, 6);
  EXPECT_EQ(frames.count(), 2u);
  frames.begins(kOuter, 2);
  EXPECT_EQ(frames.count(), 1u);
  EXPECT_EQ(frames.ends(2), kOuter);
  frames.begins(kOuter, 1);
  EXPECT_EQ(frames.count(), 1u);
  EXPECT_EQ(frames.ends(1), kOuter);
}

TEST(UnwoundFrames, MethodsThatAreNotHookedHaveTheirEndsToo) {
  UnwoundFrames frames;
  frames.begins(kOuter, 2);
  frames.begins(UnwoundFrames::kUnknownMethod, 2);
  EXPECT_EQ(frames.ends(2), UnwoundFrames::kUnknownMethod);
  EXPECT_EQ(frames.ends(2), kOuter);
  EXPECT_EQ(frames.ends(2), UnwoundFrames::kUnknownMethod);
}

TEST(UnwoundFrames, TheBodyOfAFilterIsNoCallOfItsMethod) {
  UnwoundFrames frames;
  frames.filter_begins(4);   // of kOuter, while kInner, at 4, looks for who catches what it threw
  frames.begins(kInner, 5);  // what the filter calls throws, too
  EXPECT_EQ(frames.ends(5), kInner);
  frames.begins(kOuter, 4);
  EXPECT_EQ(frames.ends(4), UnwoundFrames::kUnknownMethod);
  frames.filter_ends();
  frames.begins(kInner, 4);
  EXPECT_EQ(frames.ends(4), kInner);
  EXPECT_EQ(frames.count(), 0u);
}

TEST(UnwoundFrames, ExceptionsThatAFilterCatchesAreItsOwn) {
  UnwoundFrames frames;
  frames.begins(kOuter, 1);
  frames.filter_begins(4);
  frames.begins(kCatcher, 5);
  frames.is_caught_by(kCatcher, 5);
  frames.filter_ends();
  frames.filter_ends();  // one too many is nothing
  EXPECT_EQ(frames.ends(1), kOuter);
}

TEST(UnwoundFrames, WhereThereAreTooManyTheOldestGo) {
  UnwoundFrames frames;
  for (uint32_t i = 0; i < 3 * UnwoundFrames::kMost; ++i) frames.begins(i, i);
  EXPECT_EQ(frames.count(), UnwoundFrames::kMost);
  for (uint32_t i = 3 * UnwoundFrames::kMost; i-- > 2 * UnwoundFrames::kMost;) EXPECT_EQ(frames.ends(i), i);
  EXPECT_EQ(frames.ends(0), UnwoundFrames::kUnknownMethod);
}

}  // namespace
}  // namespace walkabout::agent
