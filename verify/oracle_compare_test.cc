#include "verify/oracle_compare.h"

#include <gtest/gtest.h>

#include "verify/test_oracle_stack.h"

namespace walkabout::profile {
namespace {

using testing::F;
using testing::verdict;

OracleFrame calls_native(OracleFrame frame) {
  frame.calls_native = true;
  return frame;
}
OracleFrame without_metadata(OracleFrame frame) {
  frame.has_metadata = false;
  return frame;
}

TEST(OracleCompare, EqualIsTheSameMethodsAtTheSameAddresses) {
  EXPECT_EQ(verdict({}, {}), "equal");
  EXPECT_EQ(verdict({F('A', 1), F('B', 2)}, {F('A', 1), F('B', 2)}), "equal");
}

TEST(OracleCompare, AnySkippedOrAddedFrameIsUnexplained) {
  const OracleStack ours{F('A', 1), F('B', 2), F('C', 3)};
  EXPECT_EQ(verdict({F('A', 1), F('C', 3)}, ours), "unexplained") << "we skipped a caller";
  EXPECT_EQ(verdict(ours, {F('A', 1), F('C', 3)}), "unexplained");
  EXPECT_EQ(verdict(ours, {F('B', 2), F('C', 3)}), "unexplained");
  EXPECT_EQ(verdict(ours, {F('A', 1), F('B', 2)}), "unexplained") << "the root end counts";
  EXPECT_EQ(verdict(ours, {}), "unexplained");
  EXPECT_EQ(verdict({}, ours), "unexplained");
}

TEST(OracleCompare, AnotherAddressInAnOrdinaryFrameIsUnexplained) {
  EXPECT_EQ(verdict({F('A', 1), F('B', 2)}, {F('A', 1), F('B', 9)}), "unexplained");
  EXPECT_EQ(verdict({F('A', 1), F('B', 2)}, {F('A', 900), F('B', 2)}), "unexplained");
}

TEST(OracleCompare, NamedAfterTheWalk) {
  const auto later = [](OracleFrame frame) {
    frame.named_later = true;
    return frame;
  };
  const OracleStack clr{F('B', 2), F('C', 3)};
  EXPECT_EQ(verdict({later(F('A', 1)), F('B', 2), F('C', 3)}, clr), "named_after_the_walk");
  EXPECT_EQ(verdict({later(F('D', 1)), later(F('A', 1)), F('B', 2), F('C', 3)}, clr), "named_after_the_walk");
  EXPECT_EQ(verdict({F('A', 1), F('B', 2), F('C', 3)}, clr), "unexplained") << "known when the walk was made";
  EXPECT_EQ(verdict({later(F('A', 1)), F('D', 1), F('B', 2), F('C', 3)}, clr), "unexplained")
      << "only what lies above the seed";
  const OracleStack from_its_own_chain{F('A', 1), F('B', 2), F('C', 3)};
  EXPECT_EQ(
      verdict({later(F('A', 1)), without_metadata(F('E', 1)), F('B', 2), F('C', 3)}, from_its_own_chain),
      "method_without_metadata")
      << "what the CLR has is not left out";
  EXPECT_EQ(verdict({later(F('D', 1)), later(F('A', 1)), F('B', 2), F('C', 3)}, from_its_own_chain),
            "named_after_the_walk");
  EXPECT_EQ(verdict({later(F('A', 1)), F('C', 3)}, clr), "unexplained") << "we skipped a caller";
}

TEST(OracleCompare, LeafInPinvokeTransition) {
  EXPECT_EQ(verdict({F('A', 9), F('B', 2)}, {F('A', 2), F('B', 2)}), "leaf_in_pinvoke_transition");
  EXPECT_EQ(verdict({F('A', 900), F('B', 2)}, {F('A', 2), F('B', 2)}), "unexplained") << "not close by";
  EXPECT_EQ(verdict({F('A', 9), F('B', 2)}, {F('B', 2)}), "unexplained") << "the method itself is missing";
  EXPECT_EQ(verdict({F('A', 9), F('B', 9)}, {F('A', 2), F('B', 2)}), "unexplained") << "only the leaf";
}

TEST(OracleCompare, FinallyFunclet) {
  const auto funclet = [](OracleFrame frame) {
    frame.funclet = true;
    return frame;
  };
  const OracleStack ours{F('C', 1), funclet(F('A', 90)), F('A', 5), F('B', 2)};
  EXPECT_EQ(verdict(ours, {F('C', 1), F('A', 5), F('B', 2)}), "finally_funclet");
  EXPECT_EQ(verdict({F('A', 90), F('A', 5)}, {F('A', 5)}), "unexplained") << "recursion is no funclet";
  EXPECT_EQ(verdict({funclet(F('A', 90)), F('B', 5)}, {F('B', 5)}), "unexplained")
      << "called by another method";
  OracleStack through_native = ours;
  through_native[2].calls_native = true;
  EXPECT_EQ(verdict(through_native, {F('C', 1), F('A', 5), F('B', 2)}), "unexplained")
      << "called by native code";
}

TEST(OracleCompare, CountsFramesThatAreEqual) {
  const OracleStack ours{F('A', 1), without_metadata(F('S', 7)), F('B', 2), F('C', 3)};
  EXPECT_EQ(count_frames(ours, {F('A', 1), F('B', 9), F('C', 3)}).all, 3u);
  EXPECT_EQ(count_frames(ours, {F('A', 1), F('B', 9), F('C', 3)}).equal, 2u);
  EXPECT_EQ(count_frames(ours, {F('C', 3)}).all, 3u) << "what only we have counts";
  EXPECT_EQ(count_frames({}, {F('C', 3)}).equal, 0u);
}

TEST(OracleCompare, PinvokeReturnAddress) {
  EXPECT_EQ(verdict({calls_native(F('A', 1)), F('B', 2)}, {F('A', 9), F('B', 2)}), "pinvoke_return_address");
  EXPECT_EQ(verdict({F('A', 1), calls_native(F('B', 2)), F('C', 3)}, {F('A', 1), F('B', 9), F('C', 3)}),
            "pinvoke_return_address");
  // Another method is no other address, and a frame that called managed code has but one.
  EXPECT_EQ(verdict({calls_native(F('A', 1)), F('B', 2)}, {F('C', 1), F('B', 2)}), "unexplained");
  EXPECT_EQ(verdict({calls_native(F('A', 1)), F('B', 2)}, {F('A', 9), F('B', 9)}), "unexplained");
}

TEST(OracleCompare, CallbackInPreemptiveTransition) {
  const OracleStack ours{F('A', 1), calls_native(F('C', 3)), F('D', 4)};
  EXPECT_EQ(verdict(ours, {F('C', 3), F('D', 4)}), "callback_in_preemptive_transition");
  EXPECT_EQ(verdict(ours, {F('D', 4)}), "unexplained") << "only the frame above the native code goes";
  EXPECT_EQ(verdict(ours, {F('A', 1), F('D', 4)}), "unexplained");
  EXPECT_EQ(verdict({F('A', 1), F('C', 3), F('D', 4)}, {F('C', 3), F('D', 4)}), "unexplained")
      << "no native code";
  const OracleStack called_further{F('A', 1), F('B', 2), calls_native(F('C', 3)), F('D', 4)};
  EXPECT_EQ(verdict(called_further, {F('B', 2), calls_native(F('C', 3)), F('D', 4)}), "unexplained");
  EXPECT_EQ(verdict(called_further, {F('A', 1), F('C', 3), F('D', 4)}), "unexplained");
  EXPECT_EQ(verdict(called_further, {F('D', 4)}), "unexplained");
  EXPECT_EQ(verdict(called_further, {F('C', 3), F('D', 4)}), "unexplained")
      << "what native code called has itself called: its thread runs managed code";
}

TEST(OracleCompare, CallbackOnAThreadOfNativeCode) {
  OracleFrame callback = F('A', 1);
  callback.callback = true;
  EXPECT_EQ(verdict({callback}, {}), "callback_in_preemptive_transition");
  EXPECT_EQ(verdict({F('A', 1)}, {}), "unexplained") << "nobody's callback";
  EXPECT_EQ(verdict({F('B', 2), callback}, {}), "unexplained") << "it has called";
}

TEST(OracleCompare, CallbackLeftOutOfSeveral) {
  const OracleStack ours{F('A', 1), calls_native(F('B', 2)), F('C', 3), calls_native(F('D', 4)), F('E', 5)};
  EXPECT_EQ(verdict(ours, {F('B', 2), F('C', 3), F('D', 4), F('E', 5)}), "callback_in_preemptive_transition");
  EXPECT_EQ(verdict(ours, {F('D', 4), F('E', 5)}), "unexplained") << "the outer callback has called";
}

TEST(OracleCompare, MethodWithoutMetadata) {
  const OracleStack ours{without_metadata(F('A', 1)), F('B', 2), without_metadata(F('C', 3)), F('D', 4)};
  EXPECT_EQ(verdict(ours, {F('B', 2), F('D', 4)}), "method_without_metadata");
  EXPECT_EQ(verdict(ours, {F('B', 2), F('C', 3), F('D', 4)}), "method_without_metadata");
  EXPECT_EQ(verdict(ours, ours), "equal");
  EXPECT_EQ(verdict({F('A', 1), F('B', 2)}, {F('B', 2)}), "unexplained");
}

TEST(OracleCompare, RulesAddUp) {
  // A P/Invoke through an IL stub, while a callback is entered: Cmp < qsort < stub < Sort.
  const OracleStack ours{F('A', 1), calls_native(without_metadata(F('B', 2))), F('C', 3), F('D', 4)};
  EXPECT_EQ(verdict(ours, {F('C', 9), F('D', 4)}),
            "method_without_metadata+callback_in_preemptive_transition+pinvoke_return_address");
  EXPECT_EQ(verdict(ours, {F('C', 9), F('D', 9)}), "unexplained");
}

}  // namespace
}  // namespace walkabout::profile
