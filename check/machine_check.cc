#include "check/machine_check.h"

#include <errno.h>
#include <fmt/format.h>
#include <string.h>

#include <algorithm>

#include "console/numbers.h"
#include "wire/limits.h"
#include "wire/ring.h"
#include "wire/ring_size.h"
#include "wire/tick_signals.h"

namespace walkabout::cli {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kFinestRate = kSecondNs / wire::kMinIntervalNs;  // what --interval takes
constexpr uint64_t kThreadsToCome = 64;
constexpr uint64_t kAgentsThreads =
    5;  // spooler, sampler, watch, one to catch up, and the runtime's to detach
constexpr uint64_t kRingsWant = uint64_t{64} << 20;
// perf_event_paranoid without CAP_PERFMON: up to 2 ticks of the program's own code, more (some distributions)
// nothing. Ticks in system calls take capabilities at any level.
constexpr int kPerfUpTo = 2;

CheckResult engine(const EngineProbe& probe, const MachineFacts& machine, bool seccomp_filter) {
  if (probe.perf_error == 0 && probe.kernel_ticks)
    return {Verdict::kOk, "engine", "perf events, also inside system calls", ""};
  if (probe.perf_error == 0) {
    return {Verdict::kWarn, "engine",
            "perf events, but not inside system calls: their time is seen at the next tick behind them",
            probe.disturbing ? "Linux 6.11, whose ticks do not end system calls early"
                             : "the capabilities CAP_PERFMON and CAP_BPF"};
  }
  const std::string cause = fmt::format("perf_event_open: {}", strerror(probe.perf_error));
  if (probe.timer_error != 0) {
    return {Verdict::kNo, "engine",
            fmt::format("neither perf events ({}) nor CPU timers (timer_create: {})", cause,
                        strerror(probe.timer_error)),
            "allow one of these system calls in the container's seccomp profile"};
  }
  const bool paranoid = machine.perf_event_paranoid.value_or(0) > kPerfUpTo;
  std::string remedy = paranoid ? "sysctl kernel.perf_event_paranoid=2, or the capability CAP_PERFMON" : "";
  if (seccomp_filter || !paranoid)
    remedy += (remedy.empty() ? "" : "; ") +
              std::string("allow perf_event_open in the container's seccomp profile");
  if (probe.perf_error == ENOSYS || probe.perf_error == ENOENT) remedy = "a kernel with perf events";
  return {Verdict::kWarn, "engine", "CPU timers, because perf events are not allowed (" + cause + ")",
          remedy};
}

CheckResult rate(const EngineProbe& probe, const MachineFacts& machine) {
  const uint64_t cap = rate_cap(probe, machine);
  const std::string what = fmt::format("up to {} samples a second of a thread's CPU time", grouped(cap));
  if (cap >= kFinestRate) return {Verdict::kOk, "rate", what, ""};
  if (probe.perf_error != 0)
    return {Verdict::kWarn, "rate", what + " (timers fire at the kernel's tick)",
            "perf events have no such limit"};
  return {Verdict::kWarn, "rate", what + " (kernel.perf_event_max_sample_rate)",
          fmt::format("sysctl kernel.perf_event_max_sample_rate={}", kFinestRate)};
}

// Not to be read against the engine's line: what lifts the rule, or goes beyond it, is reported with it.
CheckResult paranoid(const EngineProbe& probe, const MachineFacts& machine) {
  if (!machine.perf_event_paranoid)
    return {Verdict::kWarn, "paranoid",
            "kernel.perf_event_paranoid cannot be read: no perf events in this kernel?", ""};
  const int level = *machine.perf_event_paranoid;
  const char* means =
      level <= kPerfUpTo ? "everybody may use perf events" : "without CAP_PERFMON no perf events";
  const bool lifted = level > kPerfUpTo && probe.perf_error == 0;
  const bool refused = level <= kPerfUpTo && probe.perf_error != 0;
  return {Verdict::kOk, "paranoid",
          fmt::format("kernel.perf_event_paranoid is {}: {}{}", level, means,
                      lifted    ? " (we have it)"
                      : refused ? " (it is not what refuses them here)"
                                : ""),
          ""};
}

CheckResult seccomp(bool filter, bool foreign) {
  if (foreign) {
    return {Verdict::kWarn, "seccomp",
            "the process has a seccomp filter of its own: if it refuses perf_event_open, CPU timers are used",
            "allow perf_event_open in the container's seccomp profile"};
  }
  return {Verdict::kOk, "seccomp",
          filter ? "there is a filter (containers have one); what it refuses is said above" : "no filter",
          ""};
}

uint32_t usual_ring() { return wire::ring_size(wire::kUsualIntervalNs, wire::kUsualDepth, false); }

// REQUIRES: it is limited.
CheckResult address_space(const ProcessFacts& target) {
  const uint64_t limit = target.address_space_limit;
  const uint64_t left = limit - std::min(limit, target.address_space);
  const uint64_t needed = wire::address_space_needed(usual_ring(), limit);
  const std::string what =
      fmt::format("address space: {} MiB of {} left (RLIMIT_AS)", left >> 20, limit >> 20);
  if (left >= needed) return {Verdict::kOk, "space", what, ""};
  return {Verdict::kNo, "space", fmt::format("{}, {} are needed", what, needed >> 20),
          "a higher limit (ulimit -v; of a process that runs: prlimit --as)"};
}

CheckResult memory(const EngineProbe& probe, const ProcessFacts& target) {
  if (probe.memory_error != 0) {
    return {Verdict::kNo, "memory",
            fmt::format("no shared memory (memfd_create: {})", strerror(probe.memory_error)),
            "allow memfd_create in the container's seccomp profile, or give it more memory"};
  }
  if (target.file_size_limit < wire::mapping_size(usual_ring())) {
    return {Verdict::kNo, "memory",
            "the limit of file sizes (RLIMIT_FSIZE) also holds for shared memory, and is too low",
            "ulimit -f unlimited"};
  }
  if (target.memory_limit == kUnlimited) return {Verdict::kOk, "memory", "shared memory, no limit", ""};
  const uint64_t room = target.memory_limit - target.memory_used;
  const std::string what =
      fmt::format("{} MiB left of the control group's {}", room >> 20, target.memory_limit >> 20);
  if (room >= kRingsWant) return {Verdict::kOk, "memory", "shared memory, " + what, ""};
  return {Verdict::kWarn, "memory", what + "; the samples' buffers count against it",
          "give the container more memory (memory.max)"};
}

}  // namespace

