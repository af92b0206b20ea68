#include "verify/oracle_exceptions.h"

#include <gtest/gtest.h>

#include "verify/test_oracle_stack.h"

namespace walkabout::profile {
namespace {

using testing::F;
using testing::verdict;

OracleFrame handler(OracleFrame frame) {
  frame.funclet = true;
  return frame;
}
OracleFrame throws(OracleFrame frame) {
  frame.throws = frame.calls_native = true;
  return frame;
}
OracleFrame dispatcher(OracleFrame frame) {
  frame.dispatcher = true;
  return frame;
}

TEST(OracleExceptions, DispatcherIsLeftOut) {
  const OracleStack ours{dispatcher(F('D', 1)), dispatcher(F('E', 2)), throws(F('A', 3)), F('B', 4)};
  EXPECT_EQ(verdict(ours, {F('A', 3), F('B', 4)}), "exception_dispatcher");
  EXPECT_EQ(verdict(ours, ours), "equal");
  EXPECT_EQ(verdict({F('D', 1), F('A', 3)}, {F('A', 3)}), "unexplained") << "another method";
}

TEST(OracleExceptions, AHandlerRunsOnFramesThatAreGone) {
  // B's catch calls C; A threw, called by B.
  const OracleStack ours{F('C', 1), handler(F('B', 90)), throws(F('A', 3)), F('B', 4), F('M', 5)};
  EXPECT_EQ(verdict(ours, {F('C', 1), F('B', 4), F('M', 5)}), "unwound_frames");
  EXPECT_EQ(verdict(ours, {F('C', 1), F('M', 5)}), "unexplained") << "the handler's method stays";
  EXPECT_EQ(verdict(ours, {F('B', 4), F('M', 5)}), "unexplained") << "what the handler calls stays";
  OracleStack no_throw = ours;
  no_throw[2].throws = false;
  EXPECT_EQ(verdict(no_throw, {F('C', 1), F('B', 4), F('M', 5)}), "unexplained");
  OracleStack no_handler = ours;
  no_handler[1].funclet = false;
  EXPECT_EQ(verdict(no_handler, {F('C', 1), F('B', 4), F('M', 5)}), "unexplained");
  OracleStack of_another_method = ours;
  of_another_method[3] = F('K', 4);
  EXPECT_EQ(verdict(of_another_method, {F('C', 1), F('K', 4), F('M', 5)}), "unexplained");
}

// B's P/Invoke stub, which no walk reports, called what threw: B itself counts as the one that threw.
TEST(OracleExceptions, WhatAnUnreportedStubCalledThrew) {
  OracleFrame stub = throws(F('S', 8));
  stub.has_metadata = false;
  const OracleStack ours{F('C', 1), handler(F('B', 90)), stub, F('B', 4), F('M', 5)};
  EXPECT_EQ(verdict(ours, {F('C', 1), F('B', 4), F('M', 5)}), "method_without_metadata+unwound_frames");
  EXPECT_EQ(verdict({throws(F('C', 1)), ours[1], stub, F('B', 4), F('M', 5)}, {F('C', 1), F('B', 90)}),
            "method_without_metadata+catch_being_left");
  EXPECT_EQ(verdict(ours, {F('C', 1), F('M', 5)}), "unexplained") << "the handler's method stays";
  OracleStack no_throw = ours;
  no_throw[2].throws = false;
  EXPECT_EQ(verdict(no_throw, {F('C', 1), F('B', 4), F('M', 5)}), "unexplained");
}

TEST(OracleExceptions, AMethodHandlesWhatItThrewItself) {
  const OracleStack ours{handler(F('B', 90)), throws(F('B', 4)), F('M', 5)};
  EXPECT_EQ(verdict(ours, {F('B', 4), F('M', 5)}), "unwound_frames");
  EXPECT_EQ(verdict(ours, {F('M', 5)}), "unexplained");
}

TEST(OracleExceptions, HandlersOfHandlers) {
  // Recursive R: its innermost call threw, each call's catch threw again; the third one's runs.
  const OracleStack ours{handler(F('R', 90)),
                         throws(handler(F('R', 90))),
                         throws(handler(F('R', 90))),
                         throws(F('A', 1)),
                         F('R', 4),
                         F('R', 4),
                         F('R', 4),
                         F('R', 4),
                         F('M', 5)};
  EXPECT_EQ(verdict(ours, {F('R', 4), F('R', 4), F('M', 5)}), "unwound_frames");
  EXPECT_EQ(verdict(ours, {F('R', 4), F('R', 9), F('M', 5)}), "unexplained");
  EXPECT_EQ(verdict(ours, {F('R', 4), F('R', 4)}), "unexplained") << "the root end counts";
}

TEST(OracleExceptions, TheDispatcherHasPassedFrames) {
  const OracleStack ours{dispatcher(F('D', 1)), throws(F('A', 3)), F('B', 4), F('C', 5), F('M', 6)};
  EXPECT_EQ(verdict(ours, {F('C', 5), F('M', 6)}), "exception_dispatcher+unwound_frames");
  EXPECT_EQ(verdict({F('A', 3), F('B', 4), F('M', 6)}, {F('M', 6)}), "unexplained") << "nobody throws";
  EXPECT_EQ(verdict({F('X' - 10, 1), throws(F('A', 3)), F('M', 6)}, {F('M', 6)}), "unexplained")
      << "a method on top of the one that threw";
}

TEST(OracleExceptions, FiltersRunOnLiveFrames) {
  const OracleStack ours{handler(F('B', 90)), dispatcher(F('D', 1)), throws(F('A', 3)), F('B', 4)};
  EXPECT_EQ(verdict(ours, {F('B', 90), F('A', 3), F('B', 4)}), "exception_dispatcher");
}

TEST(OracleExceptions, ACatchThatIsBeingLeft) {
  const OracleStack ours{throws(handler(F('B', 90))), throws(F('A', 3)), F('B', 4), F('M', 5)};
  EXPECT_EQ(verdict(ours, {F('B', 90)}), "catch_being_left");
  EXPECT_EQ(verdict({throws(F('H', 7)), handler(F('B', 90)), throws(F('A', 3)), F('B', 4)},
                    {F('H', 7), F('B', 90)}),
            "catch_being_left")
      << "what the handler calls threw";
  EXPECT_EQ(verdict({throws(F('B', 90)), F('M', 5)}, {F('B', 90)}), "unexplained") << "not a handler";
  EXPECT_EQ(verdict({handler(F('B', 90)), F('M', 5)}, {F('B', 90)}), "unexplained") << "that did not throw";
}

}  // namespace
}  // namespace walkabout::profile
