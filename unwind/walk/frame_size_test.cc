#include "unwind/walk/frame_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "unwind/cfi/cfi_test_section.h"

namespace walkabout::unwind {
namespace {

using testing::Bytes;
using testing::SectionWriter;
using testing::operator+;  // NOLINT(misc-unused-using-decls): it is used

const Bytes kProlog = {0x55, 0x48, 0x89, 0xe5,
                       0x41, 0x57, 0x53};  // push rbp; mov rbp, rsp; push r15; push rbx
const Bytes kSub24 = {0x48, 0x83, 0xec, 24};
const Bytes kCall = {0xe8, 0, 0, 0, 0};
const Bytes kAdd24 = {0x48, 0x83, 0xc4, 24};
const Bytes kPops = {0x5b, 0x41, 0x5f, 0x5d, 0xc3};  // pop rbx; pop r15; pop rbp; ret
const Bytes kLeaRsp = {0x48, 0x8d, 0x65, 0xf0};      // lea rsp, [rbp - 16]
const Bytes kMovEaxEax = {0x89, 0xc0};

// A function of native code that has rbp, r15 and rbx saved below its return address.
struct SizedFunction {
  explicit SizedFunction(const Bytes& code) : code_(code) {
    const size_t cie = section_.cie();
    section_.fde(cie, SectionWriter::kText, static_cast<uint32_t>(code.size()),
                 {0x0c, 6, 16, 0x86, 2, 0x8f, 3, 0x83, 4});  // CFA = rbp + 16; rbp, r15, rbx
    section_.terminator();
    const size_t call =
        static_cast<size_t>(std::search(code.begin(), code.end(), kCall.begin(), kCall.end()) - code.begin());
    after_call_ = SectionWriter::kText + call + kCall.size();
  }

  void publish() {
    Image* image = images_.make();
    image->begin = SectionWriter::kText;
    image->end = image->begin + code_.size();
    image->cfi = section_.indexed();
    images_.publish(image);
  }

  // Of code that is known.
  std::optional<FrameSize> size() {
    publish();
    return size_as_known();
  }
  std::optional<FrameSize> size_as_known() {
    Memory memory;
    memory.slow = [](void* self, uint64_t address, void* to, size_t size) {
      if (!static_cast<SizedFunction*>(self)->readable) return false;
      const Bytes& code = static_cast<SizedFunction*>(self)->code_;
      const uint64_t at = address - SectionWriter::kText;
      if (at > code.size() || size > code.size() - at) return false;
      std::memcpy(to, code.data() + at, size);
      return true;
    };
    memory.context = this;
    const ReaderGate::Reader inside(gate_);
    return sizes_.find(after_call_, CodeMap{&images_, &jitted_}, memory);
  }

  bool readable = true;

