#include "unwind/cfi/cfi_fixup.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "unwind/machine/epilog_x64.h"
#include "unwind/machine/registers.h"

namespace walkabout::unwind {

namespace {

constexpr uint8_t kRspBase = 0x24;  // SIB: [rsp + displacement]

uint8_t mod(uint8_t modrm) { return modrm >> 6; }
uint8_t operand(uint8_t modrm) { return modrm & 7; }
bool is_argument(uint8_t reg) { return reg <= 2 || reg == 6 || reg == 7; }  // rax, rcx, rdx, rsi, rdi

// Bytes of [rsp], [rsp + disp8] or [rsp + disp32] at the start of `code` (ModRM first); 0: another operand.
size_t stack_operand(std::span<const uint8_t> code, int32_t* displacement) {
  if (code.size() < 6 || operand(code[0]) != 4 || code[1] != kRspBase) return 0;
  *displacement = mod(code[0]) == 1 ? static_cast<int8_t>(code[2]) : 0;
  if (mod(code[0]) == 2) std::memcpy(displacement, code.data() + 2, sizeof *displacement);
  return mod(code[0]) == 0 ? 2 : mod(code[0]) == 1 ? 3 : mod(code[0]) == 2 ? 6 : 0;
}

// The length of an instruction that loads a vector register from the stack, or moves or clears an argument's
// register; 0: of another.
size_t load_or_move(std::span<const uint8_t> code) {
  int32_t displacement = 0;
  if (code.size() < 3) return 0;
  if (code[0] == 0x66 && code[1] == 0x0f && code[2] == 0x6f) {  // movdqa xmm, [rsp + n]
    const size_t operands = stack_operand(code.subspan(3), &displacement);
    return operands == 0 ? 0 : 3 + operands;
  }
  if (code[0] == 0x31 && mod(code[1]) == 3)  // xor r32, r32
    return is_argument(operand(code[1])) ? 2 : 0;
  if ((code[0] == 0x48 || code[0] == 0x4c) && code[1] == 0x89 && mod(code[2]) == 3)  // mov r64, r64
    return is_argument(operand(code[2])) ? 3 : 0;
  return 0;
}

// lea rsp, [rsp + n]
size_t release(std::span<const uint8_t> code, int32_t* size) {
  if (code.size() < 4 || code[0] != 0x48 || code[1] != 0x8d || ((code[2] >> 3) & 7) != 4) return 0;
  const size_t operands = stack_operand(code.subspan(2), size);
  return operands == 0 ? 0 : 2 + operands;
}

// Of the registers a way out is tried with; the words of that stack are their own addresses.
constexpr uint64_t kStack = uint64_t{1} << 40;
constexpr uint64_t kLargestFrame = 1 << 20;

bool load_address(void*, uint64_t address, void* to, size_t size) {
  std::memcpy(to, &address, size);
  return size <= sizeof address;
}

// The pushes that OnHijackTripThread begins with: rax, the returned value, though a word below it are all
// callee-saved registers, rbp first. Nobody else saves them in that order.
constexpr uint64_t kPushesSeen = 3;  // rows: before any push, behind rax, behind rbp
constexpr uint8_t kMakesRoom[] = {0x50, 0x55, 0x53, 0x41, 0x57, 0x41, 0x56, 0x41, 0x55, 0x41, 0x54};

bool makes_room(const CfiSection& section, const Fde& fde) {
  for (const MappedBytes& code : section.code) {
    const MappedBytes first = code.part(fde.begin, sizeof kMakesRoom);
    if (first.size > 0 && std::memcmp(first.data, kMakesRoom, first.size) == 0) return true;
  }
  return false;
}

// The n-th row is behind the n-th push of one byte, none of which has a rule that saves a register. Rows
// first, so that not all code of a library is read.
bool pushes_unsaved(const CfiRows& rows, const Fde& fde, uint64_t n) {
  const CfiRule& rule = rows.rule();
  if (rows.begin() != fde.begin + n || rule.cfa.reg != kRsp ||
      rule.cfa.offset != static_cast<int32_t>(8 + 8 * n)) {
    return false;
  }
  for (const int saved : kSavedRegisters) {
    if (rule.registers[saved].kind != RuleKind::kSame) return false;
  }
  return true;
}

// The code of ResolveWorkerChainLookupAsmStub, which is the same in all releases but for two displacements,
// and how far the CFA is above the stack pointer from each of these offsets on.
constexpr uint8_t kChainLookup[] = {
    0x48, 0xc7, 0xc0, 0x01, 0x00, 0x00, 0x00, 0x4c, 0x21, 0xd8, 0x58,  // mov rax, 1; and rax, r11; pop rax
    0x75, 0x36,                                                        // jne fail
    0x48, 0x8b, 0x40, 0x18, 0x48, 0x85, 0xc0, 0x74, 0x2d,  // next: mov rax, [rax + 24]; test; je fail
    0x48, 0x3b, 0x10, 0x75, 0xf2, 0x4c, 0x3b, 0x50, 0x08, 0x75, 0xec,  // cmp [rax], rdx; cmp [rax + 8], r10
    0x48, 0x8d, 0x15, 0x00, 0x00, 0x00, 0x00,                          // lea rdx, counter
    0x48, 0x83, 0x2a, 0x01, 0x7c, 0x07,                                // sub [rdx], 1; jl promote
    0x48, 0x8b, 0x40, 0x10, 0x5a, 0xff, 0xe0,         // mov rax, [rax + 16]; pop rdx; jmp rax
    0x48, 0xc7, 0x02, 0x00, 0x01, 0x00, 0x00,         // promote: mov [rdx], 256
    0x49, 0x83, 0xcb, 0x02, 0x49, 0x89, 0xc2,         // or r11, 2; mov r10, rax
    0x5a, 0x41, 0x52, 0xe9, 0x00, 0x00, 0x00, 0x00};  // fail: pop rdx; push r10; jmp
constexpr size_t kChainCounter = 36;
constexpr size_t kChainWorker = 71;
constexpr size_t kDisplacement = 4;
struct CfaFrom {
  uint8_t offset;
  uint8_t above;
};
constexpr CfaFrom kChainCfa[] = {{0, 24}, {11, 16}, {51, 8}, {53, 16}, {68, 8}, {70, 16}};

bool is_chain_lookup(const CfiSection& section, const Fde& fde) {
  if (fde.end - fde.begin != sizeof kChainLookup) return false;
  for (const MappedBytes& code : section.code) {
    const MappedBytes all = code.part(fde.begin, sizeof kChainLookup);
    if (all.size < sizeof kChainLookup) continue;
    const auto same = [&all](size_t from, size_t to) {
      return std::memcmp(all.data + from, kChainLookup + from, to - from) == 0;
    };
    return same(0, kChainCounter) && same(kChainCounter + kDisplacement, kChainWorker);
  }
  return false;
}

CfiRule chain_lookup_rule(uint64_t offset) {
  uint8_t above = 0;
  for (const CfaFrom& from : kChainCfa) {
    if (offset >= from.offset) above = from.above;
  }
  return stack_rule(above);
}

}  // namespace

bool way_out_rule(const MappedBytes& code, uint64_t begin, uint64_t end, CfiRule* rule) {
  std::span<const uint8_t> rest(code.data, std::min<size_t>(code.size, kLongestWayOut));
  int32_t released = 0;
  for (size_t size; (size = load_or_move(rest)) > 0;) rest = rest.subspan(size);
  if (const size_t size = release(rest, &released); size > 0) rest = rest.subspan(size);
  Registers regs;
  regs.sp() = kStack + static_cast<uint64_t>(static_cast<int64_t>(released));
  regs.pc() = code.address + static_cast<uint64_t>(rest.data() - code.data);
  Memory memory;
  memory.slow = load_address;
  if (undo_epilog(rest, begin, end, regs, memory) != Epilog::kUndone) return false;
  if (regs.sp() - kStack > kLargestFrame) return false;  // it goes by rbp
  *rule = stack_rule(static_cast<int32_t>(regs.sp() - kStack));
  for (const int saved : kSavedRegisters) {
    if (regs.r[saved] == 0) continue;  // not popped
    rule->registers[saved] = {.value = static_cast<int32_t>(regs.r[saved] - regs.sp()),
                              .kind = RuleKind::kAtCfa};
  }
  return true;
}

CfiFault CfiFaultSearch::look_at(const CfiRows& rows) {
  const uint64_t n = row_++;
  const CfaRule& cfa = rows.rule().cfa;
  if (cfa.kind != CfaKind::kRegister) return CfiFault::kNone;
  if (n == 0 && is_chain_lookup(section_, fde_)) return CfiFault::kChainLookup;
  if (n == pushes_ && n < kPushesSeen && pushes_unsaved(rows, fde_, n) && ++pushes_ == kPushesSeen &&
      makes_room(section_, fde_)) {
    return CfiFault::kReturnedTo;
  }
  if (cfa.reg == kRsp && cfa.offset < 0) return CfiFault::kLosesStack;
  return cfa.reg == kRcx ? CfiFault::kEhReturn : CfiFault::kNone;
}

CfiFault find_fault(const CfiSection& section, CfiRows& rows, const Fde& fde) {
  CfiFaultSearch search(section, fde);
  CfiFault fault = CfiFault::kNone;
  rows.start(fde);
  while (fault == CfiFault::kNone && rows.next()) fault = search.look(rows);
  return fault;
}

void CfiFixer::enter_row(const CfiRule& row) {
  const bool jumped = returning_ && row_.registers[kReturnColumn].kind == RuleKind::kRegister;
  row_ = row;
  returning_ = !jumped && (returning_ || (row.cfa.kind == CfaKind::kRegister && row.cfa.reg == kRcx));
}

CfiRule CfiFixer::rule_at(uint64_t pc) const {
  if (fault_ == CfiFault::kChainLookup) return chain_lookup_rule(pc - fde_.begin);
  CfiRule rule = row_;
  if (fault_ == CfiFault::kEhReturn && returning_) {
    for (const int saved : kSavedRegisters) rule.registers[saved] = {};
    rule.registers[kRax] = rule.registers[kRdx] = {};
    rule.signal_frame = true;  // the landing pad's address is exact
  }
  if (fault_ == CfiFault::kReturnedTo && rule.cfa.kind == CfaKind::kRegister) rule.cfa.offset -= 8;
  if (fault_ != CfiFault::kLosesStack) return rule;
  for (const MappedBytes& code : section_.code) {
    if (code.contains(pc) && way_out_rule(code.rest(pc), fde_.begin, fde_.end, &rule)) break;
  }
  return rule;
}

}  // namespace walkabout::unwind
