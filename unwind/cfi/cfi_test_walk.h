// For tests: walks this process's own stacks by its own .eh_frame, interpreted or compiled.
//
// walk() is async-signal-safe; load_modules() allocates.
#pragma once

#include <link.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <utility>
#include <vector>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_table.h"
#include "unwind/cfi/elf_image.h"
#include "unwind/rule/cfi_step.h"

namespace walkabout::unwind::testing {

inline constexpr size_t kMaxFrames = 200;

inline bool load_from_self(void*, uint64_t address, void* to, size_t size) {
  const iovec local{to, size};
  const iovec remote{reinterpret_cast<void*>(address), size};
  return ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

inline Memory own_memory() {
  Memory memory;
  memory.slow = load_from_self;
  return memory;
}

struct Module {
  ElfImage image;
  CfiTable table;
};
using Modules = std::vector<Module>;

inline int add_module(dl_phdr_info* info, size_t, void* context) {
  const LoadedElf loaded{info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}};
  ElfImage image;
  if (!read_elf_image(loaded, own_memory(), &image) || image.cfi.empty()) return 0;
  base::Result<CfiTable> table = CfiTable::compile(image.cfi);
  if (table.ok()) static_cast<Modules*>(context)->push_back({image, std::move(*table)});
  return 0;
}

// Everything loaded now that has call frame information.
inline Modules load_modules() {
  Modules modules;
  ::dl_iterate_phdr(add_module, &modules);
  return modules;
}

inline const Module* find_module(const Modules& modules, uint64_t pc) {
  for (const Module& module : modules) {
    if (pc >= module.image.begin && pc < module.image.end) return &module;
  }
  return nullptr;
}

struct Walk {
  std::array<uint64_t, kMaxFrames> pcs;
  size_t count = 0;
  size_t signal_frames = 0;
  StepStatus end = StepStatus::kOk;
  Registers behind_signal;  // as restored by the last signal frame
};

enum class Way { kInterpreted, kCompiled };

inline StepStatus step(const Module& module, Way way, uint64_t lookup, const Memory& memory, Registers& regs,
                       bool* signal_frame) {
  CfiRule rule;
  if (way == Way::kInterpreted) {
    if (cfi_interpret(module.image.cfi, lookup, &rule) != CfiStatus::kOk) return StepStatus::kNoRule;
    *signal_frame = rule.signal_frame;
    return cfi_step(rule, regs, memory);
  }
  const CompactRule* compact = module.table.find(lookup);
  if (compact == nullptr) return StepStatus::kNoRule;
  *signal_frame = compact->signal_frame();
  return cfi_step(*compact, regs, memory);
}

// Safe in a signal handler.
inline Walk walk(const Modules& modules, Way way, Registers regs, const Memory& memory = own_memory()) {
  Walk walk;
  bool exact = true;  // a return address belongs to the call before it
  while (walk.count < kMaxFrames && walk.end == StepStatus::kOk) {
    walk.pcs[walk.count++] = regs.pc();
    const uint64_t lookup = exact ? regs.pc() : regs.pc() - 1;
    const Module* module = find_module(modules, lookup);
    bool signal_frame = false;
    walk.end =
        module == nullptr ? StepStatus::kNoRule : step(*module, way, lookup, memory, regs, &signal_frame);
    exact = signal_frame;
    if (!signal_frame) continue;
    ++walk.signal_frames;
    walk.behind_signal = regs;
  }
  return walk;
}

}  // namespace walkabout::unwind::testing
