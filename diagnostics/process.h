// A process as seen from outside, perhaps out of another container: its ids here and there, its owner, its
// environment, its file system. Everything comes from /proc (proc(5)); nothing of it is trusted but the
// kernel's own fields. No state beyond what was read; one thread per object.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::diagnostics {

struct Process {
  pid_t pid = 0;      // here
  pid_t own_pid = 0;  // as it sees itself: the last of NSpid
  uid_t uid = 0;      // effective, as seen here
  gid_t gid = 0;
  uint64_t start_time = 0;  // clock ticks since boot, field 22 of stat; another in a time namespace
  std::string environment;  // as it was at the start: NAME=VALUE, each ended by a zero byte
  base::Fd root;            // its root folder (O_PATH): outlives the process
  bool same_root = false;   // it sees the files we see
};

// An error that names what is in the way: there is no such process, it is another user's.
base::Result<Process> look_at(pid_t pid);

// Why the kernel says `error` (errno) when we look into a process that is ours, or any as root. can_trace: we
// have CAP_SYS_PTRACE.
base::Status may_not_look(pid_t pid, int error, bool can_trace);

// One of its threads has a name that begins so. What threads are called, anybody may choose.
bool has_thread(const Process& process, std::string_view prefix);
// An agent of walkabout's is at work in it.
inline bool has_agent(const Process& process) { return has_thread(process, "walkabout-"); }

// How long it has been running; through all it has executed.
uint64_t age_ns(const Process& process);

// The first value of that name in its environment; empty if there is none.
std::string environment_value(const Process& process, const std::string& name);
// One of CLR settings NAME (DOTNET_NAME, or COMPlus_NAME as of old). Empty if neither is set.
std::string clr_setting(const Process& process, const std::string& name);
// Where its runtime puts its socket: TMPDIR, else /tmp. A path of its own.
std::string temporary_folder(const Process& process);

// Opens `path` as the process would see it: links in it cannot lead out of its root folder. Linux 5.6 and
// later (openat2); before, absolute links are followed from our root.
base::Fd open_in_root(const Process& process, const std::string& path, int flags);

// How to reach an open file by a short path of ours (for sockets, whose paths are limited).
std::string path_of(const base::Fd& fd);

}  // namespace walkabout::diagnostics