EngineProbe probe_for(const EngineProbe& ours, const MachineFacts& machine, const ProcessFacts& self,
                      const ProcessFacts& target) {
  if (!has_perf_capability(self) || ours.perf_error != 0) return ours;
  // Capabilities of another user namespace say nothing to perf events.
  const bool same = target.user_namespace == self.user_namespace;
  EngineProbe probe = ours;
  if (!same || !has_trap_capability(target)) probe.kernel_ticks = probe.disturbing = false;
  if (same && has_perf_capability(target)) return probe;
  if (machine.perf_event_paranoid.value_or(kPerfUpTo) > kPerfUpTo) probe.perf_error = EACCES;
  return probe;
}

uint64_t rate_cap(const EngineProbe& probe, const MachineFacts& machine) {
  if (probe.perf_error == 0) return std::min(kFinestRate, machine.max_sample_rate.value_or(kFinestRate));
  if (probe.timer_error != 0) return 0;
  return probe.tick_ns == 0 ? kFinestRate : std::min(kFinestRate, kSecondNs / probe.tick_ns);
}

CheckResults check_engine(const EngineProbe& probe, const MachineFacts& machine, bool seccomp_filter,
                          bool foreign_filter) {
  CheckResults found{engine(probe, machine, seccomp_filter)};
  if (rate_cap(probe, machine) > 0) found.push_back(rate(probe, machine));
  found.push_back(paranoid(probe, machine));
  found.push_back(seccomp(seccomp_filter, foreign_filter));
  return found;
}

CheckResults check_limits(const EngineProbe& probe, const ProcessFacts& target) {
  const auto enough = [&target](uint64_t used, uint64_t limit) {
    return limit == kUnlimited || limit - std::min(limit, used) >= target.threads + kThreadsToCome;
  };
  const auto of = [](uint64_t used, uint64_t limit) {
    return limit == kUnlimited ? fmt::format("{}, no limit", grouped(used))
                               : fmt::format("{} of {}", grouped(used), grouped(limit));
  };
  CheckResults found;
  const std::string files = "files open: " + of(target.open_files, target.open_limit) + " (RLIMIT_NOFILE)";
  if (probe.perf_error != 0 || enough(target.open_files, target.open_limit)) {
    found.push_back({Verdict::kOk, "files", files, ""});
  } else {
    found.push_back({Verdict::kWarn, "files", files + "; perf events take one a thread",
                     "a higher limit (ulimit -n), or --engine timer"});
  }
  const std::string pending =
      "signals pending: " + of(target.queued_signals, target.queued_limit) + " (RLIMIT_SIGPENDING)";
  if (enough(target.queued_signals, target.queued_limit)) {
    found.push_back({Verdict::kOk, "pending", pending, ""});
  } else {
    found.push_back({Verdict::kWarn, "pending",
                     pending + "; each timer takes one, and ticks need one to arrive",
                     "a higher limit (ulimit -i)"});
  }
  if (has_thread_limit(target)) {
    const std::string threads =
        "threads of its user: " + of(target.user_threads, target.thread_limit) + " (RLIMIT_NPROC)";
    if (target.thread_limit >= target.user_threads + kAgentsThreads)
      found.push_back({Verdict::kOk, "threads", threads, ""});
    else
      found.push_back({Verdict::kNo, "threads",
                       fmt::format("{}; the agent takes up to {}", threads, kAgentsThreads),
                       "a higher limit (ulimit -u)"});
  }
  if (target.address_space_limit != kUnlimited) found.push_back(address_space(target));
  found.push_back(memory(probe, target));
  return found;
}

CheckResult check_signals(const EngineProbe& probe, const ProcessFacts& target) {
  std::string used;
  for (const auto& [number, name] : wire::kTickSignals) {
    const uint64_t bit = uint64_t{1} << (number - 1);
    if (((target.caught | target.ignored) & bit) == 0) {
      return {Verdict::kOk, "signals",
              std::string("ticks will arrive as ") + (probe.kernel_ticks ? "SIGTRAP, in reserve as " : "") +
                  name + (used.empty() ? "" : ";" + used),
              ""};
    }
    used += std::string(used.empty() ? " " : ", ") + name +
            ((target.caught & bit) != 0 ? " has a handler" : " is ignored");
  }
  return {Verdict::kWarn, "signals",
          "every signal that ticks could arrive as is used:" + used + "; " + wire::kSharedTickSignal.name +
              " is shared with the program",
          "leave one of them free"};
}

}  // namespace walkabout::cli
