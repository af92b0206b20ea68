#include "symbols/elf/jit_helpers.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace walkabout::symbols {
namespace {

// As the end of .NET 10's table is, with the words before it; every function at an address of its own.
class JitHelpersTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kCode = 0x1000, kCodeEnd = 0x9000, kData = 0x20000;
  void zeros(int count) { words_.insert(words_.end(), static_cast<size_t>(count), {}); }
  void later(int count) {
    for (int i = 0; i < count; ++i) words_.push_back({++later_, false});
  }
  void functions(int count) {
    for (int i = 0; i < count; ++i) words_.push_back({kCode + 16 * ++functions_, true});
  }
  void table10() {
    zeros(8), functions(1), zeros(6), functions(4), later(1), functions(1), later(2), functions(1), later(1);
    functions(4), later(1), zeros(1), later(2), zeros(1), later(2), functions(2), later(15), functions(1);
    later(17), functions(1), later(3), zeros(1), later(2), functions(1), later(3), functions(1), later(2);
    functions(1), later(4), zeros(1), later(6), functions(4);
    words_.push_back(words_[words_.size() - 2]);
    words_.push_back(words_[words_.size() - 2]);
    later(12), functions(1), later(3), functions(1), zeros(1), functions(2), later(3), functions(1), later(9);
    zeros(13), later(2), zeros(12), functions(2), later(7), functions(6), zeros(1), functions(14), later(1);
  }
  JitHelpers helpers() const { return read_jit_helpers(LoadedData(kData, words_, {kCode, kCodeEnd}, 0, {})); }
  std::map<std::string, uint64_t> read() const { return helpers().functions; }

  std::vector<LoadedData::Word> words_;
  uint64_t later_ = 0, functions_ = 0;
};

TEST_F(JitHelpersTest, ATableOfAReleaseNamesItsFunctions) {
  zeros(3), functions(5);
  table10();
  const std::map<std::string, uint64_t> names = read();
  EXPECT_EQ(names.size(), 48u);
  // The last 11 functions before VALIDATE_INDIRECT_CALL are those that count for PGO, and who asks for OSR.
  const uint64_t last = kCode + 16 * functions_;
  EXPECT_EQ(names.at("CORINFO_HELP_VALIDATE_INDIRECT_CALL"), last);
  EXPECT_EQ(names.at("CORINFO_HELP_VALUEPROFILE64"), last - 16);
  EXPECT_EQ(names.at("CORINFO_HELP_COUNTPROFILE32"), last - 4 * 16);
  EXPECT_EQ(names.at("CORINFO_HELP_CLASSPROFILE32"), last - 10 * 16);
  EXPECT_EQ(names.at("CORINFO_HELP_STACK_PROBE"), last - 13 * 16);
}

TEST_F(JitHelpersTest, HelpersThatAreLookedUpLaterHaveTheirNumbers) {
  table10();
  const std::map<uint64_t, std::string> later = helpers().later;
  ASSERT_EQ(later.size(), 12u);
  EXPECT_EQ(later.at(5), "CORINFO_HELP_NEWSFAST");
  EXPECT_EQ(later.at(11), "CORINFO_HELP_NEWARR_1_VC");
  EXPECT_EQ(later.at(33), "CORINFO_HELP_THROW");
  EXPECT_EQ(later.at(52), "CORINFO_HELP_ASSIGN_BYREF");
}

TEST_F(JitHelpersTest, OneWordThatDiffersIsAnotherRelease) {
  table10();
  ASSERT_FALSE(read().empty());
  const std::vector<LoadedData::Word> whole = words_;
  for (size_t i = 0; i < whole.size(); ++i) {
    words_ = whole;
    const LoadedData::Word& word = whole[i];
    words_[i] = word.address ? LoadedData::Word{} : LoadedData::Word{kCode + 8, true};
    EXPECT_TRUE(read().empty()) << i;
  }
  words_ = whole;
  words_[15 + 1].value = kData;  // an address, not in the code
  EXPECT_TRUE(read().empty());
}

TEST_F(JitHelpersTest, OfTwoTablesNobodyKnowsWhichItIs) {
  table10();
  later_ = 0;
  table10();
  EXPECT_TRUE(read().empty());
}

TEST_F(JitHelpersTest, WithoutWordsThereAreNone) { EXPECT_TRUE(read().empty()); }

}  // namespace
}  // namespace walkabout::symbols
