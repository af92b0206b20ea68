#include "unwind/cfi/cfi_plt.h"

#include <gtest/gtest.h>

#include <optional>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_table.h"
#include "unwind/cfi/cfi_test_image.h"
#include "unwind/cfi/cfi_test_section.h"

namespace walkabout::unwind {
namespace {

using testing::Bytes;
using testing::kText;
using testing::SectionWriter;

Bytes lazy_head() { return {0xff, 0x35, 1, 2, 3, 4, 0xff, 0x25, 5, 6, 7, 8, 0x0f, 0x1f, 0x40, 0}; }
Bytes lazy_stub() { return {0xff, 0x25, 1, 2, 3, 4, 0x68, 0, 0, 0, 0, 0xe9, 1, 2, 3, 4}; }
Bytes ibt_stub() { return {0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0, 0, 0, 0xe9, 1, 2, 3, 4, 0x66, 0x90}; }
Bytes ibt_sec_stub() {
  return {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 1, 2, 3, 4, 0x66, 0x0f, 0x1f, 0x44, 0, 0};
}

struct Expected {
  int before, after, change;
};

void expect_slot(const Bytes& code, const Expected& expected) {
  PltSlot slot;
  ASSERT_TRUE(read_plt_slot(code.data(), &slot));
  EXPECT_EQ(slot.before, expected.before);
  EXPECT_EQ(slot.after, expected.after);
  EXPECT_EQ(slot.change, expected.change);
}

TEST(CfiPlt, Forms) {
  expect_slot(lazy_head(), {16, 24, 6});
  expect_slot(lazy_stub(), {8, 16, 11});
  expect_slot(ibt_stub(), {8, 16, 9});
  expect_slot(ibt_sec_stub(), {8, 8, 0});
  Bytes bnd = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 1, 2, 3, 4, 0x0f, 0x1f, 0x44, 0, 0};
  expect_slot(bnd, {8, 8, 0});
}

TEST(CfiPlt, OtherCodeIsNoStub) {
  PltSlot slot;
  Bytes code = lazy_stub();
  code[6] = 0x90;  // no push
  EXPECT_FALSE(read_plt_slot(code.data(), &slot));
  code = {0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0, 0, 0, 0, 0, 0, 0, 0};  // a function with endbr64
  EXPECT_FALSE(read_plt_slot(code.data(), &slot));
  code.assign(16, 0xcc);
  EXPECT_FALSE(read_plt_slot(code.data(), &slot));
}

// Code: a function, a PLT of two stubs without FDE, padding, a function.
class CfiPltSection : public ::testing::Test {
 protected:
  CfiPltSection() {
    code_.assign(0x80, 0xcc);
    const Bytes stubs = testing::operator+(lazy_head(), lazy_stub());
    std::copy(stubs.begin(), stubs.end(), code_.begin() + 0x20);
    const size_t cie = writer_.cie();
    writer_.fde(cie, kText, 0x1a, {});
    writer_.fde(cie, kText + 0x60, 0x20, {0x44, 0x0e, 64});
    section_ = writer_.indexed();
    section_.code[0] = {code_.data(), code_.size(), kText};
  }
  // The CFA's offset from rsp by interpreter and by table, which must agree; empty without a rule.
  std::optional<int> offset(uint64_t at) const {
    CfiRule rule;
    const bool interpreted = cfi_interpret(section_, kText + at, &rule) == CfiStatus::kOk;
    const CfiTable table = std::move(*CfiTable::compile(section_));
    const CompactRule* compact = table.find(kText + at);
    EXPECT_EQ(compact != nullptr, interpreted) << at;
    if (compact == nullptr || !interpreted) return std::nullopt;
    EXPECT_TRUE(same_rule(compact->expand(), rule)) << at;
    return rule.cfa.offset;
  }

