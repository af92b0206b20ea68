// plt_rule (cfi_plt.h) for AArch64, in whose place cfi_plt.cc is not built: linkers write no .eh_frame for
// the PLT. Entries keep lr and the stack as they are; only the head pushes a pair. Source: ELF for the Arm
// 64-bit Architecture, "Procedure Linkage Table"; the forms GNU ld and LLD write.
#include "unwind/cfi/cfi_plt.h"

#include <cstring>

#include "unwind/machine/registers_arm64.h"

namespace walkabout::unwind {
namespace {

constexpr uint64_t kInstruction = 4;
constexpr uint64_t kLongestEntry = 6;                           // instructions, with bti and autia
constexpr uint32_t kPushLink = 0xa9bf7bf0;                      // stp x16, x30, [sp, #-16]!: the head's first
constexpr uint32_t kJump = 0xd61f0220;                          // br x17: every entry's last, but for padding
constexpr uint32_t kPageMask = 0x9f00001f, kPage = 0x90000010;  // adrp x16, …: the first that is always there

bool read(const CfiSection& section, uint64_t at, uint32_t* instruction) {
  for (const MappedBytes& code : section.code) {
    const MappedBytes bytes = code.part(at, kInstruction);
    if (bytes.size == 0) continue;
    std::memcpy(instruction, bytes.data, sizeof *instruction);
    return true;
  }
  return false;
}

// The entry's adrp at or before pc and its br at or behind it, with nothing that leaves between them.
bool in_entry(const CfiSection& section, uint64_t pc, uint64_t* page) {
  uint32_t instruction = 0;
  for (uint64_t back = 0; back < kLongestEntry; ++back) {
    *page = pc - back * kInstruction;
    if (!read(section, *page, &instruction) || (back > 0 && instruction == kJump)) return false;
    if ((instruction & kPageMask) == kPage) break;
    if (back + 1 == kLongestEntry) return false;
  }
  for (uint64_t at = *page; at < *page + kLongestEntry * kInstruction; at += kInstruction) {
    if (!read(section, at, &instruction)) return false;
    if (instruction == kJump) return at >= pc;
  }
  return false;
}

}  // namespace

bool plt_rule(const CfiSection& section, uint64_t pc, CfiRule* rule) {
  uint64_t page = 0;
  uint32_t before = 0;
  const uint64_t at = pc & ~(kInstruction - 1);
  if (!in_entry(section, at, &page)) return false;
  *rule = CfiRule{};
  const bool head = read(section, page - kInstruction, &before) && before == kPushLink;
  rule->cfa = {.offset = head ? 16 : 0, .kind = CfaKind::kRegister, .reg = arm64::kSp};
  if (head) rule->registers[arm64::kLr] = {.value = -8, .kind = RuleKind::kAtCfa};
  return true;
}

}  // namespace walkabout::unwind
