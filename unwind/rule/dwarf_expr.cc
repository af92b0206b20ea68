#include "unwind/rule/dwarf_expr.h"

#include <cstring>
#include <utility>

#include "unwind/rule/cfi_reader.h"

namespace walkabout::unwind {
namespace {

enum Op : uint8_t {
  kAddr = 0x03,
  kDeref = 0x06,
  kConst1u = 0x08,
  kConst1s = 0x09,
  kConst2u = 0x0a,
  kConst2s = 0x0b,
  kConst4u = 0x0c,
  kConst4s = 0x0d,
  kConst8u = 0x0e,
  kConst8s = 0x0f,
  kConstu = 0x10,
  kConsts = 0x11,
  kDup = 0x12,
  kDrop = 0x13,
  kOver = 0x14,
  kPick = 0x15,
  kSwap = 0x16,
  kRot = 0x17,
  kAbs = 0x19,
  kAnd = 0x1a,
  kDiv = 0x1b,
  kMinus = 0x1c,
  kMod = 0x1d,
  kMul = 0x1e,
  kNeg = 0x1f,
  kNot = 0x20,
  kOr = 0x21,
  kPlus = 0x22,
  kPlusUconst = 0x23,
  kShl = 0x24,
  kShr = 0x25,
  kShra = 0x26,
  kXor = 0x27,
  kBra = 0x28,
  kEq = 0x29,
  kGe = 0x2a,
  kGt = 0x2b,
  kLe = 0x2c,
  kLt = 0x2d,
  kNe = 0x2e,
  kSkip = 0x2f,
  kLit0 = 0x30,
  kLit31 = 0x4f,
  kBreg0 = 0x70,
  kBreg31 = 0x8f,
  kBregx = 0x92,
  kDerefSize = 0x94,
  kOpNop = 0x96,
};

class Machine {
 public:
  Machine(const DwarfExpr& expr, const Registers& regs, const Memory& memory)
      : expr_(expr), code_(expr.bytes, expr.size), regs_(regs), memory_(memory) {}

  void push(uint64_t value) {
    if (depth_ == kMaxExprStack) return fail(ExprStatus::kStack);
    stack_[depth_++] = value;
  }
  ExprStatus run();
  uint64_t pop();

 private:
  void fail(ExprStatus why) {
    if (status_ == ExprStatus::kOk) status_ = why;
  }
  bool constant(uint8_t op);
  bool shuffle(uint8_t op);
  bool unary(uint8_t op);
  bool binary(uint8_t op);
  bool compare(uint8_t op);
  bool load_or_jump(uint8_t op);
  void push_register(uint64_t reg, int64_t offset);
  void pick(size_t from_top);
  void rotate();
  void divide(uint64_t a, uint64_t b);
  void load(uint8_t size);
  void jump(int16_t delta);

