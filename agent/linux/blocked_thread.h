// Where the kernel says that a thread of this process stands, and how often it has run.
//
// /proc/self/task/TID/syscall gives a blocked thread's system call, stack pointer and pc. It does not wake
// the thread. /proc/self/task/TID/schedstat counts how often the thread was given a processor. While that
// count stands still, nothing of the thread's stack can have changed.
//
// Any thread; allocates nothing.
// Sources: proc_pid_syscall(5); Documentation/scheduler/sched-stats.rst and proc_pid_syscall() of the kernel.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace walkabout::agent {

enum class Standing : uint8_t {
  kGone,     // there is no such thread
  kUnknown,  // it lives, but /proc does not say: it is not there (chroot), or may not be read
  kRuns,     // on a processor, or waiting for one
  kBlocked,
};

struct ThreadPlace {
  Standing standing = Standing::kUnknown;
  // Of a blocked thread.
  int64_t call = -1;  // the number of its system call; -1: it is blocked outside of one
  uint64_t sp = 0;
  uint64_t pc = 0;
};

struct SchedCounts {
  uint64_t ran_ns = 0;     // on a processor
  uint64_t waited_ns = 0;  // for one, until it was last given one
  uint64_t runs = 0;       // how often it was given one; 0: the kernel does not count
};

// What the two files say.
ThreadPlace parse_syscall(std::string_view text);
std::optional<SchedCounts> parse_schedstat(std::string_view text);

// REQUIRES (both): inside work of the descriptor host, or on a thread that has its table.
ThreadPlace place_of(pid_t tid);
std::optional<SchedCounts> counts_of(pid_t tid);

}  // namespace walkabout::agent
