#include "agent/linux/session/sampler.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "agent/core/spooler.h"
#include "agent/linux/handler/tick_signal.h"
#include "agent/linux/proc_self.h"
#include "base/clock.h"
#include "wire/tick_signals.h"

namespace walkabout::agent {
namespace {

// New threads are noticed by their number within this time; one that replaced a dead one at the next listing.
// What a thread used before is in its first weight, so looks need not be frequent where nothing changes. A
// look finds its code and data cold: that makes it cost most of what the sampler does.
constexpr uint64_t kFirstLooksNs = 25'000'000;
constexpr uint64_t kLookNs = 100'000'000;
constexpr uint64_t kQuietLookNs = 250'000'000;
constexpr uint64_t kStillLookNs = 500'000'000;
constexpr uint64_t kFirstSecondNs = 1'000'000'000;
constexpr uint64_t kQuietAfterNs = 1'000'000'000;   // without a thread more or less
constexpr uint64_t kStillAfterNs = 10'000'000'000;  // the same
constexpr uint64_t kListingEveryNs = 500'000'000;
constexpr uint64_t kSignalLookNs = 20'000'000;
constexpr auto kCoreLibraryLook = std::chrono::milliseconds(1);
constexpr int kCoreLibraryLooks = 200;  // then it has none that is ready to run

std::string name_of(int signal) {
  for (const auto& [number, name] : wire::kTickSignals) {
    if (number == signal) return name;
  }
  return signal == SIGTRAP ? "SIGTRAP" : "signal " + std::to_string(signal);
}

// Where the first thread's stack can grow to; 0: it has no limit.
uint64_t end_of_growth(const Mapping& stack) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= stack.end) return 0;
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  return stack.end - limit.rlim_cur / page * page;
}

// Below a thread's stack lies a guard; the first thread's grows.
uint64_t stack_end(const Mapping& stack, pid_t tid) {
  if (tid != ::getpid()) return stack.begin;
  return stack.path == "[stack]" ? end_of_growth(stack) : 0;
}

}  // namespace

base::Status Sampler::start() {
  return thread_.start("walkabout-samp", &tid_, [this] { run(); });
}

void Sampler::stop() {
  stop_.request();
  thread_.join();
}

// While the runtime starts.
void Sampler::find_core_library() {
  for (int i = 0; i < kCoreLibraryLooks; ++i) {
    if (parts_.images.find_first_pe()) return;
    if (stop_.wait_for(kCoreLibraryLook)) return;
  }
}

uint64_t Sampler::pause_ns(uint64_t now_ns) const {
  if (one_begins_ || now_ns - start_ns_ < kFirstSecondNs) return kFirstLooksNs;
  const uint64_t quiet_ns = now_ns - last_change_ns_;
  if (quiet_ns < kQuietAfterNs) return kLookNs;
  return quiet_ns < kStillAfterNs ? kQuietLookNs : kStillLookNs;
}

void Sampler::run() {
  parts_.host.enter();
  start_ns_ = last_change_ns_ = base::monotonic_ns();
  parts_.threads.exclude(tid_.load());
  find_core_library();
  uint64_t next_ns = base::monotonic_ns() + kFirstLooksNs;
  for (;;) {
    uint64_t now_ns = base::monotonic_ns();
    if (now_ns >= next_ns) {
      look(now_ns);
      now_ns = base::monotonic_ns();
      next_ns = now_ns + pause_ns(now_ns);
    }
    const uint64_t pause = std::min(next_ns - now_ns, kSignalLookNs);
    if (stop_.wait_for(std::chrono::nanoseconds(pause))) return;
    watch_signals();
  }
}

void Sampler::look(uint64_t now_ns) {
  if (parts_.spooler.broken()) {
    parts_.threads.stop();  // nobody takes samples any more
    one_begins_ = false;
    parts_.images.maintain();
    return;
  }
  const uint32_t count = thread_count();
  if (count != last_count_) last_change_ns_ = now_ns;
  if (count != last_count_ || now_ns - last_listing_ns_ >= kListingEveryNs) {
    parts_.threads.update(thread_ids());
    last_count_ = count;
    last_listing_ns_ = now_ns;
  }
  one_begins_ = parts_.threads.look_at_beginners();
  parts_.images.maintain();  // also while the spooler waits for a slow collector
  parts_.images.refresh_native();
  parts_.images.find_wanted_pe();
  parts_.images.compile_met();
  find_stacks();
}

// A handler met a stack whose bounds nobody knows: it lies in the mapping its stack pointer is in. The kernel
// joins neighbouring mappings, and what follows the stack may be unmapped later; but glibc has a thread's own
// data behind its stack, where the thread pointer shows.
void Sampler::find_stacks() {
  struct Wanted {
    pid_t tid;
    uint64_t sp, thread_pointer;
  };
  std::vector<Wanted> wanted;
  const ThreadSlot* slots = parts_.threads.slots();
  for (uint32_t i = 0; i < parts_.threads.slot_count(); ++i) {
    const pid_t tid = slots[i].tid.load(std::memory_order_acquire);
    const uint64_t sp = slots[i].wants_bounds.load(std::memory_order_acquire);  // partner: memory_of()
    if (tid != 0 && sp != 0)
      wanted.push_back({tid, sp, slots[i].thread_pointer.load(std::memory_order_relaxed)});
  }
  if (wanted.empty()) return;
  for (const Mapping& m : mappings()) {
    for (const Wanted& w : wanted) {
      if (!m.readable || w.sp < m.begin || w.sp >= m.end) continue;
      const bool behind = w.thread_pointer > w.sp && w.thread_pointer < m.end;
      parts_.threads.set_stack(w.tid, m.begin, behind ? w.thread_pointer : m.end, stack_end(m, w.tid));
    }
  }
}

// The program may take any signal at any time; ticks must not reach what it puts there. Where ticks are traps
// some threads may tick by the signal all the same: their perf event was refused.
void Sampler::watch_signals() {
  if (traps_before_) catch_late_traps();
  if (parts_.signal == 0) return;
  const bool trap_taken = parts_.traps && !trap_handler_in_place();
  const bool signal_taken = !tick_handler_in_place(parts_.signal);
  if (trap_taken || signal_taken) move_ticks(trap_taken, signal_taken);
}

void Sampler::move_ticks(bool trap_taken, bool signal_taken) {
  const auto warn = [this](std::string what) {
    parts_.spooler.report(wire::Severity::kWarning, "the program has taken " + std::move(what));
  };
  if (trap_taken) {
    catch_late_traps();  // before what takes longer
    traps_before_ = true;
  }
  const std::string taken = name_of(trap_taken ? SIGTRAP : parts_.signal);
  if (signal_taken) parts_.signal = move_tick_handler(parts_.signal);
  if (trap_taken) parts_.traps = false;
  if (parts_.signal == 0) {
    parts_.threads.stop();
    return warn(taken + ", and no other signal can be had: sampling stopped");
  }
  const size_t moved = parts_.threads.move_to(parts_.signal, parts_.traps);
  const std::string to = " come as " + name_of(parts_.signal);
  if (trap_taken) return warn(taken + ": from now on ticks" + to + ", and none inside system calls");
  if (parts_.traps && moved == 0) return;  // no thread ticked by it
  warn(taken + (parts_.traps ? ": the ticks of threads that tick by timers" : ": from now on ticks") + to);
}

}  // namespace walkabout::agent
