#include "unwind/cfi/cfi_plt.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "unwind/cfi/cfi_init.h"

namespace walkabout::unwind {
namespace {

// A byte of a pattern that may be anything (a displacement, an index).
constexpr int kAny = -1;

struct PltForm {
  std::array<int16_t, kPltSlotSize> bytes;
  PltSlot slot;
};

constexpr int16_t A = kAny;
constexpr PltForm kForms[] = {
    // push *GOT+8(%rip); jmp *GOT+16(%rip): entered with the index already pushed
    {{0xff, 0x35, A, A, A, A, 0xff, 0x25, A, A, A, A, A, A, A, A}, {16, 24, 6}},
    {{0xff, 0x35, A, A, A, A, 0xf2, 0xff, 0x25, A, A, A, A, A, A, A}, {16, 24, 6}},
    // jmp *f@GOT(%rip); push $index; jmp PLT0
    {{0xff, 0x25, A, A, A, A, 0x68, A, A, A, A, 0xe9, A, A, A, A}, {8, 16, 11}},
    // endbr64; push $index; [bnd] jmp PLT0
    {{0xf3, 0x0f, 0x1e, 0xfa, 0x68, A, A, A, A, 0xe9, A, A, A, A, A, A}, {8, 16, 9}},
    {{0xf3, 0x0f, 0x1e, 0xfa, 0x68, A, A, A, A, 0xf2, 0xe9, A, A, A, A, A}, {8, 16, 9}},
    // endbr64; [bnd] jmp *f@GOT(%rip)
    {{0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, A, A, A, A, A, A, A, A, A, A}, {8, 8, 0}},
    {{0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, A, A, A, A, A, A, A, A, A}, {8, 8, 0}},
};

bool matches(const PltForm& form, const uint8_t* code) {
  for (size_t i = 0; i < kPltSlotSize; ++i) {
    if (form.bytes[i] != kAny && form.bytes[i] != code[i]) return false;
  }
  return true;
}

}  // namespace

bool read_plt_slot(const uint8_t* code, PltSlot* slot) {
  if (code[0] != 0xff && code[0] != 0xf3) return false;
  const auto* form =
      std::find_if(std::begin(kForms), std::end(kForms), [&](const PltForm& f) { return matches(f, code); });
  if (form == std::end(kForms)) return false;
  *slot = form->slot;
  return true;
}

bool plt_rule(const CfiSection& section, uint64_t pc, CfiRule* rule) {
  const uint64_t begin = pc & ~(kPltSlotSize - 1);
  for (const MappedBytes& code : section.code) {
    InitCode init;
    if (read_init(code, pc, &init)) {
      *rule = init.rule(pc);
      return true;
    }
    const MappedBytes bytes = code.part(begin, kPltSlotSize);
    PltSlot slot;
    if (bytes.size == 0 || !read_plt_slot(bytes.data, &slot)) continue;
    *rule = stack_rule(pc - begin < slot.change ? slot.before : slot.after);
    return true;
  }
  return false;
}

}  // namespace walkabout::unwind
