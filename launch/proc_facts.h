// What the kernel's files say about a process and the machine (proc(5), cgroups(7)), for `walkabout check`.
// Read once; files that are missing leave their defaults. Tests give folders of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace walkabout::cli {

struct KernelFolders {
  std::string proc = "/proc";
  std::string cgroups = "/sys/fs/cgroup";
};

struct MachineFacts {
  std::optional<int> perf_event_paranoid;
  std::optional<uint64_t> max_sample_rate;  // perf_event_max_sample_rate
};
MachineFacts machine_facts(const KernelFolders& folders);

inline constexpr uint64_t kUnlimited = UINT64_MAX;

struct ProcessFacts {
  char state = '?';     // of status: R S D T t …
  uint64_t tracer = 0;  // the pid of its debugger
  uint64_t threads = 1;
  uint64_t capabilities = 0;         // effective
  uint64_t user_namespace = 0;       // its inode; 0: not known
  uint64_t caught = 0, ignored = 0;  // signals: bit n-1 for signal n
  bool seccomp_filter = false;
  uint64_t queued_signals = 0, queued_limit = kUnlimited;  // of its user
  uint64_t open_files = 0, open_limit = kUnlimited;
  std::optional<uint64_t> user;  // its real id
  uint64_t user_threads = 0,
           thread_limit = kUnlimited;     // of all processes of its user; counted where limited
  uint64_t file_size_limit = kUnlimited;  // bytes
  uint64_t address_space = 0, address_space_limit = kUnlimited;  // bytes
  uint64_t memory_used = 0, memory_limit = kUnlimited;           // bytes, of its control group (v2)
};
// who: a pid or "self".
ProcessFacts process_facts(const KernelFolders& folders, const std::string& who);

// May use perf events whatever perf_event_paranoid says: CAP_PERFMON or CAP_SYS_ADMIN.
bool has_perf_capability(const ProcessFacts& facts);
// Whether RLIMIT_NPROC counts for it: not for root, nor with CAP_SYS_RESOURCE or CAP_SYS_ADMIN
// (kernel/fork.c).
bool has_thread_limit(const ProcessFacts& facts);
// May have ticks inside system calls: that, and CAP_BPF or CAP_SYS_ADMIN.
bool has_trap_capability(const ProcessFacts& facts);

}  // namespace walkabout::cli
