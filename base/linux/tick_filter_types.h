// The fields of the kernel's structures that the tick filter reads, described as the kernel wants them (BTF):
// it finds them in its own by their names, and puts their places there into the program when it loads it. Any
// thread. Sources: the kernel's Documentation/bpf/btf.rst and llvm_reloc.rst (CO-RE relocations).
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/linux/tick_filter.h"

namespace walkabout::base {

// Where the fields lie in our description; an instruction that reads one has this offset before it is
// relocated.
enum Field : int16_t {
  kBlockedAt = 0,                      // task_struct.blocked
  kSighandAt = 8,                      // task_struct.sighand
  kThreadPointerAt = 16,               // task_struct.thread.fsbase
  kTrapHandlerAt = (SIGTRAP - 1) * 8,  // sighand_struct.action[SIGTRAP - 1].sa.sa_handler
  kWakeHandlerAt = (kLateTrapSignal - 1) * 8,
};
struct FieldRead {
  uint32_t instruction;  // its number
  Field field;
};

struct FilterTypes {
  std::string description;  // for BPF_BTF_LOAD
  bpf_func_info function;
  std::vector<bpf_core_relo> fields;
};
FilterTypes filter_types(const std::vector<FieldRead>& reads);

}  // namespace walkabout::base