  const DwarfExpr expr_;
  CfiReader code_;
  const Registers& regs_;
  const Memory& memory_;
  ExprStatus status_ = ExprStatus::kOk;
  size_t depth_ = 0;
  uint64_t stack_[kMaxExprStack];
};

uint64_t Machine::pop() {
  if (depth_ == 0) {
    fail(ExprStatus::kStack);
    return 0;
  }
  return stack_[--depth_];
}

ExprStatus Machine::run() {
  for (int steps = 0; !code_.at_end(); ++steps) {
    if (steps == kMaxExprSteps) return ExprStatus::kTooLong;
    const uint8_t op = code_.u8();
    const bool known =
        constant(op) || shuffle(op) || unary(op) || binary(op) || compare(op) || load_or_jump(op);
    if (!known) return ExprStatus::kUnsupported;
    if (!code_.ok()) return ExprStatus::kMalformed;
    if (status_ != ExprStatus::kOk) return status_;
  }
  return depth_ > 0 ? ExprStatus::kOk : ExprStatus::kStack;
}

bool Machine::constant(uint8_t op) {
  if (op >= kLit0 && op <= kLit31) return push(op - kLit0), true;
  if (op >= kBreg0 && op <= kBreg31) return push_register(op - kBreg0, code_.sleb()), true;
  switch (op) {
    case kAddr:
    case kConst8u:
    case kConst8s:
      push(code_.u64());
      return true;
    case kConst1u:
      push(code_.u8());
      return true;
    case kConst1s:
      push(static_cast<uint64_t>(static_cast<int8_t>(code_.u8())));
      return true;
    case kConst2u:
      push(code_.u16());
      return true;
    case kConst2s:
      push(static_cast<uint64_t>(static_cast<int16_t>(code_.u16())));
      return true;
    case kConst4u:
      push(code_.u32());
      return true;
    case kConst4s:
      push(static_cast<uint64_t>(static_cast<int32_t>(code_.u32())));
      return true;
    case kConstu:
      push(code_.uleb());
      return true;
    case kConsts:
      push(static_cast<uint64_t>(code_.sleb()));
      return true;
    case kBregx: {
      const uint64_t reg = code_.uleb();
      push_register(reg, code_.sleb());
      return true;
    }
    default:
      return false;
  }
}

bool Machine::shuffle(uint8_t op) {
  switch (op) {
    case kDup:
      pick(0);
      return true;
    case kOver:
      pick(1);
      return true;
    case kPick:
      pick(code_.u8());
      return true;
    case kDrop:
      pop();
      return true;
    case kSwap:
      if (depth_ < 2) return fail(ExprStatus::kStack), true;
      std::swap(stack_[depth_ - 1], stack_[depth_ - 2]);
      return true;
    case kRot:
      rotate();
      return true;
    case kOpNop:
      return true;
    default:
      return false;
  }
}

bool Machine::unary(uint8_t op) {
  switch (op) {
    case kAbs: {
      const uint64_t value = pop();
      push(static_cast<int64_t>(value) < 0 ? -value : value);
      return true;
    }
    case kNeg:
      push(-pop());
      return true;
    case kNot:
      push(~pop());
      return true;
    case kPlusUconst: {
      const uint64_t value = pop();
      push(value + code_.uleb());
      return true;
    }
    default:
      return false;
  }
}

// The first operand lies below the second.
bool Machine::binary(uint8_t op) {
  if (op < kAnd || op > kXor || op == kNeg || op == kNot || op == kPlusUconst) return false;
  const uint64_t b = pop();
  const uint64_t a = pop();
  switch (op) {
    case kAnd:
      push(a & b);
      break;
    case kDiv:
      divide(a, b);
      break;
    case kMinus:
      push(a - b);
      break;
    case kMod:
      b == 0 ? fail(ExprStatus::kMalformed) : push(a % b);
      break;
    case kMul:
      push(a * b);
      break;
    case kOr:
      push(a | b);
      break;
    case kPlus:
      push(a + b);
      break;
    case kShl:
      push(b < 64 ? a << b : 0);
      break;
    case kShr:
      push(b < 64 ? a >> b : 0);
      break;
    case kShra:
      push(static_cast<uint64_t>(static_cast<int64_t>(a) >> (b < 64 ? b : 63)));
      break;
    default:
      push(a ^ b);
      break;
  }
  return true;
}

// Signed, as DWARF 5 section 2.5.1.4 says of the generic type.
bool Machine::compare(uint8_t op) {
  if (op < kEq || op > kNe) return false;
  const auto b = static_cast<int64_t>(pop());
  const auto a = static_cast<int64_t>(pop());
  switch (op) {
    case kEq:
      push(a == b);
      break;
    case kGe:
      push(a >= b);
      break;
    case kGt:
      push(a > b);
      break;
    case kLe:
      push(a <= b);
      break;
    case kLt:
      push(a < b);
      break;
    default:
      push(a != b);
      break;
  }
  return true;
}

bool Machine::load_or_jump(uint8_t op) {
  switch (op) {
    case kDeref:
      load(8);
      return true;
    case kDerefSize:
      load(code_.u8());
      return true;
    case kSkip:
      jump(static_cast<int16_t>(code_.u16()));
      return true;
    case kBra: {
      const auto delta = static_cast<int16_t>(code_.u16());
      if (pop() != 0) jump(delta);
      return true;
    }
    default:
      return false;
  }
}

void Machine::push_register(uint64_t reg, int64_t offset) {
  if (reg >= kRegCount) return fail(ExprStatus::kMalformed);
  push(regs_.r[reg] + static_cast<uint64_t>(offset));
}

void Machine::pick(size_t from_top) {
  if (from_top >= depth_) return fail(ExprStatus::kStack);
  push(stack_[depth_ - 1 - from_top]);
}

// The top entry becomes the third.
void Machine::rotate() {
  if (depth_ < 3) return fail(ExprStatus::kStack);
  uint64_t* top = stack_ + depth_;
  const uint64_t value = top[-1];
  top[-1] = top[-2];
  top[-2] = top[-3];
  top[-3] = value;
}

void Machine::divide(uint64_t a, uint64_t b) {
  if (b == 0) return fail(ExprStatus::kMalformed);
  // -a / 1 wraps where a / -1 would trap.
  push(b == ~uint64_t{0} ? -a : static_cast<uint64_t>(static_cast<int64_t>(a) / static_cast<int64_t>(b)));
}

void Machine::load(uint8_t size) {
  if (size == 0 || size > 8) return fail(ExprStatus::kMalformed);
  if (depth_ == 0) return fail(ExprStatus::kStack);
  const uint64_t address = pop();
  uint64_t value = 0;
  const bool loaded = size == 8 ? memory_.load64(address, &value) : memory_.load_bytes(address, &value, size);
  if (!loaded) return fail(ExprStatus::kMemory);
  push(value);
}

void Machine::jump(int16_t delta) {
  if (!code_.ok()) return;  // the distance was cut off
  const auto here = static_cast<int64_t>(expr_.size - code_.left());
  const int64_t to = here + delta;
  if (to < 0 || to > static_cast<int64_t>(expr_.size)) return fail(ExprStatus::kMalformed);
  code_ = CfiReader(expr_.bytes + to, expr_.size - static_cast<size_t>(to));
}

}  // namespace

ExprStatus evaluate(const DwarfExpr& expr, const Registers& regs, const Memory& memory,
                    const uint64_t* initial, uint64_t* result) {
  Machine machine(expr, regs, memory);
  if (initial != nullptr) machine.push(*initial);
  const ExprStatus status = machine.run();
  if (status == ExprStatus::kOk) *result = machine.pop();
  return status;
}

}  // namespace walkabout::unwind
