#include <gtest/gtest.h>
#include <sys/mman.h>

#include "unwind/managed/managed_step.h"
#include "unwind/pe/fake_method.h"
#include "unwind/pe/pe_test_image.h"
#include "unwind/rule/cfi_step.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the methods' and codes' spelling

// A ready-to-run image: code at RVA 0x1000, infos behind it, then a page that must not be touched.
// The rule for one address, if its function has one that holds there.
bool rule_at(const Image& image, uint64_t pc, bool interrupted, CompactRule* rule) {
  ManagedFunction function;
  if (!ready_to_run_function(image, interrupted ? pc : pc - 1, &function)) return false;
  *rule = function.rule;
  return rule_holds(function, pc, interrupted, Memory{});
}

bool rule_at(const JitRegion& region, uint64_t pc, bool interrupted, CompactRule* rule) {
  const ManagedFunction function = jitted_function(region);
  *rule = function.rule;
  return rule_holds(function, pc, interrupted, Memory{});
}

class ReadyToRun : public ::testing::Test {
 protected:
  static constexpr uint32_t kPage = 4096, kCode = kPage;
  ReadyToRun() {
    memory_ = static_cast<uint8_t*>(
        ::mmap(nullptr, 3 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(memory_ + 2 * kPage, kPage, PROT_NONE);
    image_.managed = true;
    image_.base = reinterpret_cast<uint64_t>(memory_);
    image_.begin = image_.base + kCode;
    image_.end = image_.base + 2 * kPage;
    image_.mapped = {memory_, 2 * kPage};
    for (uint64_t i = 0; i < std::size(stack_); ++i) stack_[i] = 0x1000 + i;
  }
  ~ReadyToRun() override { ::munmap(memory_, 3 * kPage); }

  // An info, and the RUNTIME_FUNCTION of its parent behind it.
  uint32_t put_info(std::vector<uint8_t> info, const RuntimeFunction* parent = nullptr) {
    const uint32_t at = used_;
    info.resize((info.size() + 3) / 4 * 4);
    std::memcpy(memory_ + at, info.data(), info.size());
    if (parent != nullptr) std::memcpy(memory_ + at + info.size(), parent, sizeof *parent);
    used_ += static_cast<uint32_t>(info.size() + sizeof *parent);
    return at;
  }
  void functions(std::vector<RuntimeFunction> all) {
    functions_ = std::move(all);
    image_.functions = functions_;
  }
  Registers entry() {
    Registers regs = distinct_registers();
    regs.sp() = reinterpret_cast<uint64_t>(stack_ + 200);
    return regs;
  }
  Memory stack() { return memory_of(stack_, sizeof stack_); }

  uint8_t* memory_ = nullptr;
  uint32_t used_ = 64;
  Image image_;
  std::vector<RuntimeFunction> functions_;
  uint64_t stack_[256];
};

TEST_F(ReadyToRun, EveryInstructionHasTheSameCallerByCodesAndByRule) {
  for (const auto& [name, method] : typical_methods()) {
    std::memcpy(memory_ + kCode, method.code().data(), method.code().size());
    functions({{kCode, kCode + static_cast<uint32_t>(method.code().size()), put_info(method.info())}});
    for (const Registers& at : method.run(image_.base + kCode, entry())) {
      Registers caller = at;
      ASSERT_EQ(step_ready_to_run(image_, true, caller, stack()), Step::kStepped) << name;
      EXPECT_EQ(caller.sp(), entry().sp() + 8) << name << " at " << at.pc() - image_.begin;
      EXPECT_EQ(caller.pc(), stack_[200]);
      EXPECT_EQ(caller.bp(), entry().bp());
      EXPECT_EQ(caller.r[kRbx], entry().r[kRbx]);
      CompactRule rule;
      if (!rule_at(image_, at.pc(), true, &rule)) continue;
      Registers by_rule = at;
      ASSERT_EQ(cfi_step(rule, by_rule, stack()), StepStatus::kOk);
      EXPECT_EQ(values(by_rule), values(caller)) << name << " at " << at.pc() - image_.begin;
    }
  }
}

TEST_F(ReadyToRun, AReturnAddressBehindTheLastInstructionBelongsToItsFunction) {
  functions({{kCode, kCode + 16, put_info(pe_info({}, {pe_alloc(0, 32)}))},
             {kCode + 16, kCode + 32, put_info(pe_info({}, {pe_alloc(0, 64)}))}});
  Registers regs = entry();
  regs.sp() -= 32;
  regs.pc() = image_.base + kCode + 16;
  ASSERT_EQ(step_ready_to_run(image_, false, regs, stack()), Step::kStepped);
  EXPECT_EQ(regs.sp(), entry().sp() + 8);
}

TEST_F(ReadyToRun, AChainOfInfosIsUndoneWhole) {
  const RuntimeFunction parent = {kCode, kCode + 16,
                                  put_info(pe_info({.prolog = 9}, {pe_alloc(9, 32), pe_push(1, kPeRbp)}))};
  functions({parent,
             {kCode + 16, kCode + 32,
              put_info(pe_info({.flags = kUnwindFlagChained}, {pe_push(0, kPeRbx)}), &parent)}});
  std::memset(memory_ + kCode, 0x90, 32);
  Registers regs = entry();
  regs.sp() -= 48;
  regs.pc() = image_.base + kCode + 20;
  Registers by_rule = regs;
  ASSERT_EQ(step_ready_to_run(image_, true, regs, stack()), Step::kStepped);
  EXPECT_EQ(regs.sp(), entry().sp() + 8);
  EXPECT_EQ(regs.bp(), stack_[199]);
  EXPECT_EQ(regs.r[kRbx], stack_[194]);
  CompactRule rule;
  ASSERT_TRUE(rule_at(image_, image_.base + kCode + 20, true, &rule));
  ASSERT_EQ(cfi_step(rule, by_rule, stack()), StepStatus::kOk);
  EXPECT_EQ(values(by_rule), values(regs));
}

TEST_F(ReadyToRun, AThunkHasNoFunction) {
  functions({{kCode, kCode + 16, put_info(pe_info({}, {}))}});
  Registers regs = entry();
  regs.pc() = image_.base + kCode + 64;
  EXPECT_EQ(step_ready_to_run(image_, true, regs, stack()), Step::kNoRule);
}

TEST_F(ReadyToRun, WhatCannotBeSteppedLeavesTheRegisters) {
  const RuntimeFunction self = {kCode, kCode + 16, used_};
  put_info(pe_info({.flags = kUnwindFlagChained}, {pe_alloc(0, 8)}), &self);  // chained to itself
  const uint32_t machine = put_info(pe_info({}, {{0, pe::kPushMachFrame, 0, {}}, pe_alloc(0, 8)}));
  std::memset(memory_ + kCode, 0x90, 128);
  functions({self,
             {kCode + 16, kCode + 32, machine},
             {kCode + 32, kCode + 48, 2 * kPage - 2},
             {kCode + 48, kCode + 64, 0xffff'fff0}});
  for (const uint32_t at : {0, 16, 32, 48}) {
    Registers regs = entry();
    regs.pc() = image_.base + kCode + at + 4;
    const auto before = values(regs);
    EXPECT_EQ(step_ready_to_run(image_, true, regs, stack()), Step::kNoRule) << at;
    EXPECT_EQ(values(regs), before) << at;
    CompactRule rule;
    EXPECT_FALSE(rule_at(image_, regs.pc(), true, &rule)) << at;
  }
}

TEST_F(ReadyToRun, AFunctionClaimedToReachBehindItsImageIsNotReadThere) {
  std::memset(memory_ + kCode, 0x90, kPage);
  memory_[2 * kPage - 1] = 0x5d;  // pop rbp: an epilog might go on behind it
  functions({{kCode, 4 * kPage, put_info(pe_info({}, {pe_alloc(0, 32)}))}});
  Registers regs = entry();
  regs.sp() -= 32;
  regs.pc() = image_.base + 2 * kPage - 1;
  CompactRule rule;
  EXPECT_TRUE(rule_at(image_, regs.pc(), true, &rule));
  ASSERT_EQ(step_ready_to_run(image_, true, regs, stack()), Step::kStepped);
  EXPECT_EQ(regs.sp(), entry().sp() + 8);
}

TEST(JittedStep, ARuleIsGivenOnlyWhereTheFrameIsWhole) {
  const FakeMethod method =
      FakeMethod().push(kPeRbp).sub_rsp(16).lea_rbp(16).nop().call().add_rsp(16).pop(kPeRbp).ret();
  const auto info = method.info();
  JitRegion region;
  region.begin = reinterpret_cast<uint64_t>(method.code().data());
  region.size = static_cast<uint32_t>(method.code().size());
  region.unwind = info.data();
  region.unwind_size = static_cast<uint32_t>(info.size());
  CompactRule rule;
  for (const uint64_t offset : {0, 1, 5}) {
    EXPECT_FALSE(rule_at(region, region.begin + offset, true, &rule)) << "prolog";
    EXPECT_FALSE(rule_at(region, region.begin + offset, false, &rule)) << "a prolog that called";
  }
  for (const uint64_t offset : {10, 11, 16})
    EXPECT_EQ(rule_at(region, region.begin + offset, true, &rule), offset != 16) << offset;
  EXPECT_TRUE(rule_at(region, region.begin + 16, false, &rule)) << "a return address before an epilog";
}

}  // namespace
}  // namespace walkabout::unwind
