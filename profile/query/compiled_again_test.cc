#include "profile/query/compiled_again.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

class CompiledAgainTest : public ::testing::Test {
 protected:
  CompiledAgainTest() {
    profile_.texts = {"tier 0", "tier 1", "Demo.Run", "Demo.Stop"};
    profile_.nodes = {{}};
    profile_.threads = {{"main", 1}};
    wire::Source jit;
    jit.id = base::SourceId(2);
    jit.name = "jit";
    jit.values = {{"compile time", "nanoseconds"}, {"methods", "count"}};
    jit.labels = {{"tier", static_cast<uint32_t>(wire::LabelType::kText)},
                  {"method", static_cast<uint32_t>(wire::LabelType::kText)},
                  {"method's number", static_cast<uint32_t>(wire::LabelType::kMethod)}};
    profile_.sources = {jit};
  }
  void add(uint64_t time_us, uint64_t ns, uint64_t tier, uint64_t name, uint64_t number,
           wire::WalkEnd end = wire::WalkEnd::kRooted) {
    Sample sample{time_us, ns, 0, 0, end, Activity::kJit};
    sample.source = 0;
    sample.more = static_cast<uint32_t>(profile_.more_values.size());
    profile_.more_values.push_back(1);
    sample.labels = static_cast<uint32_t>(profile_.label_sets.size());
    profile_.label_sets.push_back({tier, name, number});
    profile_.samples.push_back(sample);
  }

  Profile profile_;
};

TEST_F(CompiledAgainTest, AMethodHasItsTiersInTheOrderOfTime) {
  add(900, 50, 2, 3, 0x7f00);
  add(100, 20, 1, 3, 0x7f00);
  add(200, 90, 1, 4, 0x7f08);
  const std::vector<CompiledAgain> again = compiled_again(profile_);
  ASSERT_EQ(again.size(), 1u) << "compiled once is not again";
  EXPECT_EQ(again[0].method, "Demo.Run");
  EXPECT_EQ(again[0].ns, 70u);
  ASSERT_EQ(again[0].compiles.size(), 2u);
  EXPECT_EQ(again[0].compiles[0].tier, "tier 0");
  EXPECT_EQ(again[0].compiles[1].tier, "tier 1");
  EXPECT_EQ(again[0].compiles[1].time_us, 900u);
}

TEST_F(CompiledAgainTest, MethodsOfOneNameAreNotOne) {
  add(100, 20, 1, 3, 0x7f00);
  add(200, 20, 1, 3, 0x7f08);
  EXPECT_TRUE(compiled_again(profile_).empty());
}

TEST_F(CompiledAgainTest, TheLongestIsFirst) {
  for (const uint64_t time : {100, 200}) {
    add(time, 20, 1, 3, 0x7f00);
    add(time, 30, 1, 4, 0x7f08);
  }
  const std::vector<CompiledAgain> again = compiled_again(profile_);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].method, "Demo.Stop");
}

TEST_F(CompiledAgainTest, SumsAndWhatIsNotToldApartAreLeftOut) {
  add(100, 20, 1, 3, 0);
  add(200, 20, 2, 3, 0);
  add(100, 20, 1, 0, 0x7f00, wire::WalkEnd::kNotWalked);
  add(200, 20, 1, 0, 0x7f00, wire::WalkEnd::kNotWalked);
  EXPECT_TRUE(compiled_again(profile_).empty());
  profile_.sources[0].name = "cpu";
  add(100, 20, 1, 3, 0x7f00);
  add(200, 20, 1, 3, 0x7f00);
  EXPECT_TRUE(compiled_again(profile_).empty()) << "no jit";
}

TEST_F(CompiledAgainTest, OfSeveralProcessesNothingIsKnown) {
  add(100, 20, 1, 3, 0x7f00);
  add(200, 20, 2, 3, 0x7f00);
  EXPECT_EQ(compiled_again(profile_).size(), 1u);
  profile_.processes = 2;
  EXPECT_TRUE(compiled_again(profile_).empty());
}

TEST_F(CompiledAgainTest, AViewOfAnythingButTheTimeHasNone) {
  add(100, 20, 1, 3, 0x7f00);
  add(200, 20, 2, 3, 0x7f00);
  profile_.sources.insert(profile_.sources.begin(), wire::Source());
  profile_.sources.front().name = "cpu";
  for (Sample& sample : profile_.samples) sample.source = 1;
  profile_.view = View{1, 0};
  EXPECT_EQ(compiled_again(profile_).size(), 1u);
  profile_.view = View{1, 1};
  EXPECT_TRUE(compiled_again(profile_).empty()) << "a number of methods is no time";
  profile_.view = View{0, 0};
  EXPECT_TRUE(compiled_again(profile_).empty()) << "CPU time";
}

}  // namespace
}  // namespace walkabout::profile
