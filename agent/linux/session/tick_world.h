// For tests: everything a tick needs, in this process: rings, a thread table, the code map of what is loaded
// here, the handler installed for one signal. Threads of a test are armed by themselves or by the test.
#pragma once

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "agent/core/code_registry.h"
#include "agent/linux/handler/handler.h"
#include "agent/linux/handler/tick_signal.h"
#include "agent/linux/own_stack.h"
#include "agent/linux/ring_memory.h"
#include "agent/linux/session/images.h"
#include "agent/linux/thread_table.h"
#include "base/clock.h"

namespace walkabout::agent::testing {

inline pid_t own_tid() { return static_cast<pid_t>(::syscall(SYS_gettid)); }

inline void burn_ns(uint64_t ns) {
  const uint64_t end = base::thread_cpu_ns() + ns;
  while (base::thread_cpu_ns() < end) {
  }
}

// What the kernel allows here; the timer is always among them, the best is the last.
inline std::vector<EngineChoice> engines() {
  std::vector<EngineChoice> all = {*choose_engine(RequestedEngine::kTimer, 1'000'000)};
  const auto perf = choose_engine(RequestedEngine::kPerf, 1'000'000);
  if (perf.ok() && perf->kernel_ticks) all.push_back({wire::Engine::kPerf, false, false, ""});
  if (perf.ok()) all.push_back(*perf);
  return all;
}

class TickWorld {
 public:
  static constexpr int kSignal = SIGURG;  // the first that install_tick_handler() tries
  static constexpr uint32_t kDepth = 128;

  explicit TickWorld(const EngineChoice& engine, uint32_t ring_size = 1 << 20,
                     uint64_t interval_ns = 1'000'000, OracleWalk oracle = nullptr)
      : ring_ok_(rings.map(ring_size, base::monotonic_ns()).ok()),
        threads(host, rings,
                {engine.engine, engine.kernel_ticks, interval_ns, kSignal, engine.may_use_timers}) {
    images.refresh_native();
    HandlerSetup setup;
    setup.code = {&registry.images(), &registry.jitted(), nullptr, &registry.generation()};
    setup.unreported_until_ns = &registry.unreported_until_ns();
    setup.depth = kDepth;
    setup.interval_ns = interval_ns;
    setup.tsc_per_ms = 2'000'000;
    setup.oracle = oracle;
    set_handler(setup);
    ::sigaction(kSignal, nullptr, &before_);
    const auto signal = install_tick_handler();
    handler_ok_ = signal.ok() && signal->number == kSignal;
  }
  ~TickWorld() {
    threads.stop();
    ::sigaction(kSignal, &before_, nullptr);
  }
  bool ok() const { return ring_ok_ && handler_ok_; }

  // The calling thread's, armed from now on (or from its birth).
  ThreadSlot& arm_self(bool from_start = true) {
    threads.arm(own_tid(), 0, from_start);
    measure_own_stack(threads);
    return *std::find_if(threads.slots(), threads.slots() + wire::kMaxSlots,
                         [](const ThreadSlot& s) { return s.tid == own_tid(); });
  }

  DescriptorHost host;  // not started: all is opened where it is asked for
  RingMemory rings{host};

 private:
  bool ring_ok_;
  bool handler_ok_ = false;
  struct sigaction before_ {};

 public:
  CodeRegistry registry{tick_gate()};
  Images images{registry, host};
  ThreadTable threads;
};

inline uint64_t drops_of(const wire::SlotHeader& shared) {
  uint64_t sum = 0;
  for (const auto& drop : shared.cpu().drops) sum += drop.load();
  return sum;
}

}  // namespace walkabout::agent::testing
