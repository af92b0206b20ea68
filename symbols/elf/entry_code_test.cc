#include "symbols/elf/entry_code.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace walkabout::symbols {
namespace {

constexpr char kSave[] =
    "660f7f0424660f7f4c2410660f7f542420660f7f5c2430660f7f642440660f7f6c2450660f7f742460660f7f7c2470";
constexpr char kLoad[] =
    "660f6f0424660f6f4c2410660f6f542420660f6f5c2430660f6f642440660f6f6c2450660f6f742460660f6f7c2470";

// Code of 9.0.20 and 10.0.12 as it is there: the thunk of calls of precompiled code.
std::string method_call(const std::string& distance) {
  return "4157415641554154415141505152565748"
         "8b4c245048895c2450488b54245848896c2458488d6c2458488da42478ffffff" +
         std::string(kSave) + "488dbc24880000004889c6e8" + distance + kLoad +
         "488da424880000005f5e5a5941584159415c415d415e415f5b5d48ffe0";
}

class EntryCodeTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kBegin = 0x1000;
  // Where it begins.
  uint32_t add(const std::string& hex) {
    const uint32_t start = end();
    for (size_t i = 0; i + 1 < hex.size(); i += 2)
      bytes_.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    starts_.push_back(start);
    bytes_.insert(bytes_.end(), 16, 0xcc);
    return start;
  }
  uint32_t end() const { return static_cast<uint32_t>(kBegin + bytes_.size()); }
  std::map<std::string, uint64_t> read() const {
    std::map<std::string, uint64_t> names;
    for (const NamedStart& one : read_entry_code(ImageCode(kBegin, bytes_), starts_))
      EXPECT_TRUE(names.emplace(one.name, one.begin).second) << one.name;
    return names;
  }
  using Names = std::map<std::string, uint64_t>;

  std::vector<uint8_t> bytes_;
  std::vector<uint32_t> starts_;
};

TEST_F(EntryCodeTest, AnEntryAndWhatItCallsHaveNames) {
  const uint32_t callee = add("c3");
  const uint32_t entry = add(method_call("00000000"));
  // From the end of the call to the callee.
  const size_t at = method_call("").find(std::string("e8") + kLoad) / 2 + 1;
  const auto distance = static_cast<int32_t>(callee) - static_cast<int32_t>(entry + at + 4);
  for (size_t i = 0; i < 4; ++i)
    bytes_[entry - kBegin + at + i] = static_cast<uint8_t>(static_cast<uint32_t>(distance) >> 8 * i);
  EXPECT_EQ(read(), (Names{{"DelayLoad_MethodCall", entry}, {"ExternalMethodFixupWorker", callee}}));
}

TEST_F(EntryCodeTest, ACallOutOfTheCodeNamesNothing) {
  const uint32_t entry = add(method_call("00000070"));
  EXPECT_EQ(read(), (Names{{"DelayLoad_MethodCall", entry}}));
}

TEST_F(EntryCodeTest, OneByteThatDiffersIsAnotherFunction) {
  add(method_call("00000000"));
  const std::vector<uint8_t> whole = bytes_;
  ASSERT_FALSE(read().empty());
  const size_t call = method_call("").find(std::string("e8") + kLoad) / 2 + 1;
  for (size_t i = 0; i < whole.size() - 16; ++i) {
    if (i >= call && i < call + 4) continue;  // the distance
    bytes_ = whole;
    bytes_[i] ^= 0xff;
    EXPECT_TRUE(read().empty()) << i;
  }
}

TEST_F(EntryCodeTest, WhatIsThereTwiceIsNotKnown) {
  add(method_call("00000000"));
  add(method_call("00000000"));
  EXPECT_EQ(read().count("DelayLoad_MethodCall"), 0u);
}

TEST_F(EntryCodeTest, OnlyFunctionsThatBeginThereAreLookedAt) {
  add(method_call("00000000"));
  starts_ = {static_cast<uint32_t>(kBegin + 1), end() + 100};
  EXPECT_TRUE(read().empty());
}

TEST_F(EntryCodeTest, CodeThatEndsWithinAFunctionIsNone) {
  add(method_call("00000000"));
  bytes_.resize(100);
  EXPECT_TRUE(read().empty());
}

}  // namespace
}  // namespace walkabout::symbols