 private:
  ReaderGate gate_;
  JitMap jitted_{gate_};
  ImageMap images_{gate_};
  SectionWriter section_;
  FrameSizes sizes_;
  Bytes code_;
  uint64_t after_call_ = 0;
};

void expect_size(const Bytes& code, uint64_t to_frame_pointer) {
  const std::optional<FrameSize> size = SizedFunction(code).size();
  ASSERT_TRUE(size.has_value());
  EXPECT_EQ(size->to_frame_pointer, to_frame_pointer);
  EXPECT_EQ(size->to_return_address, to_frame_pointer + 8);
}

TEST(FrameSize, IsFoundByAnEpilogOfTheStackPointer) {
  expect_size(kProlog + kSub24 + kCall + kMovEaxEax + kAdd24 + kPops, 24 + 16);
}

TEST(FrameSize, IsFoundByTheOnlyInstructionThatTakesStack) {
  expect_size(kProlog + kSub24 + kCall + kMovEaxEax + kLeaRsp + kPops, 24 + 16);
  // As a compiler may mix them.
  expect_size(kProlog + kMovEaxEax + kSub24 + kCall + kMovEaxEax + kLeaRsp + kPops, 24 + 16);
}

TEST(FrameSize, IsFoundWhereOtherInstructionsAreBetweenTheEpilogsParts) {
  expect_size(kProlog + kSub24 + kCall + kMovEaxEax + kAdd24 + kMovEaxEax + kPops, 24 + 16);
  const Bytes add16 = {0x48, 0x83, 0xc4, 16};
  EXPECT_FALSE(SizedFunction(kProlog + kSub24 + kCall + kMovEaxEax + add16 + kMovEaxEax + kPops).size());
}

TEST(FrameSize, RoomForArgumentsIsNotTheFrames) {
  const Bytes other = {0xe8, 1, 0, 0, 0}, push = {0x50}, leave = {0xc9, 0xc3};
  // Taken behind the call, for those of another one.
  EXPECT_FALSE(
      SizedFunction(kProlog + kCall + kSub24 + other + kAdd24 + kMovEaxEax + kLeaRsp + kPops).size());
  EXPECT_FALSE(
      SizedFunction(kProlog + kCall + kSub24 + other + kMovEaxEax + kAdd24 + kMovEaxEax + kPops).size());
  // As large as the frame.
  const Bytes three = push + push + push;
  EXPECT_FALSE(
      SizedFunction(kProlog + kSub24 + kMovEaxEax + three + kCall + kAdd24 + kMovEaxEax + leave).size());
  EXPECT_FALSE(
      SizedFunction(kProlog + kSub24 + three + kCall + kAdd24 + kMovEaxEax + kLeaRsp + kPops).size());
}

TEST(FrameSize, ANegativeNumberIsNotGivenBack) {
  const Bytes take128 = {0x48, 0x83, 0xc4, 0x80};  // add rsp, -128
  const Bytes give128 = {0x48, 0x83, 0xec, 0x80};  // sub rsp, -128
  EXPECT_FALSE(SizedFunction(kProlog + take128 + kCall + kMovEaxEax + give128 + kPops).size());
  EXPECT_FALSE(SizedFunction(kProlog + kCall + take128 + kMovEaxEax + kLeaRsp + kPops).size());
  EXPECT_FALSE(SizedFunction(kProlog + kSub24 + kCall + give128 + kMovEaxEax + kLeaRsp + kPops).size());
}

// Broken by remembering each answer: code that was published a moment later had none for good.
TEST(FrameSize, OfCodeThatIsNotKnownYetIsRequestedAgain) {
  SizedFunction function(kProlog + kSub24 + kCall + kAdd24 + kPops);
  EXPECT_FALSE(function.size_as_known().has_value());
  function.publish();
  function.readable = false;
  EXPECT_FALSE(function.size_as_known().has_value());
  function.readable = true;
  EXPECT_TRUE(function.size_as_known().has_value());
  function.readable = false;
  EXPECT_TRUE(function.size_as_known().has_value()) << "remembered";
}

TEST(FrameSize, OfAFrameThatGrowsIsNotGiven) {
  for (const Bytes& grows : {Bytes{0x48, 0x29, 0xc4},              // sub rsp, rax
                             Bytes{0x48, 0x2b, 0xe0},              // the same, put otherwise
                             Bytes{0x48, 0x89, 0xc4},              // mov rsp, rax
                             Bytes{0x4c, 0x89, 0xe4},              // mov rsp, r12
                             Bytes{0x48, 0x83, 0xe4, 0xe0},        // and rsp, -32
                             Bytes{0x48, 0x8d, 0x64, 0x24, 0xe0},  // lea rsp, [rsp - 32]
                             kSub24}) {                            // once more
    EXPECT_FALSE(SizedFunction(kProlog + kSub24 + grows + kCall + kMovEaxEax + kLeaRsp + kPops).size())
        << int(grows[1]);
  }
}

TEST(FrameSize, OfAPartWithoutAPrologIsNotGiven) {
  EXPECT_FALSE(SizedFunction(kSub24 + kCall + kMovEaxEax + kLeaRsp + kPops).size());
}

TEST(FrameSize, AtACallWithArgumentsOnTheStackIsNotGiven) {
  const Bytes add16 = {0x48, 0x83, 0xc4, 16};
  EXPECT_FALSE(SizedFunction(kProlog + kSub24 + kCall + add16 + kAdd24 + kPops).size());
  EXPECT_FALSE(SizedFunction(kProlog + kSub24 + kCall + Bytes{0x58, 0x5a} + kLeaRsp + kPops).size());
}

TEST(FrameSize, WhatTheEpilogsDoNotAgreeOnIsNotGiven) {
  EXPECT_FALSE(SizedFunction(kProlog + kSub24 + kCall + kMovEaxEax + kAdd24 + kPops +
                             Bytes{0x48, 0x83, 0xc4, 40} + kPops)
                   .size());
}

}  // namespace
}  // namespace walkabout::unwind
