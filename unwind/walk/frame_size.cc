#include "unwind/walk/frame_size.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <span>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/pe/pe_codes.h"

namespace walkabout::unwind {
namespace {

constexpr uint64_t kLargestFunction = 64 << 10;  // of those whose code is looked at
constexpr uint8_t kPopRbp = 0x5d;

// What the unwind data says of a function's frame, which its code has to agree with.
struct Shape {
  uint64_t begin = 0;  // its code
  uint64_t end = 0;
  std::vector<uint8_t> pops;          // the instructions that restore its registers, `pop rbp` last
  uint64_t saved = 0;                 // bytes of those it saved, with its rbp
  std::optional<uint64_t> allocated;  // bytes below these; not known before the code was read
  // From the stack pointer to the frame pointer, if that is not at the saved rbp.
  std::optional<uint64_t> distance;
};

bool add_pop(uint8_t reg, std::vector<uint8_t>* pops) {
  switch (reg) {
    case kRbx:
      pops->push_back(0x5b);
      return true;
    case kRbp:
      pops->push_back(kPopRbp);
      return true;
    case kR12:
    case kR13:
    case kR14:
    case kR15:
      pops->push_back(0x41);
      pops->push_back(static_cast<uint8_t>(0x58 + reg - 8));
      return true;
    default:
      return false;
  }
}

// Of a frame register that is set last, or followed by allocations.
bool read_pe(UnwindInfo info, Shape* shape) {
  if (info.size() < kUnwindHeaderSize || info.size() < kUnwindHeaderSize + size_t{info[2]} * 2) return false;
  if ((info[0] >> 3 & kUnwindFlagChained) != 0 || pe::kDwarfOf[info[3] & 15] != kRbp) return false;
  uint64_t allocated = 0;
  bool pushed = false, framed = false;
  for (pe::Codes codes(info); !codes.done();) {
    pe::Code code;
    if (!codes.next(&code)) return false;
    switch (code.op) {
      case pe::kPushNonvol:
        if (!add_pop(pe::kDwarfOf[code.info], &shape->pops)) return false;
        shape->saved += kSlotSize;
        pushed = true;
        break;
      case pe::kAllocLarge:
      case pe::kAllocSmall:
        if (pushed) return false;
        allocated += code.op == pe::kAllocSmall ? code.info * 8 + 8
                     : code.info == 0           ? code.operand * 8
                                                : code.operand;
        break;
      case pe::kSetFpReg:
      case pe::kSetFpRegLarge:
        if (framed || pushed) return false;
        framed = true;
        shape->distance = allocated + (code.op == pe::kSetFpReg ? (info[3] >> 4) * 16u : code.operand * 16);
        break;
      default:
        return false;
    }
  }
  shape->allocated = allocated;
  return framed && !shape->pops.empty() && shape->pops.back() == kPopRbp;
}

bool read_ready_to_run(const Image& image, uint64_t lookup, Shape* shape) {
  const RuntimeFunction* f = find_function(image.functions, static_cast<uint32_t>(lookup - image.base));
  if (f == nullptr || f->unwind >= image.mapped.size()) return false;
  const UnwindInfo rest = image.mapped.subspan(f->unwind);
  if (rest.size() < kUnwindHeaderSize) return false;
  shape->begin = image.base + f->begin;
  shape->end = std::min(image.base + f->end, image.end);
  return read_pe(rest.first(std::min(rest.size(), kUnwindHeaderSize + size_t{rest[2]} * 2)), shape);
}

// CFA = rbp + 16, with rbp right below the return address and the other saved registers in a row below it.
bool read_cfi(const Image& image, uint64_t lookup, Shape* shape) {
  Fde fde;
  CfiRule rule;
  if (find_fde(image.cfi, lookup, &fde) != CfiStatus::kOk ||
      cfi_interpret(image.cfi, lookup, &rule) != CfiStatus::kOk)
    return false;
  if (rule.signal_frame || rule.cfa.kind != CfaKind::kRegister || rule.cfa.reg != kRbp ||
      rule.cfa.offset != 16)
    return false;
  shape->begin = fde.begin;
  shape->end = fde.end;
  constexpr int32_t kRbpAt = -16;
  uint8_t at[kRegCount] = {};  // by slot below rbp's: the register, 0 for none
  for (const Reg reg : kSavedRegisters) {
    const RegisterRule& saved = rule.registers[reg];
    if (saved.kind == RuleKind::kSame) continue;
    if (saved.kind != RuleKind::kAtCfa) return false;
    if (reg == kRbp) {
      if (saved.value != kRbpAt) return false;
      continue;
    }
    const int32_t slot = (kRbpAt - saved.value) / kSlotSize;
    if (saved.value % kSlotSize != 0 || slot < 1 || slot >= static_cast<int32_t>(kRegCount)) return false;
    at[slot] = reg;
  }
  if (rule.registers[kRbp].kind != RuleKind::kAtCfa) return false;
  size_t count = 0;
  while (count + 1 < kRegCount && at[count + 1] != 0) ++count;
  if (std::any_of(at + count + 1, at + kRegCount, [](uint8_t reg) { return reg != 0; })) return false;
  for (size_t slot = count; slot > 0; --slot) add_pop(at[slot], &shape->pops);
  shape->pops.push_back(kPopRbp);
  shape->saved = (count + 1) * kSlotSize;
  return true;
}

uint32_t word32(std::span<const uint8_t> code, size_t at) {
  uint32_t word = 0;
  std::memcpy(&word, code.data() + at, sizeof word);
  return word;
}

bool has(std::span<const uint8_t> code, size_t at, std::initializer_list<uint8_t> bytes) {
  return at <= code.size() && code.size() - at >= bytes.size() &&
         std::equal(bytes.begin(), bytes.end(), code.begin() + static_cast<ptrdiff_t>(at));
}

constexpr uint8_t kLeastNegative = 0x80;  // of a number in one byte

// `add rsp, n` or `sub rsp, n` (modrm e0 + 4, e8 + 4) that begins at `at`; n is not negative.
std::optional<uint64_t> adjusts(std::span<const uint8_t> code, size_t at, uint8_t modrm) {
  if (has(code, at, {0x48, 0x83, modrm}) && code.size() - at >= 4 && code[at + 3] < kLeastNegative)
    return code[at + 3];
  if (has(code, at, {0x48, 0x81, modrm}) && code.size() - at >= 7) return word32(code, at + 3);
  return {};
}
constexpr uint8_t kAdd = 0xc4, kSub = 0xec;

// The same of a negative number in one byte: compilers take 128 bytes by `add rsp, -128`.
bool adjusts_by_negative(std::span<const uint8_t> code, size_t at) {
  return (has(code, at, {0x48, 0x83, kAdd}) || has(code, at, {0x48, 0x83, kSub})) && code.size() - at >= 4 &&
         code[at + 3] >= kLeastNegative;
}

// What ends a function behind its last pop: ret, a jump, vzeroupper before them.
bool leaves(std::span<const uint8_t> code, size_t at) {
  return has(code, at, {0xc3}) || has(code, at, {0xf3, 0xc3}) || has(code, at, {0xe9}) ||
         has(code, at, {0xeb}) || has(code, at, {0xff}) || has(code, at, {0x48, 0xff}) ||
         has(code, at, {0x41, 0xff}) || has(code, at, {0xc5, 0xf8, 0x77});
}

// What lies before the pops at `at` says how the stack pointer got there. Nothing: by the frame pointer.
std::optional<uint64_t> allocated_before(std::span<const uint8_t> code, size_t at) {
  if (at >= 4 && has(code, at - 4, {0x48, 0x8d, 0x65})) return {};
  if (at >= 7 && has(code, at - 7, {0x48, 0x8d, 0xa5})) return {};
  if (at >= 4 && has(code, at - 4, {0x48, 0x83, kAdd})) return adjusts(code, at - 4, kAdd);
  if (at >= 7 && has(code, at - 7, {0x48, 0x81, kAdd})) return word32(code, at - 4);
  return 0;
}

// The bytes that every epilog gives back; nothing where one says otherwise, or none is there. Bytes that look
// like an epilog and are none can only contradict.
std::optional<uint64_t> allocated_by_epilogs(std::span<const uint8_t> code, std::span<const uint8_t> pops) {
  std::optional<uint64_t> all;
  for (size_t at = 0; at + pops.size() < code.size(); ++at) {
    if (has(code, at, {0xc9, 0xc3})) return {};        // leave, ret
    if (has(code, at, {0x48, 0x83, 0xe4})) return {};  // and rsp, n: aligned as it runs
    if (!std::equal(pops.begin(), pops.end(), code.begin() + static_cast<ptrdiff_t>(at)) ||
        !leaves(code, at + pops.size()))
      continue;
    const std::optional<uint64_t> here = allocated_before(code, at);
    if (!here || (all && *all != *here)) return {};
    all = here;
  }
  return all;
}

// The prolog takes what the epilogs give back: by `sub rsp, n`, or by a push of eight bytes.
bool is_taken(std::span<const uint8_t> code, uint64_t allocated) {
  for (size_t at = 0; at < code.size(); ++at) {
    if (adjusts_by_negative(code, at)) return false;
    const std::optional<uint64_t> taken = adjusts(code, at, kSub);
    if (taken && *taken == allocated) return true;
    if (taken && allocated == 0) return false;
    if (code[at] == 0x50 && allocated == 8) return true;
  }
  return allocated == 0;
}

bool may_set_stack_pointer(std::span<const uint8_t> code, size_t at) {
  if (code.size() - at < 3) return false;
  const uint8_t rex = code[at], op = code[at + 1], modrm = code[at + 2];
  if ((rex & 0xf8) != 0x48) return false;  // 64 bits wide
  const bool of_registers = modrm >> 6 == 3;
  const bool to_rsp = of_registers && (modrm & 7) == 4 && (rex & 1) == 0;            // its first operand
  const bool from_second = of_registers && (modrm >> 3 & 7) == 4 && (rex & 4) == 0;  // its register operand
  switch (op) {
    case 0x01:  // add, sub, and, mov to rsp
    case 0x29:
    case 0x21:
    case 0x89:
      return to_rsp;
    case 0x03:
    case 0x2b:
    case 0x23:
    case 0x8b:
      return from_second || ((modrm >> 3 & 7) == 4 && (rex & 4) == 0 && modrm >> 6 != 3);
    case 0x81:  // and, add with a number
    case 0x83:
      if (adjusts_by_negative(code, at)) return true;
      return to_rsp && ((modrm >> 3 & 7) == 4 || (modrm >> 3 & 7) == 0);
    case 0x8d:  // lea rsp, but of the frame pointer
      return (modrm >> 3 & 7) == 4 && (rex & 4) == 0 &&
             ((modrm & 7) != 5 || modrm >> 6 == 0 || (rex & 1) != 0);
    case 0x87:  // xchg
      return to_rsp || from_second;
    default:
      return false;
  }
}

// From `at` on: a compiler puts other instructions between `add rsp, n` and the pops.
bool pops_follow(std::span<const uint8_t> code, size_t at, std::span<const uint8_t> pops) {
  constexpr size_t kWithin = 16;
  for (size_t i = at; i <= at + kWithin && i + pops.size() < code.size(); ++i) {
    if (std::equal(pops.begin(), pops.end(), code.begin() + static_cast<ptrdiff_t>(i)) &&
        leaves(code, i + pops.size()))
      return true;
  }
  return false;
}

bool gives_back_by_frame_pointer(std::span<const uint8_t> code, size_t at) {
  const bool leave = has(code, at, {0xc9}) && leaves(code, at + 1);
  return leave || has(code, at, {0x48, 0x8d, 0x65}) || has(code, at, {0x48, 0x8d, 0xa5});
}

bool may_call(std::span<const uint8_t> code, size_t at) {
  return code[at] == 0xe8 || (code[at] == 0xff && at + 1 < code.size() && (code[at + 1] >> 3 & 7) == 2);
}

// Of a function that begins with its prolog. What is taken behind a call may be room for the arguments of the
// next. `add rsp, n` gives the frame back only where the function's registers follow, and where nothing gives
// it back by the frame pointer: else it takes arguments off.
std::optional<uint64_t> allocated_by_prolog(std::span<const uint8_t> code, std::span<const uint8_t> pops) {
  constexpr size_t kSetsFramePointerWithin = 24;
  const size_t begin = has(code, 0, {0xf3, 0x0f, 0x1e, 0xfa}) ? 4 : 0;  // endbr64
  if (!has(code, begin, {0x55})) return {};
  bool framed = false;
  bool called = false, by_frame_pointer = false, by_add = false;
  std::optional<uint64_t> allocated;
  for (size_t at = begin; at < code.size(); ++at) {
    called = called || may_call(code, at);
    by_frame_pointer = by_frame_pointer || gives_back_by_frame_pointer(code, at);
    if (at < kSetsFramePointerWithin && has(code, at, {0x48, 0x89, 0xe5})) framed = true;
    const std::optional<uint64_t> given_back = adjusts(code, at, kAdd);
    const bool by_epilog = given_back && given_back == allocated && pops_follow(code, at + 4, pops);
    if (!by_epilog && may_set_stack_pointer(code, at)) return {};
    by_add = by_add || by_epilog;
    const std::optional<uint64_t> taken = adjusts(code, at, kSub);
    if (taken && (allocated || called)) return {};
    if (taken) allocated = taken;
  }
  return framed && !(by_add && by_frame_pointer) ? std::optional(allocated.value_or(0)) : std::nullopt;
}

// Behind the call the arguments it had on the stack are taken off.
bool has_arguments_on_stack(std::span<const uint8_t> code, size_t at, uint64_t allocated) {
  const std::optional<uint64_t> off = adjusts(code, at, kAdd);
  const bool popped = has(code, at, {0x58}) || has(code, at, {0x59}) || has(code, at, {0x5a}) ||
                      has(code, at, {0x5e}) || has(code, at, {0x5f});
  return popped || (off && *off != allocated);
}

bool read_code(const Shape& shape, const Memory& memory, std::vector<uint8_t>* bytes) {
  bytes->resize(shape.end - shape.begin);
  return memory.load_bytes(shape.begin, bytes->data(), bytes->size());
}

// Whether this code is known at all. Only of such code it can be said for good that nothing proves its
// frame's size.
enum class Reading { kUnknownCode, kNoShape, kShape };

Reading read_shape(uint64_t lookup, const CodeMap& code, Shape* shape) {
  const auto reading = [](bool read) { return read ? Reading::kShape : Reading::kNoShape; };
  if (const Image* image = code.images->find(lookup); image != nullptr)
    return reading(image->managed ? read_ready_to_run(*image, lookup, shape)
                                  : read_cfi(*image, lookup, shape));
  const JitRegion* region = code.jitted->find(lookup);
  if (region == nullptr) return Reading::kUnknownCode;
  shape->begin = region->begin;
  shape->end = region->end();
  return reading(read_pe({region->unwind, region->unwind_size}, shape));
}

// Nothing: it could not be decided, and may be later.
std::optional<std::optional<FrameSize>> prove(uint64_t pc, const CodeMap& code, const Memory& memory,
                                              std::vector<uint8_t>* bytes) {
  constexpr std::optional<FrameSize> kNoProof;
  Shape shape;
  switch (read_shape(pc - 1, code, &shape)) {
    case Reading::kUnknownCode:
      return {};
    case Reading::kNoShape:
      return kNoProof;
    case Reading::kShape:
      break;
  }
  if (pc < shape.begin || pc >= shape.end || shape.end - shape.begin > kLargestFunction) return kNoProof;
  if (!read_code(shape, memory, bytes)) return {};
  std::optional<uint64_t> allocated = allocated_by_epilogs(*bytes, shape.pops);
  if (shape.allocated) {
    if (allocated != shape.allocated) return kNoProof;
  } else if (!allocated || !is_taken(*bytes, *allocated)) {
    allocated = allocated_by_prolog(*bytes, shape.pops);
  }
  if (!allocated || has_arguments_on_stack(*bytes, pc - shape.begin, *allocated)) return kNoProof;
  const uint64_t all = *allocated + shape.saved;
  return std::optional(FrameSize{shape.distance.value_or(all - kSlotSize), all});
}

}  // namespace

std::optional<FrameSize> FrameSizes::find(uint64_t pc, const CodeMap& code, const Memory& memory) {
  const uint32_t generation =
      code.generation != nullptr ? code.generation->load(std::memory_order_acquire) : generation_;
  if (generation != generation_ || known_.size() >= kMost) known_.clear();
  generation_ = generation;
  if (const auto known = known_.find(pc); known != known_.end()) return known->second;
  const auto proven = prove(pc, code, memory, &bytes_);
  return proven ? known_[pc] = *proven : std::nullopt;
}

}  // namespace walkabout::unwind
