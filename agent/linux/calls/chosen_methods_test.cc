#include "agent/linux/calls/chosen_methods.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

using Key = ChosenMethods::Key;

TEST(ChosenMethods, OneWithoutCountersYetKeepsItsCode) {
  ChosenMethods methods;
  const uint32_t index = methods.add({1, 7});
  EXPECT_EQ(methods.to_change({1, 7}), std::nullopt);
  methods.may_be_changed(index);
  EXPECT_EQ(methods.to_change({1, 7}), index);
  EXPECT_EQ(methods.to_change({1, 8}), std::nullopt);
}

TEST(ChosenMethods, OneThatIsLeftAloneKeepsItsCodeAlsoAsACaller) {
  ChosenMethods methods;
  const uint32_t index = methods.add({1, 7});
  EXPECT_TRUE(methods.leave_alone(index));
  EXPECT_FALSE(methods.leave_alone(index));
  methods.may_be_changed(index);
  EXPECT_EQ(methods.to_change({1, 7}), std::nullopt);
  methods.note_caller({1, 7});
  EXPECT_EQ(methods.callers_to_revert().count({1, 7}), 1u);
  EXPECT_TRUE(methods.methods_to_revert().empty());
}

TEST(ChosenMethods, WhatWasAskedForIsRevertedAlsoWhereItWasRefused) {
  ChosenMethods methods;
  for (const clr::mdMethodDef token : {7u, 8u, 9u}) methods.may_be_changed(methods.add({1, token}));
  methods.request(0);
  EXPECT_TRUE(methods.changed(0));
  EXPECT_FALSE(methods.changed(0));
  methods.leave_alone(0);           // one of its instantiations
  EXPECT_TRUE(methods.changed(1));  // as a caller: before it was asked for
  methods.note_caller({1, 7});
  EXPECT_EQ(methods.methods_to_revert(), (std::vector<Key>{{1, 7}, {1, 8}}));
  EXPECT_EQ(methods.callers(), 0u);
}

TEST(ChosenMethods, ACallerThatIsAskedForLaterIsNoCallerAnyMore) {
  ChosenMethods methods;
  methods.note_caller({1, 7});
  methods.note_caller({1, 8});
  const uint32_t index = methods.add({1, 7});
  EXPECT_EQ(methods.callers(), 2u);
  methods.request(index);
  EXPECT_EQ(methods.callers(), 1u);
}

}  // namespace
}  // namespace walkabout::agent
