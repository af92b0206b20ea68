#include "profile/query/unhandled.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profile/query/tree.h"

namespace walkabout::profile {
namespace {

class UnhandledTest : public ::testing::Test {
 protected:
  UnhandledTest() {
    profile_.threads = {{"main", 1}, {"other", 2}};
    wire::Source exceptions, jit;
    exceptions.id = base::SourceId(4);
    exceptions.name = "exceptions";
    exceptions.values = {{"exceptions", "count"}, {"caught", "count"}};
    exceptions.labels = {{"type", static_cast<uint32_t>(wire::LabelType::kText)}};
    jit.id = base::SourceId(7);
    jit.name = "jit";
    jit.values = {{"compile time", "nanoseconds"}};
    profile_.sources = {exceptions, jit};
    profile_.texts = {"Shop.Broken"};
    profile_.label_sets.push_back({1});
    profile_.more_values = {0, 1};
  }
  // Outermost frame first.
  uint32_t node(const std::vector<std::string>& stack) {
    uint32_t node = 0;
    for (const std::string& name : stack) {
      uint32_t frame = 0;
      while (frame < profile_.frames.size() && profile_.frames[frame].name != name) ++frame;
      if (frame == profile_.frames.size())
        profile_.frames.push_back({name, "", "", name[0] == '[' ? Kind::kRuntime : Kind::kManaged});
      node = tree_.child(node, frame);
    }
    profile_.nodes = tree_.nodes();
    return node;
  }
  void add(uint8_t source, const std::vector<std::string>& stack, bool caught = false, uint32_t thread = 0) {
    Sample sample{profile_.samples.size(), caught ? 0u : 1u, thread, node(stack)};
    sample.source = source;
    sample.labels = 1;
    sample.more = caught ? 1 : 0;
    profile_.samples.push_back(sample);
  }

  Profile profile_;
  Tree tree_;
  const std::vector<std::string> thrown_ = {"Main()", "Shop.Throw()", "[libcoreclr.so]"};
  const std::vector<std::string> end8_ = {"Main()",          "Shop.Throw()",
                                          "[libcoreclr.so]", "System.Exception.ToString()",
                                          "Reader.Open()",   "[libclrjit.so]"};
  const std::vector<std::string> thrown10_ = {"Main()", "Shop.Throw()", "[libcoreclr.so]",
                                              "System.Runtime.EH.DispatchEx()", "[libcoreclr.so]"};
  const std::vector<std::string> end10_ = {"Main()",          "Shop.Throw()",
                                           "[libcoreclr.so]", "System.Runtime.EH.DispatchEx()",
                                           "[libcoreclr.so]", "System.Exception.ToString()",
                                           "[libcoreclr.so]"};
};

TEST_F(UnhandledTest, WhatTheRuntimeWritesAtTheEnd) {
  for (const auto& [thrown, end] : {std::pair(thrown_, end8_), std::pair(thrown10_, end10_)}) {
    profile_.samples.clear();
    add(0, thrown);
    add(1, end);
    const auto found = unhandled(profile_);
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(found->proved);
    EXPECT_EQ(found->type, "Shop.Broken");
    ASSERT_EQ(found->stack.size(), 2u);
    EXPECT_EQ(found->stack[0].name, "Shop.Throw()");
  }
}

TEST_F(UnhandledTest, ASentenceHasAllOfIt) {
  add(0, thrown_);
  EXPECT_EQ(
      sentence(profile_, *unhandled(profile_)),
      "when the recording was cut off, no handler of this exception had begun: Shop.Broken, thrown at 0 "
      "ms by main (1) in Shop.Throw()");
  add(1, end8_);
  Unhandled found = *unhandled(profile_);
  found.message = "no such shop";
  found.time_us = 12'999;
  EXPECT_EQ(sentence(profile_, found),
            "the process ended by an exception that nobody handled: Shop.Broken: no such shop, thrown at 12 "
            "ms by main "
            "(1) in Shop.Throw()");
}

TEST_F(UnhandledTest, AThrowWithoutAHandlerIsNoProof) {
  add(0, thrown_);
  ASSERT_TRUE(unhandled(profile_).has_value());
  EXPECT_FALSE(unhandled(profile_)->proved);
  EXPECT_EQ(unhandled(profile_)->type, "Shop.Broken");
  add(1, {"Main()", "Shop.Throw()", "[libcoreclr.so]"});
  ASSERT_TRUE(unhandled(profile_).has_value());
  EXPECT_FALSE(unhandled(profile_)->proved);
}

// Broken by taking a handler that was not seen for none.
TEST_F(UnhandledTest, AThreadThatGoesOnElsewhereHasHandledIt) {
  add(0, thrown_);
  add(1, {"Main()", "Shop.Go()"});
  EXPECT_FALSE(unhandled(profile_).has_value());
  add(0, thrown_);
  EXPECT_TRUE(unhandled(profile_).has_value());
  profile_.samples[0].end = wire::WalkEnd::kNotWalked;
  EXPECT_FALSE(unhandled(profile_).has_value());
}

TEST_F(UnhandledTest, NorIsAFilterOrAHandlerThatWritesIt) {
  add(0, thrown_);
  add(1, {"Main()", "Shop.Throw()", "[libcoreclr.so]", "Main()", "System.Exception.ToString()"});
  EXPECT_FALSE(unhandled(profile_)->proved);
}

TEST_F(UnhandledTest, NorWhatIsHandledOrOfAnotherThread) {
  add(0, thrown_);
  add(1, end8_, false, 1);
  EXPECT_FALSE(unhandled(profile_)->proved);
  add(0, thrown_, true);
  add(1, end8_);
  EXPECT_FALSE(unhandled(profile_).has_value());
}

TEST_F(UnhandledTest, WhatIsProvedGoesFirst) {
  add(0, thrown_);
  add(1, end8_);
  add(0, thrown_, false, 1);
  EXPECT_TRUE(unhandled(profile_)->proved);
  EXPECT_EQ(unhandled(profile_)->thread, 0u);
}

TEST_F(UnhandledTest, AProgramThatGoesOnHasNone) {
  add(0, thrown_);
  add(1, end8_);
  profile_.complete = true;
  EXPECT_FALSE(unhandled(profile_).has_value());
}

// Broken by taking the last throw that was walked for the last one.
TEST_F(UnhandledTest, WhereThrowsWereNotWalkedItsTypeIsNotKnown) {
  add(0, thrown_);
  profile_.samples[0].end = wire::WalkEnd::kNotWalked;
  add(0, thrown_);
  add(1, end8_);
  const auto found = unhandled(profile_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->type, "");
  EXPECT_EQ(found->time_us, 2u);
  ASSERT_FALSE(found->stack.empty());
}

TEST_F(UnhandledTest, NorWhereThereAreManyThrows) {
  for (int i = 0; i < 5; ++i) add(0, thrown_);
  add(1, end8_);
  ASSERT_TRUE(unhandled(profile_));
  EXPECT_EQ(unhandled(profile_)->type, "Shop.Broken");
  profile_.samples.pop_back();
  add(0, thrown_);
  add(1, end8_);
  ASSERT_TRUE(unhandled(profile_));
  EXPECT_EQ(unhandled(profile_)->type, "");
}

}  // namespace
}  // namespace walkabout::profile
