// The fields of the kernel's structures that the tick filter reads, described as the kernel wants them (BTF):
// it finds them in its own by their names, and puts their places there into the program when it loads it. Any
// thread. Sources: the kernel's Documentation/bpf/btf.rst and llvm_reloc.rst (CO-RE relocations).
#pragma once

#include <linux/bpf.h>

#include <array>
#include <cstdint>
#include <string>

namespace walkabout::base {

// Where the fields lie in our description; an instruction that reads one has this offset before it is
// relocated.
inline constexpr int16_t kBlockedAt = 0;   // task_struct.blocked
inline constexpr int16_t kSighandAt = 8;   // task_struct.sighand
inline constexpr int16_t kHandlerAt = 32;  // sighand_struct.action[SIGTRAP - 1].sa.sa_handler

struct FilterTypes {
  std::string description;  // for BPF_BTF_LOAD
  bpf_func_info function;
  std::array<bpf_core_relo, 3> fields;
};
// Arguments: the numbers of the instructions that read these fields.
FilterTypes filter_types(uint32_t reads_blocked, uint32_t reads_sighand, uint32_t reads_handler);

}  // namespace walkabout::base
