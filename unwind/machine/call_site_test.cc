#include "unwind/machine/call_site.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace walkabout::unwind {
namespace {

using Code = std::vector<uint8_t>;

// With bytes before it that are no call.
bool call(Code code) {
  code.insert(code.begin(), kLongestCall - code.size(), 0x90);
  return ends_with_call(code);
}

TEST(CallSite, EveryFormOfCall) {
  EXPECT_TRUE(call({0xe8, 1, 2, 3, 4})) << "call rel32";
  EXPECT_TRUE(call({0xff, 0xd0})) << "call rax";
  EXPECT_TRUE(call({0x41, 0xff, 0xd3})) << "call r11";
  EXPECT_TRUE(call({0xff, 0x10})) << "call [rax]";
  EXPECT_TRUE(call({0xff, 0x14, 0xc8})) << "call [rax + rcx*8]";
  EXPECT_TRUE(call({0xff, 0x50, 0x20})) << "call [rax + 32]";
  EXPECT_TRUE(call({0xff, 0x54, 0x24, 0x08})) << "call [rsp + 8]";
  EXPECT_TRUE(call({0xff, 0x15, 1, 2, 3, 4})) << "call [rip + disp]";
  EXPECT_TRUE(call({0xff, 0x90, 0, 1, 0, 0})) << "call [rax + disp32]";
  EXPECT_TRUE(call({0xff, 0x94, 0x24, 0, 1, 0, 0})) << "call [rsp + disp32]";
  EXPECT_TRUE(call({0xff, 0x14, 0x25, 0, 1, 0, 0})) << "call [disp32]";
  EXPECT_TRUE(call({0x41, 0xff, 0x94, 0x24, 0, 1, 0, 0})) << "call [r12 + disp32]";
}

TEST(CallSite, OtherInstructionsOfTheSameOpcodes) {
  for (const uint8_t group : {0, 1, 3, 4, 5, 6, 7}) {  // inc dec callf jmp jmpf push
    EXPECT_FALSE(call({0xff, static_cast<uint8_t>(0xc0 | group << 3)})) << int{group};
    EXPECT_FALSE(call({0xff, static_cast<uint8_t>(0x40 | group << 3), 8})) << int{group};
  }
  EXPECT_FALSE(call({0xe9, 1, 2, 3, 4})) << "jmp";
  EXPECT_FALSE(call({}));
}

TEST(CallSite, TheCallEndsExactlyThere) {
  EXPECT_FALSE(call({0xff, 0x50})) << "its displacement is missing";
  EXPECT_FALSE(call({0xff, 0xd0, 0x90})) << "an instruction between";
  EXPECT_FALSE(call({0xff, 0x14})) << "its SIB byte is missing";
  EXPECT_FALSE(call({0xff, 0x14, 0x25})) << "its displacement is missing";
  EXPECT_FALSE(call({0xe8, 1, 2, 3}));
  EXPECT_FALSE(call({0xe8, 1, 2, 3, 4, 0x90}));
}

TEST(CallSite, LooksAtNothingBeforeTheBytesItIsGiven) {
  for (size_t n = 2; n <= kLongestCall; ++n) {
    EXPECT_FALSE(ends_with_call(Code(n, 0x90))) << n;
    Code short_call(n, 0x90);
    short_call[n - 2] = 0xff, short_call[n - 1] = 0xd0;
    EXPECT_TRUE(ends_with_call(short_call)) << n;
  }
}

TEST(CallSite, TheBytesBeforeAnAddressAreReadThroughMemory) {
  const Code code = {0x90, 0x90, 0x90, 0xe8, 1, 2, 3, 4, 0x90};
  const auto begin = reinterpret_cast<uint64_t>(code.data());
  const Memory memory{.lo = begin, .hi = begin + code.size()};
  EXPECT_EQ(follows_call(begin + 8, memory), true);
  EXPECT_EQ(follows_call(begin + 9, memory), false);
  EXPECT_EQ(follows_call(begin + 7, memory), std::nullopt) << "not all of it can be read";
  EXPECT_EQ(follows_call(kLongestCall - 1, memory), std::nullopt);
}

}  // namespace
}  // namespace walkabout::unwind