  Bytes code_;
  SectionWriter writer_;
  CfiSection section_;
};

TEST_F(CfiPltSection, StubsBetweenFunctionsHaveRules) {
  EXPECT_EQ(offset(0x19), 8) << "the function before";
  EXPECT_EQ(offset(0x1a), std::nullopt) << "padding";
  EXPECT_EQ(offset(0x20), 16);
  EXPECT_EQ(offset(0x25), 16);
  EXPECT_EQ(offset(0x26), 24);
  EXPECT_EQ(offset(0x30), 8);
  EXPECT_EQ(offset(0x3a), 8);
  EXPECT_EQ(offset(0x3b), 16);
  EXPECT_EQ(offset(0x3f), 16);
  EXPECT_EQ(offset(0x40), std::nullopt) << "behind the PLT";
  EXPECT_EQ(offset(0x60), 8) << "the function behind";
  EXPECT_EQ(offset(0x64), 64);
}

TEST_F(CfiPltSection, StubsAtTheEndOfTheCode) {
  const Bytes stub = lazy_stub();
  code_.insert(code_.end(), stub.begin(), stub.end());
  section_.code[0] = {code_.data(), code_.size(), kText};
  EXPECT_EQ(offset(0x80), 8);
  EXPECT_EQ(offset(0x8f), 16);
  EXPECT_EQ(offset(0x90), std::nullopt);
}

// sub $8, %rsp; a call; add $8, %rsp; ret
Bytes initializer() { return {0x48, 0x83, 0xec, 8, 0xe8, 1, 2, 3, 4, 0x48, 0x83, 0xc4, 8, 0xc3}; }

TEST_F(CfiPltSection, AnInitializerAtTheBeginOfAPageHasRules) {
  code_.resize(0x1000, 0xcc);
  Bytes init = initializer();
  code_.insert(code_.end(), init.begin(), init.end());
  code_.resize(0x1010, 0xcc);
  const Bytes stub = lazy_stub();
  code_.insert(code_.end(), stub.begin(), stub.end());
  section_.code[0] = {code_.data(), code_.size(), kText};
  EXPECT_EQ(offset(0xfff), std::nullopt) << "padding before";
  EXPECT_EQ(offset(0x1000), 8);
  EXPECT_EQ(offset(0x1003), 8);
  EXPECT_EQ(offset(0x1004), 16) << "behind sub";
  EXPECT_EQ(offset(0x1009), 16) << "behind the call";
  EXPECT_EQ(offset(0x100c), 16);
  EXPECT_EQ(offset(0x100d), 8) << "ret";
  EXPECT_EQ(offset(0x100e), std::nullopt) << "padding behind";
  EXPECT_EQ(offset(0x1010), 8) << "a stub behind it";
  EXPECT_EQ(offset(0x101b), 16);
}

TEST_F(CfiPltSection, AnInitializerWithALandingPad) {
  code_.resize(0x1000, 0xcc);
  const Bytes init = testing::operator+(Bytes{0xf3, 0x0f, 0x1e, 0xfa}, initializer());
  code_.insert(code_.end(), init.begin(), init.end());
  section_.code[0] = {code_.data(), code_.size(), kText};
  EXPECT_EQ(offset(0x1007), 8);
  EXPECT_EQ(offset(0x1008), 16);
  EXPECT_EQ(offset(0x1011), 8);
  EXPECT_EQ(offset(0x1012), std::nullopt) << "behind the code";
}

TEST_F(CfiPltSection, OtherCodeAtTheBeginOfAPageIsNoInitializer) {
  for (const Bytes& code : {Bytes(128, 0x90), Bytes{0x48, 0x83, 0xec, 8},
                            Bytes{0x48, 0x83, 0xec, 16, 0x48, 0x83, 0xc4, 8, 0xc3}}) {
    code_.resize(0x1000, 0xcc);
    code_.insert(code_.end(), code.begin(), code.end());
    section_.code[0] = {code_.data(), code_.size(), kText};
    EXPECT_EQ(offset(0x1000), std::nullopt);
  }
}

TEST_F(CfiPltSection, AStubCutOffByTheEndIsNone) {
  const Bytes stub = lazy_stub();
  code_.insert(code_.end(), stub.begin(), stub.end() - 1);
  section_.code[0] = {code_.data(), code_.size(), kText};
  EXPECT_EQ(offset(0x80), std::nullopt);
}

// LLD gives libcoreclr's PLT no FDE. Its stubs are found by their code: as many as it has functions to bind.
TEST(CfiPlt, LibcoreclrsPltIsCovered) {
  const std::string folder = testing::dotnet_runtime_folder();
  if (folder.empty()) GTEST_SKIP() << "no dotnet on this machine";
  const testing::MappedElf coreclr(folder + "/libcoreclr.so");
  ASSERT_TRUE(coreclr.ok());
  const CfiSection& section = coreclr.image().cfi;
  const CfiTable table = std::move(*CfiTable::compile(section));
  size_t stubs = 0;
  const MappedBytes& code = section.code[0];
  for (size_t at = -code.address & 15; at + 16 <= code.size; at += 16) {
    PltSlot slot;
    if (!read_plt_slot(code.data + at, &slot) || slot.change != 11) continue;
    ++stubs;
    const CompactRule* at_jump = table.find(code.address + at);
    const CompactRule* behind_push = table.find(code.address + at + 11);
    ASSERT_TRUE(at_jump != nullptr && behind_push != nullptr);
    EXPECT_EQ(at_jump->cfa_offset(), 8);
    EXPECT_EQ(behind_push->cfa_offset(), 16);
  }
  EXPECT_GT(stubs, 100u);
}

}  // namespace
}  // namespace walkabout::unwind
