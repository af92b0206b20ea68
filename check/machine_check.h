// What the kernel allows a process to be profiled with: the engine and its rate, memory, limits, signals.
// Pure: from facts read before.
#pragma once

#include "check/check_result.h"
#include "check/engine_probe.h"
#include "launch/proc_facts.h"

namespace walkabout::cli {

// What the probe would have found in another process: it may have fewer rights than we have. Not its seccomp
// filter, which nobody can look into.
EngineProbe probe_for(const EngineProbe& ours, const MachineFacts& machine, const ProcessFacts& self,
                      const ProcessFacts& target);

// Samples a second of a thread's CPU time; 0: there is no engine.
uint64_t rate_cap(const EngineProbe& probe, const MachineFacts& machine);

// Lines: engine, rate, paranoid, seccomp. foreign_filter: the process has a seccomp filter that we have not.
CheckResults check_engine(const EngineProbe& probe, const MachineFacts& machine, bool seccomp_filter,
                          bool foreign_filter);
// Lines: files (RLIMIT_NOFILE), pending (RLIMIT_SIGPENDING), memory.
CheckResults check_limits(const EngineProbe& probe, const ProcessFacts& target);
// Line: signals. Which of those that ticks can arrive as are free.
CheckResult check_signals(const EngineProbe& probe, const ProcessFacts& target);

}  // namespace walkabout::cli
