#include "unwind/managed/managed_step.h"

#include <algorithm>
#include <cstring>

#include "base/hot.h"
#include "unwind/machine/epilog_x64.h"
#include "unwind/pe/pe_rule.h"

namespace walkabout::unwind {
namespace {

constexpr int kMaxChain = 32;

struct Function {
  uint64_t begin;
  uint64_t end;
};

Step to_step(UnwindStatus status) {
  switch (status) {
    case UnwindStatus::kOk:
      return Step::kStepped;
    case UnwindStatus::kBadInfo:
    case UnwindStatus::kMachineFrame:
      return Step::kNoRule;
    case UnwindStatus::kBadMemory:
      return Step::kBadMemory;
  }
  return Step::kNoRule;
}

WALKABOUT_HOT std::span<const uint8_t> code_at(const Function& f, uint64_t pc, const Memory& memory) {
  return memory.code_at(pc, std::min<uint64_t>(f.end - pc, kEpilogWindow));
}

bool at_epilog(const Function& f, uint64_t pc, const Memory& memory) {
  const std::span<const uint8_t> code = code_at(f, pc, memory);
  return may_begin_epilog(code) && is_epilog(code, f.begin, f.end, pc);
}

bool try_epilog(const Function& f, Registers& regs, const Memory& memory, Step* step) {
  switch (undo_epilog(code_at(f, regs.pc(), memory), f.begin, f.end, regs, memory)) {
    case Epilog::kNot:
      return false;
    case Epilog::kUndone:
      *step = Step::kStepped;
      return true;
    case Epilog::kBadMemory:
      *step = Step::kBadMemory;
      return true;
  }
  return false;
}

bool in_prolog(UnwindInfo info, uint64_t offset) { return offset < info[1]; }

// The UNWIND_INFO at an RVA of a mapped image; empty when it is not one.
UnwindInfo info_at(const Image& image, uint32_t rva) {
  if (rva >= image.mapped.size()) return {};
  const auto rest = image.mapped.subspan(rva);
  if (rest.size() < kUnwindHeaderSize) return {};
  const size_t size = kUnwindHeaderSize + size_t{rest[2]} * 2;
  return rest.size() < size ? UnwindInfo{} : rest.first(size);
}

// What the directory says of its length is not trusted: the image's code ends where its mapping does.
Function code_of(const Image& image, const RuntimeFunction& f) {
  return {image.base + f.begin, std::min(image.base + f.end, image.end)};
}

// The RUNTIME_FUNCTION behind the (even number of) codes of a chained info.
bool chained(const Image& image, uint32_t rva, UnwindInfo info, RuntimeFunction* parent) {
  const size_t at = rva + kUnwindHeaderSize + (size_t{info[2]} + 1) / 2 * 4;
  if (at + sizeof *parent > image.mapped.size()) return false;
  std::memcpy(parent, image.mapped.data() + at, sizeof *parent);
  return true;
}

}  // namespace

Step step_jitted(const JitRegion& region, bool interrupted, Registers& regs, const Memory& memory) {
  const UnwindInfo info(region.unwind, region.unwind_size);
  if (info.size() < kUnwindHeaderSize) return Step::kNoRule;
  const uint64_t offset = regs.pc() - region.begin;
  Step step = Step::kStepped;
  if (interrupted && !in_prolog(info, offset) &&
      try_epilog({region.begin, region.end()}, regs, memory, &step))
    return step;
  Registers caller = regs;
  UnwindStatus status = undo_prolog(info, offset, caller, memory);
  if (status == UnwindStatus::kOk) status = pop_return(caller, memory);
  if (status == UnwindStatus::kOk) regs = caller;
  return to_step(status);
}

Step step_ready_to_run(const Image& image, bool interrupted, Registers& regs, const Memory& memory) {
  bool machine_frame = false;
  Registers caller = regs;
  const Step step = step_by_directory(image, interrupted, caller, memory, &machine_frame);
  if (machine_frame) return Step::kNoRule;
  regs = caller;
  return step;
}

Step step_by_directory(const Image& image, bool interrupted, Registers& regs, const Memory& memory,
                       bool* machine_frame) {
  const uint64_t rva = regs.pc() - image.base;
  const RuntimeFunction* f =
      find_function(image.functions, static_cast<uint32_t>(interrupted ? rva : rva - 1));
  if (f == nullptr) return Step::kNoRule;
  uint64_t offset = rva - f->begin;
  RuntimeFunction function = *f;
  Registers caller = regs;
  Step step = Step::kStepped;
  for (int chain = 0; chain < kMaxChain; ++chain) {
    const UnwindInfo info = info_at(image, function.unwind);
    if (info.empty()) return Step::kNoRule;
    if (chain == 0 && interrupted && !in_prolog(info, offset) &&
        try_epilog(code_of(image, function), regs, memory, &step)) {
      return step;
    }
    UnwindStatus status = undo_prolog(info, offset, caller, memory);
    if (status == UnwindStatus::kMachineFrame) {
      *machine_frame = true;
      status = pop_machine_frame(caller, memory);
      if (status == UnwindStatus::kOk) regs = caller;
      return to_step(status);
    }
    if (status != UnwindStatus::kOk) return to_step(status);
    if ((info[0] >> 3 & kUnwindFlagChained) == 0) {
      status = pop_return(caller, memory);
      if (status == UnwindStatus::kOk) regs = caller;
      return to_step(status);
    }
    if (!chained(image, function.unwind, info, &function)) return Step::kNoRule;
    offset = ~uint64_t{0};  // the parent's prolog was finished before this part began
  }
  return Step::kNoRule;
}

ManagedFunction jitted_function(const JitRegion& region) {
  ManagedFunction function{.begin = region.begin, .end = region.end()};
  const UnwindInfo info(region.unwind, region.unwind_size);
  if (info.size() < kUnwindHeaderSize) return function;
  function.prolog = info[1];
  PeRule collected;
  function.plain = collected.add(info) && CompactRule::plain(collected.finish(), &function.rule);
  return function;
}

bool ready_to_run_function(const Image& image, uint64_t lookup, ManagedFunction* found) {
  const RuntimeFunction* f = find_function(image.functions, static_cast<uint32_t>(lookup - image.base));
  if (f == nullptr) return false;
  const Function bounds = code_of(image, *f);
  *found = {.begin = bounds.begin, .end = bounds.end};
  RuntimeFunction function = *f;
  PeRule collected;
  for (int chain = 0; chain < kMaxChain; ++chain) {
    const UnwindInfo info = info_at(image, function.unwind);
    if (info.empty() || !collected.add(info)) return true;
    if (chain == 0) found->prolog = info[1];
    if ((info[0] >> 3 & kUnwindFlagChained) == 0) {
      found->plain = CompactRule::plain(collected.finish(), &found->rule);
      return true;
    }
    if (!chained(image, function.unwind, info, &function)) return true;
  }
  return true;
}

// A prolog may call, to probe the stack: what follows the call is not done then.
WALKABOUT_HOT bool rule_holds(const ManagedFunction& function, uint64_t pc, bool interrupted,
                              const Memory& memory) {
  return function.plain && pc - function.begin >= function.prolog &&
         !(interrupted && at_epilog({function.begin, function.end}, pc, memory));
}

}  // namespace walkabout::unwind
