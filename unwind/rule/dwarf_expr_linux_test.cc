#include <gtest/gtest.h>

#include <cstring>

#include "unwind/cfi/cfi_test_image.h"
#include "unwind/cfi/cfi_test_section.h"
#include "unwind/rule/dwarf_expr.h"

namespace walkabout::unwind {
namespace {

using testing::Bytes;
using testing::operator+;  // NOLINT(misc-unused-using-decls): it is used
using testing::sleb;
using testing::uleb;

struct Value {
  ExprStatus status;
  uint64_t value = 0;
  bool operator==(const Value&) const = default;
};
void PrintTo(const Value& value, std::ostream* out) {
  *out << "status " << static_cast<int>(value.status) << ", value " << static_cast<int64_t>(value.value);
}

Value ok(int64_t value) { return {ExprStatus::kOk, static_cast<uint64_t>(value)}; }

Value run(const Bytes& bytes, const Registers& regs = {}, const Memory& memory = {}) {
  Value value{ExprStatus::kOk, 0};
  value.status = evaluate({bytes.data(), bytes.size()}, regs, memory, nullptr, &value.value);
  return value;
}

// a, b as signed constants, then the operation.
Value apply(int64_t a, int64_t b, uint8_t op) {
  return run(Bytes{0x11} + sleb(a) + Bytes{0x11} + sleb(b) + Bytes{op});
}

TEST(DwarfExpr, Constants) {
  EXPECT_EQ(run({0x30}), ok(0));
  EXPECT_EQ(run({0x4f}), ok(31));
  EXPECT_EQ(run({0x08, 0xff}), ok(255));
  EXPECT_EQ(run({0x09, 0xff}), ok(-1));
  EXPECT_EQ(run({0x0a, 0xfe, 0xff}), ok(0xfffe));
  EXPECT_EQ(run({0x0b, 0xfe, 0xff}), ok(-2));
  EXPECT_EQ(run({0x0c, 0xfd, 0xff, 0xff, 0xff}), ok(0xfffffffd));
  EXPECT_EQ(run({0x0d, 0xfd, 0xff, 0xff, 0xff}), ok(-3));
  for (const uint8_t op : {0x03, 0x0e, 0x0f})
    EXPECT_EQ(run({op, 1, 0, 0, 0, 0, 0, 0, 0x80}), ok(INT64_MIN + 1));
  EXPECT_EQ(run(Bytes{0x10} + uleb(624485)), ok(624485));
  EXPECT_EQ(run(Bytes{0x11} + sleb(-129)), ok(-129));
}

TEST(DwarfExpr, Registers) {
  Registers regs;
  for (uint64_t i = 0; i < kRegCount; ++i) regs.r[i] = 1000 * i;
  EXPECT_EQ(run({0x77, 0x78}, regs), ok(7000 - 8));
  EXPECT_EQ(run({0x80, 0}, regs), ok(16000));
  EXPECT_EQ(run({0x92, 12, 4}, regs), ok(12004));
  EXPECT_EQ(run({0x81, 0}, regs).status, ExprStatus::kMalformed) << "xmm0";
  EXPECT_EQ(run({0x92, 17, 0}, regs).status, ExprStatus::kMalformed);
}

TEST(DwarfExpr, Arithmetic) {
  EXPECT_EQ(apply(12, 10, 0x1a), ok(8));
  EXPECT_EQ(apply(-7, 2, 0x1b), ok(-3));
  EXPECT_EQ(apply(INT64_MIN, -1, 0x1b), ok(INT64_MIN)) << "must not trap";
  EXPECT_EQ(apply(5, 7, 0x1c), ok(-2));
  EXPECT_EQ(apply(17, 5, 0x1d), ok(2));
  EXPECT_EQ(apply(-3, 5, 0x1e), ok(-15));
  EXPECT_EQ(apply(12, 3, 0x21), ok(15));
  EXPECT_EQ(apply(12, -3, 0x22), ok(9));
  EXPECT_EQ(apply(12, 10, 0x27), ok(6));
  EXPECT_EQ(run({0x09, 0xfb, 0x19}), ok(5));
  EXPECT_EQ(run({0x35, 0x19}), ok(5));
  EXPECT_EQ(run({0x35, 0x1f}), ok(-5));
  EXPECT_EQ(run({0x35, 0x20}), ok(~5));
  EXPECT_EQ(run({0x35, 0x23, 0x80, 0x01}), ok(133));
}

TEST(DwarfExpr, DivisionByZeroIsMalformed) {
  EXPECT_EQ(apply(1, 0, 0x1b).status, ExprStatus::kMalformed);
  EXPECT_EQ(apply(1, 0, 0x1d).status, ExprStatus::kMalformed);
}

TEST(DwarfExpr, Shifts) {
  EXPECT_EQ(apply(3, 4, 0x24), ok(48));
  EXPECT_EQ(apply(-1, 60, 0x25), ok(15));
  EXPECT_EQ(apply(-16, 2, 0x26), ok(-4));
  EXPECT_EQ(apply(3, 64, 0x24), ok(0));
  EXPECT_EQ(apply(-1, 64, 0x25), ok(0));
  EXPECT_EQ(apply(-1, 1000, 0x26), ok(-1));
  EXPECT_EQ(apply(1, 64, 0x26), ok(0));
}

TEST(DwarfExpr, ComparisonsAreSigned) {
  EXPECT_EQ(apply(-1, -1, 0x29), ok(1));
  EXPECT_EQ(apply(-1, 1, 0x2a), ok(0));
  EXPECT_EQ(apply(1, 1, 0x2a), ok(1));
  EXPECT_EQ(apply(2, 1, 0x2b), ok(1));
  EXPECT_EQ(apply(-1, 1, 0x2c), ok(1));
  EXPECT_EQ(apply(1, -1, 0x2d), ok(0));
  EXPECT_EQ(apply(1, 2, 0x2e), ok(1));
}

TEST(DwarfExpr, StackOperations) {
  EXPECT_EQ(run({0x35, 0x12, 0x22}), ok(10)) << "dup";
  EXPECT_EQ(run({0x35, 0x31, 0x13}), ok(5)) << "drop";
  EXPECT_EQ(run({0x35, 0x31, 0x14}), ok(5)) << "over";
  EXPECT_EQ(run({0x36, 0x35, 0x31, 0x15, 2}), ok(6)) << "pick";
  EXPECT_EQ(run({0x35, 0x31, 0x16}), ok(5)) << "swap";
  EXPECT_EQ(run({0x31, 0x32, 0x33, 0x17}), ok(2)) << "rot: the second comes to the top";
  EXPECT_EQ(run({0x31, 0x32, 0x33, 0x17, 0x13, 0x13}), ok(3)) << "rot: the top goes below";
  EXPECT_EQ(run({0x35, 0x96}), ok(5)) << "nop";
}

TEST(DwarfExpr, StackUnderflow) {
  EXPECT_EQ(run({}).status, ExprStatus::kStack) << "no result";
  EXPECT_EQ(run({0x31, 0x13}).status, ExprStatus::kStack);
  for (const uint8_t op : {0x06, 0x12, 0x13, 0x19, 0x1f})
    EXPECT_EQ(run({op}).status, ExprStatus::kStack) << int{op};
  for (const uint8_t op : {0x14, 0x16, 0x1a, 0x22, 0x2a})
    EXPECT_EQ(run({0x31, op}).status, ExprStatus::kStack);
  EXPECT_EQ(run({0x31, 0x32, 0x17}).status, ExprStatus::kStack);
  EXPECT_EQ(run({0x31, 0x15, 1}).status, ExprStatus::kStack);
}

TEST(DwarfExpr, StackOverflow) {
  EXPECT_EQ(run(Bytes(kMaxExprStack, 0x31)), ok(1));
  EXPECT_EQ(run(Bytes(kMaxExprStack + 1, 0x31)).status, ExprStatus::kStack);
}

TEST(DwarfExpr, Memory) {
  const uint64_t words[2] = {0x8877665544332211, 0x1234};
  const Memory memory = testing::memory_of(words, sizeof words);
  Registers regs;
  regs.sp() = memory.lo;
  EXPECT_EQ(run({0x77, 0, 0x06}, regs, memory), ok(static_cast<int64_t>(words[0])));
  EXPECT_EQ(run({0x77, 8, 0x06, 0x23, 1}, regs, memory), ok(0x1235));
  EXPECT_EQ(run({0x77, 1, 0x94, 1}, regs, memory), ok(0x22));
  EXPECT_EQ(run({0x77, 0, 0x94, 4}, regs, memory), ok(0x44332211));
  EXPECT_EQ(run({0x77, 16, 0x06}, regs, memory).status, ExprStatus::kMemory);
  EXPECT_EQ(run({0x30, 0x06}, regs, memory).status, ExprStatus::kMemory);
  EXPECT_EQ(run({0x77, 0, 0x94, 9}, regs, memory).status, ExprStatus::kMalformed);
  EXPECT_EQ(run({0x77, 0, 0x94, 0}, regs, memory).status, ExprStatus::kMalformed);
}

TEST(DwarfExpr, Jumps) {
  EXPECT_EQ(run({0x31, 0x2f, 1, 0, 0x32, 0x33}), ok(3));
  EXPECT_EQ(run({0x35, 0x31, 0x28, 1, 0, 0x36, 0x96}), ok(5)) << "taken";
  EXPECT_EQ(run({0x35, 0x30, 0x28, 1, 0, 0x36, 0x96}), ok(6)) << "not taken";
  EXPECT_EQ(run({0x35, 0x2f, 0, 0}), ok(5)) << "to the end";
  EXPECT_EQ(run({0x35, 0x2f, 1, 0}).status, ExprStatus::kMalformed) << "behind the end";
  EXPECT_EQ(run({0x35, 0x2f, 0xfb, 0xff}).status, ExprStatus::kMalformed) << "before the beginning";
}

// 10 counted down to 0 by a backward branch.
TEST(DwarfExpr, Loops) { EXPECT_EQ(run({0x3a, 0x31, 0x1c, 0x12, 0x28, 0xfa, 0xff}), ok(0)); }

TEST(DwarfExpr, EndlessLoopsEnd) { EXPECT_EQ(run({0x31, 0x2f, 0xfd, 0xff}).status, ExprStatus::kTooLong); }

TEST(DwarfExpr, UnsupportedOperations) {
  // reg0, fbreg, piece, push_object_address, call_frame_cfa (forbidden in CFI), and bytes that are none.
  for (const uint8_t op : {0x50, 0x91, 0x93, 0x97, 0x9c, 0x00, 0xff}) {
    EXPECT_EQ(run({op, 0, 0}).status, ExprStatus::kUnsupported) << int{op};
  }
}

TEST(DwarfExpr, CutOperandsAreMalformed) {
  for (const Bytes& cut :
       {Bytes{0x08}, Bytes{0x0a, 1}, Bytes{0x0c, 1, 2, 3}, Bytes{0x0e, 1}, Bytes{0x10, 0x80}, Bytes{0x77},
        Bytes{0x92, 7}, Bytes{0x31, 0x2f, 1}, Bytes{0x31, 0x23}}) {
    EXPECT_EQ(run(cut).status, ExprStatus::kMalformed) << int{cut[0]};
  }
}

TEST(DwarfExpr, BeginsWithTheInitialValue) {
  const Bytes add_8 = {0x23, 8};
  const uint64_t cfa = 1000;
  uint64_t value = 0;
  EXPECT_EQ(evaluate({add_8.data(), add_8.size()}, {}, {}, &cfa, &value), ExprStatus::kOk);
  EXPECT_EQ(value, 1008u);
  EXPECT_EQ(evaluate({nullptr, 0}, {}, {}, &cfa, &value), ExprStatus::kOk);
  EXPECT_EQ(value, 1000u);
}

// GNU ld's for a lazy PLT: CFA = rsp + 8, from the twelfth byte of each 16 on (behind its push) rsp + 16.
TEST(DwarfExpr, PltStub) {
  const Bytes plt = {0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22};
  Registers regs;
  regs.sp() = 0x7000;
  for (uint64_t offset = 0; offset < 16; ++offset) {
    regs.pc() = 0x401020 + offset;
    EXPECT_EQ(run(plt, regs), ok(offset < 11 ? 0x7008 : 0x7010)) << offset;
  }
}

}  // namespace
}  // namespace walkabout::unwind
