#include "symbols/elf/later_helpers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace walkabout::symbols {
namespace {

class LaterHelpersTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kBegin = 0x1000, kTable = 0x20000;
  static constexpr uint64_t kSlowObject = 0x1400, kSlowArray = 0x1410, kBarrier = 0x1420;
  static constexpr uint64_t kFastObject = 0x1500, kFastArray = 0x1510;

  LaterHelpersTest() {
    helpers_.functions = {{"CORINFO_HELP_NEWFAST", kSlowObject},
                          {"CORINFO_HELP_NEWARR_1_DIRECT", kSlowArray}};
    helpers_.later = {
        {2, "CORINFO_HELP_NEWSFAST"}, {3, "CORINFO_HELP_NEWARR_1_VC"}, {4, "CORINFO_HELP_ASSIGN_REF"}};
    words_ = {{}, {kSlowObject, true}, {kSlowArray, true}, {kBarrier, true}};
    setter_ = put("554889e589f8488d0d");
    distance(kTable), put("488934c15dc3");
    // lea rbx; mov edi, 1; mov rsi, rbx; call
    put("488d1d"), distance(kFastObject), put("bf010000004889dee8"), distance(setter_);
    // lea rsi; mov edi, 2; call
    put("488d35"), distance(kFastArray), put("bf02000000e8"), distance(setter_);
    bytes_.resize(0x1000, 0xcc);
  }
  uint64_t put(const std::string& hex) {
    const uint64_t start = kBegin + bytes_.size();
    for (size_t i = 0; i < hex.size(); i += 2)
      bytes_.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    return start;
  }
  void distance(uint64_t to) {
    const uint64_t from = kBegin + bytes_.size() + 4;
    for (unsigned i = 0; i < 4; ++i) bytes_.push_back(static_cast<uint8_t>((to - from) >> 8 * i));
  }
  using Names = std::vector<std::pair<uint64_t, std::string>>;
  Names read() const {
    const LoadedData data(kTable, words_, {kBegin, kBegin + bytes_.size()}, 0, {});
    Names names;
    for (const NamedStart& one : read_later_helpers(ImageCode(kBegin, bytes_), data, helpers_))
      names.emplace_back(one.begin, one.name);
    std::sort(names.begin(), names.end());
    return names;
  }

  JitHelpers helpers_;
  std::vector<LoadedData::Word> words_;
  std::vector<uint8_t> bytes_;
  uint64_t setter_ = 0;
};

TEST_F(LaterHelpersTest, FunctionsThatAreSetAndThoseOfTheFileHaveNames) {
  EXPECT_EQ(read(), (Names{{kBarrier, "CORINFO_HELP_ASSIGN_REF"},
                           {kFastObject, "CORINFO_HELP_NEWSFAST"},
                           {kFastArray, "CORINFO_HELP_NEWARR_1_VC"}}))
      << "what has a name keeps it alone";
}

TEST_F(LaterHelpersTest, ATableThatHasOtherSlowAllocatorsIsNotBelieved) {
  for (const size_t word : {1, 2}) {
    const std::vector<LoadedData::Word> whole = words_;
    words_[word].value += 16;
    EXPECT_TRUE(read().empty()) << word;
    words_[word] = {1, false};
    EXPECT_TRUE(read().empty()) << word;
    words_ = whole;
  }
  helpers_.functions.erase("CORINFO_HELP_NEWFAST");
  EXPECT_TRUE(read().empty());
}

TEST_F(LaterHelpersTest, AnotherOrderOfTheReleaseIsNotBelieved) {
  helpers_.later = {{1, "CORINFO_HELP_NEWSFAST"}, {2, "CORINFO_HELP_NEWARR_1_VC"}};
  EXPECT_TRUE(read().empty());
}

TEST_F(LaterHelpersTest, WithoutTheFunctionThatSetsOrWithTwoThereAreNone) {
  const std::vector<uint8_t> whole = bytes_;
  bytes_[setter_ - kBegin] = 0x90;
  EXPECT_TRUE(read().empty());
  bytes_ = whole;
  std::copy_n(whole.begin(), 19, bytes_.end() - 64);
  EXPECT_TRUE(read().empty());
}

TEST_F(LaterHelpersTest, ACallOfAnotherFunctionSetsNothing) {
  const size_t call = 19 + 7 + 5 + 3 + 1;  // behind the setter, lea, mov, mov
  bytes_[call] ^= 1;
  for (const auto& [begin, name] : read()) EXPECT_NE(name, "CORINFO_HELP_NEWSFAST");
}

TEST_F(LaterHelpersTest, CodeThatEndsAnywhereIsRead) {
  const std::vector<uint8_t> whole = bytes_;
  for (size_t size = 0; size < 80; ++size) {
    bytes_ = std::vector<uint8_t>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    read();
  }
}

}  // namespace
}  // namespace walkabout::symbols
