#include "tests/stacks/situation.h"

#include <gtest/gtest.h>

#include "tests/stacks/fake_recording.h"

namespace walkabout::stacks {
namespace {

using testing::MixedStack;
using testing::record;

Situation situation_at(const MixedStack& stack, size_t leaf) {
  StackFile file = record(stack.process, stack.leaves[leaf]);
  for (RecordedImage& image : file.images) image.name = "libnative.so.6";
  const auto process = RecordedProcess::load(file, Cfi::kInterpreted);
  EXPECT_TRUE(process.ok()) << process.message();
  return situation_of(**process, file.stacks[0], file.stacks[0].frames);
}

// The leaf: push rbx, push r14, sub rsp; a body that calls; add rsp, pop r14, pop rbx, ret.
TEST(Situation, ReportsHowFarAPrologOrEpilogIs) {
  const MixedStack stack;
  std::vector<std::string> leaves;
  for (size_t i = 0; i < stack.leaves.size(); ++i) leaves.push_back(situation_at(stack, i).leaf);
  ASSERT_EQ(leaves.size(), 9u);
  EXPECT_EQ(leaves[0], "jitted prolog 0/3 rsp saved:2");
  EXPECT_EQ(leaves[1], "jitted prolog 1/3 rsp saved:2");
  EXPECT_EQ(leaves[2], "jitted prolog 2/3 rsp saved:2");
  EXPECT_EQ(leaves[3], "jitted body rsp saved:2");
  EXPECT_EQ(leaves[4], "jitted body rsp saved:2");
  EXPECT_EQ(leaves[5], "jitted epilog add pop:2 ret rsp saved:2");
  EXPECT_EQ(leaves[6], "jitted epilog pop:2 ret rsp saved:2");
  EXPECT_EQ(leaves[7], "jitted epilog pop:1 ret rsp saved:2");
  EXPECT_EQ(leaves[8], "jitted epilog ret rsp saved:2");
}

TEST(Situation, ReportsWhatCallsWhatAndByWhichRules) {
  const Situation s = situation_at(MixedStack(), 0);
  EXPECT_EQ(s.calls, (std::set<std::string>{"jitted<native", "native<jitted"}));
  EXPECT_EQ(s.rules, (std::set<std::string>{"jitted rbp", "native frameless", "native rsp"}));
  EXPECT_EQ(s.depth, "<10");
  EXPECT_NE(situation_at(MixedStack(true), 0).rules.count("native signal"), 0u);
}

}  // namespace
}  // namespace walkabout::stacks
