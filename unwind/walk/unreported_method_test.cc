#include "unwind/walk/unreported_method.h"

#include <gtest/gtest.h>

#include <cstring>

#include "unwind/walk/fake_process.h"

namespace walkabout::unwind {
namespace {

using testing::FakeMethod;
using testing::FakeProcess;
using wire::Frame;
using wire::FrameKind;
using wire::WalkEnd;

FakeMethod with_frame() {
  FakeMethod method;
  method.push(5).lea_rbp(0).call().add_rsp(0).pop(5).ret();
  return method;
}

FakeMethod without_frame_pointer() {
  FakeMethod method;
  method.push(3).sub_rsp(0x28).call().add_rsp(0x28).pop(3).ret();
  return method;
}

class UnreportedMethodTest : public ::testing::Test {
 protected:
  UnreportedMethodTest() : reported_(p_.load(without_frame_pointer(), 1)) {}
  bool find(uint64_t lookup) {
    const ReaderGate::Reader inside(p_.gate);
    return find_unreported(lookup, p_.jitted, p_.memory, &found_);
  }

  FakeProcess p_;
  uint64_t reported_;
  UnreportedMethod found_;
};

TEST_F(UnreportedMethodTest, ItsHeaderIsFoundFromEachOfItsBytes) {
  const FakeMethod method = without_frame_pointer();
  const uint64_t at = p_.load_unreported(method);
  for (uint64_t pc = at; pc < at + method.code().size(); ++pc) {
    ASSERT_TRUE(find(pc)) << pc - at;
    EXPECT_EQ(found_.region.begin, at);
    EXPECT_EQ(found_.region.size, method.code().size());
    EXPECT_EQ(std::vector<uint8_t>(found_.region.unwind, found_.region.unwind + found_.region.unwind_size),
              method.info());
  }
  EXPECT_FALSE(find(at - 1));
  EXPECT_FALSE(find(at + method.code().size()));
}

// A walk through two of them, one called by the other, is as whole as through reported ones: at each
// instruction.
TEST_F(UnreportedMethodTest, AWalkThroughItIsWhole) {
  for (const FakeMethod& leaf : {with_frame(), without_frame_pointer()}) {
    p_.start();
    p_.enter(reported_);
    const uint64_t reported_pc = p_.regs.pc();
    const uint64_t caller = p_.load_unreported(without_frame_pointer());
    const uint64_t method = p_.load_unreported(leaf);
    p_.enter(caller);
    const uint64_t caller_pc = p_.regs.pc();
    for (const Registers& regs : p_.call(method)) {
      if (regs.pc() < method || regs.pc() >= method + leaf.code().size()) continue;
      const auto walked = p_.walk_from(regs);
      EXPECT_EQ(walked.outcome.end, WalkEnd::kRooted) << regs.pc() - method;
      ASSERT_GE(walked.frames.size(), 4u);
      EXPECT_EQ(walked.frames[0], Frame::at_address(FrameKind::kUnreported, regs.pc()));
      EXPECT_EQ(walked.frames[1], Frame::at_address(FrameKind::kUnreported, caller_pc));
      EXPECT_EQ(walked.frames[2], FakeProcess::jitted_frame(1, reported_pc - reported_));
    }
  }
}

TEST_F(UnreportedMethodTest, AWalkThroughItsCallsOfItselfIsWhole) {
  constexpr size_t kCalls = 40;
  p_.start();
  p_.enter(reported_);
  const uint64_t method = p_.load_unreported(without_frame_pointer());
  for (size_t i = 0; i < kCalls; ++i) p_.enter(method);
  const auto walked = p_.walk_from(p_.regs);
  EXPECT_EQ(walked.outcome.end, WalkEnd::kRooted);
  ASSERT_GT(walked.frames.size(), kCalls);
  for (size_t i = 0; i < kCalls; ++i) EXPECT_EQ(walked.frames[i].kind(), FrameKind::kUnreported) << i;
}

TEST_F(UnreportedMethodTest, WhatDoesNotDescribeItsPlaceIsNoHeader) {
  const uint64_t at = p_.load_unreported(without_frame_pointer());
  CodeHeader* header = p_.header_of(at);
  auto* function = reinterpret_cast<RuntimeFunction*>(reinterpret_cast<uint64_t>(header) + kCodeHeaderSize);
  ASSERT_TRUE(find(at));
  const auto broken = [&](auto* field, auto value) {
    auto before = *field;
    std::memcpy(field, &value, sizeof before);
    const bool found = find(at);
    std::memcpy(field, &before, sizeof before);
    return !found && find(at);
  };
  EXPECT_TRUE(broken(&header->method, uint64_t{0}));
  EXPECT_TRUE(broken(&header->method, uint64_t{0x1001}));
  EXPECT_TRUE(broken(&header->unwind_infos, uint32_t{0}));
  EXPECT_TRUE(broken(&header->unwind_infos, kMaxFunclets + 1));
  EXPECT_TRUE(broken(&function->begin, function->begin + 8)) << "no heap begins there";
  EXPECT_TRUE(broken(&function->end, function->begin));
  EXPECT_TRUE(broken(&function->unwind, uint32_t{0x7000'0000})) << "no memory";
  EXPECT_TRUE(broken(reinterpret_cast<uint64_t*>(at - 8), uint64_t{0x10'0000'0000})) << "no memory";
  EXPECT_TRUE(broken(reinterpret_cast<uint64_t*>(at - 8), uint64_t{0}));
}

// Data full of pointers, as that of stubs, costs a bounded number of reads.
TEST_F(UnreportedMethodTest, PointersToAnythingEndTheSearch) {
  const uint64_t at = p_.load_unreported(without_frame_pointer());
  const auto behind = [&](size_t pointers) {
    std::vector<uint8_t> bytes;
    for (size_t i = 0; i < pointers; ++i) bytes.insert(bytes.end(), {0, 0, 0x20, 0, 0, 0, 0, 0});
    return p_.place(bytes);
  };
  auto* function =
      reinterpret_cast<RuntimeFunction*>(reinterpret_cast<uint64_t>(p_.header_of(at)) + kCodeHeaderSize);
  function->end += 4096;
  EXPECT_TRUE(find(behind(8) + 60));
  EXPECT_FALSE(find(behind(64) + 500));
}

TEST_F(UnreportedMethodTest, StubsFarFromAnyMethodAreNotLookedThrough) {
  p_.place(std::vector<uint8_t>(kNeighbourBytes));
  EXPECT_FALSE(find(p_.load_unreported(without_frame_pointer())));
}

TEST_F(UnreportedMethodTest, AReportedMethodEndsTheSearch) {
  const uint64_t at = p_.load_unreported(without_frame_pointer());
  const uint64_t behind = p_.place(std::vector<uint8_t>(64, 0x90));
  auto* function =
      reinterpret_cast<RuntimeFunction*>(reinterpret_cast<uint64_t>(p_.header_of(at)) + kCodeHeaderSize);
  function->end += 256;
  EXPECT_TRUE(find(behind));
  p_.publish(at, at, 16, 2, without_frame_pointer().info());
  EXPECT_FALSE(find(behind));
}

}  // namespace
}  // namespace walkabout::unwind
