#include "tests/step/instruction.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::agent::step {
namespace {

bool call(std::vector<uint8_t> code) { return is_call(code); }

TEST(Instruction, EveryFormOfCallIsOne) {
  EXPECT_TRUE(call({0xe8, 1, 2, 3, 4}));
  EXPECT_TRUE(call({0xff, 0xd0}));                          // call rax
  EXPECT_TRUE(call({0x41, 0xff, 0xd3}));                    // call r11
  EXPECT_TRUE(call({0xff, 0x15, 1, 2, 3, 4}));              // call [rip + n]
  EXPECT_TRUE(call({0xff, 0x14, 0xc8}));                    // call [rax + rcx * 8]
  EXPECT_TRUE(call({0x66, 0x66, 0x48, 0xe8, 1, 2, 3, 4}));  // call __tls_get_addr, padded
  EXPECT_TRUE(call({0x3e, 0xff, 0xd0}));                    // notrack call rax
}

TEST(Instruction, JumpsPushesAndCutOffCodeAreNone) {
  EXPECT_FALSE(call({0xff, 0xe0}));              // jmp rax
  EXPECT_FALSE(call({0xff, 0x25, 1, 2, 3, 4}));  // jmp [rip + n]
  EXPECT_FALSE(call({0xff, 0x35, 1, 2, 3, 4}));  // push [rip + n]
  EXPECT_FALSE(call({0x68, 0xe8, 0, 0, 0}));     // push 0xe8
  EXPECT_FALSE(call({0x0f, 0x05}));
  EXPECT_FALSE(call({0xff}));
  EXPECT_FALSE(call({0x48, 0x48}));
  EXPECT_FALSE(call({}));
}

TEST(Instruction, SyscallIsItself) {
  EXPECT_TRUE(is_syscall(std::vector<uint8_t>{0x0f, 0x05, 0x48}));
  EXPECT_FALSE(is_syscall(std::vector<uint8_t>{0x0f, 0x0b}));
  EXPECT_FALSE(is_syscall(std::vector<uint8_t>{0x0f}));
}

TEST(Instruction, EveryFormOfReturnIsOne) {
  EXPECT_TRUE(is_return(std::vector<uint8_t>{0xc3}));
  EXPECT_TRUE(is_return(std::vector<uint8_t>{0xc2, 8, 0}));
  EXPECT_TRUE(is_return(std::vector<uint8_t>{0xf3, 0xc3}));
  EXPECT_FALSE(is_return(std::vector<uint8_t>{0xf3, 0x0f, 0x1e, 0xfa}));
  EXPECT_FALSE(is_return(std::vector<uint8_t>{0xcb}));
  EXPECT_FALSE(is_return({}));
}

TEST(Instruction, LongjmpIsRecognizedFromTheFirstRegisterItLoadsToItsJump) {
  const std::vector<uint8_t> all = {0x48, 0x8b, 0x1f, 0x4c, 0x8b, 0x67, 0x10, 0x4c, 0x8b, 0x6f,
                                    0x18, 0x4c, 0x8b, 0x77, 0x20, 0x4c, 0x8b, 0x7f, 0x28, 0x89,
                                    0xf0, 0x4c, 0x89, 0xc4, 0x4c, 0x89, 0xcd, 0xff, 0xe2};
  int instructions = 0;
  for (size_t done = 0; done < all.size(); ++done) {
    const std::span<const uint8_t> bytes(all);
    instructions += is_long_jump(bytes.first(done), bytes.subspan(done)) ? 1 : 0;
  }
  EXPECT_EQ(instructions, 9);
  EXPECT_FALSE(is_long_jump({}, std::span(all).last(2))) << "any jmp rdx";
  std::vector<uint8_t> other = all;
  other[8] = 0x6e;
  EXPECT_FALSE(is_long_jump({}, other));
  EXPECT_FALSE(is_long_jump({}, {}));
}

TEST(Instruction, OnlyTheJumpBehindTheLoadedStackPointerIsAContextJump) {
  const std::vector<uint8_t> load = {0x90, 0x49, 0x8b, 0xa2, 0x98, 0, 0, 0}, jump = {0xff, 0xe0, 0x5d};
  EXPECT_TRUE(is_context_jump(load, jump));
  EXPECT_FALSE(is_context_jump(load, std::vector<uint8_t>{0xff, 0xd0}));
  EXPECT_FALSE(is_context_jump(jump, jump));
  EXPECT_FALSE(is_context_jump(load, {}));
  EXPECT_FALSE(is_context_jump(std::vector<uint8_t>(8), jump));
}

TEST(Instruction, ThrowingForAnotherFrameIsRecognizedByItsLoads) {
  const std::vector<uint8_t> sp = {0x48, 0x8b, 0xa7, 0x98, 0, 0, 0}, pc = {0x48, 0x8b, 0x87, 0xf8, 0, 0, 0};
  EXPECT_TRUE(is_thrown_for_another(sp, pc));
  EXPECT_TRUE(is_thrown_for_another(pc, std::vector<uint8_t>{0x50}));
  EXPECT_FALSE(is_thrown_for_another(sp, std::vector<uint8_t>{0x50}));
  EXPECT_FALSE(is_thrown_for_another(pc, pc));
  EXPECT_FALSE(is_thrown_for_another({}, pc));
}

}  // namespace
}  // namespace walkabout::agent::step
