#include "unwind/machine/epilog_x64.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

namespace walkabout::unwind {
namespace {

class Bytes {
 public:
  explicit Bytes(std::span<const uint8_t> code) : code_(code.first(std::min(code.size(), kEpilogWindow))) {}
  bool starts_with(std::initializer_list<uint8_t> prefix) const {
    if (code_.size() < prefix.size()) return false;
    size_t i = 0;
    for (uint8_t b : prefix) {
      if (code_[i++] != b) return false;
    }
    return true;
  }
  bool has(size_t n) const { return code_.size() >= n; }
  uint8_t operator[](size_t i) const { return code_[i]; }
  int64_t int8(size_t at) const { return static_cast<int8_t>(code_[at]); }
  int64_t int32(size_t at) const {
    int32_t v;
    std::memcpy(&v, code_.data() + at, sizeof v);
    return v;
  }
  void skip(size_t n) { code_ = code_.subspan(n), skipped_ += n; }
  size_t skipped() const { return skipped_; }

 private:
  std::span<const uint8_t> code_;
  size_t skipped_ = 0;
};

// add rsp, imm / lea rsp, [rbp + disp]: what gives the locals back. Optional.
bool release_locals(Bytes& code, Registers& regs) {
  if (code.starts_with({0x48, 0x83, 0xc4}) && code.has(4)) {
    regs.sp() += static_cast<uint64_t>(code.int8(3));
    code.skip(4);
  } else if (code.starts_with({0x48, 0x81, 0xc4}) && code.has(7)) {
    regs.sp() += static_cast<uint64_t>(code.int32(3));
    code.skip(7);
  } else if (code.starts_with({0x48, 0x8d, 0x65}) && code.has(4)) {
    regs.sp() = regs.bp() + static_cast<uint64_t>(code.int8(3));
    code.skip(4);
  } else if (code.starts_with({0x48, 0x8d, 0xa5}) && code.has(7)) {
    regs.sp() = regs.bp() + static_cast<uint64_t>(code.int32(3));
    code.skip(7);
  } else {
    return false;
  }
  return true;
}

constexpr uint8_t kPopTarget[16] = {kRax, kRcx, kRdx, kRbx, kRsp, kRbp, kRsi, kRdi,
                                    kR8,  kR9,  kR10, kR11, kR12, kR13, kR14, kR15};

// Pops as long as there are pops. False when memory cannot be read.
bool pop_registers(Bytes& code, Registers& regs, const Memory& memory) {
  for (;;) {
    size_t size = 0;
    uint8_t reg = 0;
    if (code.has(1) && code[0] >= 0x58 && code[0] <= 0x5f) {
      size = 1, reg = code[0] - 0x58;
    } else if (code.has(2) && code[0] == 0x41 && code[1] >= 0x58 && code[1] <= 0x5f) {
      size = 2, reg = code[1] - 0x58 + 8;
    } else {
      return true;
    }
    if (!memory.load64(regs.sp(), &regs.r[kPopTarget[reg]])) return false;
    regs.sp() += 8;
    code.skip(size);
  }
}

// ret, or a jmp that leaves the function. `jmp reg` counts only with a REX.W prefix: the JIT marks tail calls
// so, to tell them from the jumps of a switch.
bool leaves(const Bytes& code, uint64_t pc, uint64_t begin, uint64_t end) {
  if (code.has(1) && (code[0] == 0xc3 || code[0] == 0xc2)) return true;
  if (code.starts_with({0xf3, 0xc3})) return true;
  if (code.starts_with({0xff, 0x25})) return true;                                      // jmp [rip + disp]
  if (code.starts_with({0x48, 0xff}) && code.has(3)) return ((code[2] >> 3) & 7) == 4;  // rex.w jmp r/m
  if (code.starts_with({0x49, 0xff}) && code.has(3)) return ((code[2] >> 3) & 7) == 4;
  uint64_t target = 0;
  if (code.has(5) && code[0] == 0xe9) {
    target = pc + 5 + static_cast<uint64_t>(code.int32(1));
  } else if (code.has(2) && code[0] == 0xeb) {
    target = pc + 2 + static_cast<uint64_t>(code.int8(1));
  } else {
    return false;
  }
  return target < begin || target >= end || target == begin;  // begin: a tail call of itself
}

}  // namespace

Epilog undo_epilog(std::span<const uint8_t> bytes, uint64_t function_begin, uint64_t function_end,
                   Registers& regs, const Memory& memory) {
  Bytes code(bytes);
  Registers after = regs;
  release_locals(code, after);
  if (!pop_registers(code, after, memory)) {  // what follows may still say that these pops are no epilog's
    return is_epilog(bytes, function_begin, function_end, regs.pc()) ? Epilog::kBadMemory : Epilog::kNot;
  }
  if (!leaves(code, regs.pc() + code.skipped(), function_begin, function_end)) return Epilog::kNot;
  if (!memory.load64(after.sp(), &after.pc())) return Epilog::kBadMemory;
  after.sp() += 8;
  regs = after;
  return Epilog::kUndone;
}

bool is_epilog(std::span<const uint8_t> code, uint64_t function_begin, uint64_t function_end, uint64_t pc) {
  Registers regs;
  regs.pc() = pc;
  Memory anything;  // every load gives a word of no interest
  anything.slow = [](void*, uint64_t, void* to, size_t size) {
    std::memset(to, 0, size);
    return true;
  };
  return undo_epilog(code, function_begin, function_end, regs, anything) == Epilog::kUndone;
}

}  // namespace walkabout::unwind
