#include "base/windows/win32.h"
// after win32.h
#include <algorithm>
#include <utility>

#include "agent/shared/agent_version.h"
#include "agent/shared/tsc_rate.h"
#include "agent/sources/chosen_sources.h"
#include "agent/windows/cycle_rate.h"
#include "agent/windows/dynamic_function.h"
#include "agent/windows/process_self.h"
#include "agent/windows/session/oracle.h"
#include "agent/windows/session/recording.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kTimeoutMs = 3000;
constexpr uint32_t kPassMs = 50;
constexpr uint32_t kSmallestRing = 128u << 10;
constexpr uint32_t kRoomForStacks = 4;  // of full depth, both walks of each
constexpr uint32_t kRoomWithOracle = 16;

uint32_t ring_size(const Options& o) {
  uint32_t size = kSmallestRing;
  const uint32_t stacks = o.oracle ? kRoomWithOracle : kRoomForStacks;
  while (size < o.depth * 2 * sizeof(wire::Frame) * stacks) size *= 2;
  return size;
}

// 0: it is not sampled.
uint64_t wall_period_ns(const Options& o) {
  for (const wire::SourceChoice& choice : o.events) {
    if (choice.id == wire::source_id("wall")) return choice.period_ns;
  }
  return 0;
}

CaptureSetup capture_setup_of(Recording& r, clr::ICorProfilerInfo12* info) {
  CaptureSetup setup;
  setup.code = {&r.registry.images(), &r.registry.jitted(), find_dynamic_function};
  setup.gate = &r.gate;
  setup.collecting = &r.collecting;
  setup.native = r.options.common.oracle ? NativeFrames::kFull : r.options.native;
  setup.depth = r.options.common.depth;
  setup.oracle = r.options.common.oracle ? prepare_oracle(info) : nullptr;
  setup.tsc_per_ms = measure_tsc_per_ms();
  return setup;
}

wire::Session describe(const WindowsOptions& o, const std::string& runtime) {
  wire::Session s;
  s.pid = ::GetCurrentProcessId();
  s.command_line = command_line();
  s.runtime = runtime;
  s.os = system_name();
  s.host = host_name();
  s.wall_start_ns = base::wall_ns();
  s.monotonic_start_ns = base::monotonic_ns();
  s.interval_ns = o.common.interval_ns;
  s.engine = wire::Engine::kSuspend;
  s.kernel_ticks = true;
  s.oracle = o.common.oracle;
  s.depth = o.common.depth;
  s.agent_version = kVersion;
  return s;
}

// No samples of slow calls, nor what was kept of their arguments.
class ThreadReader final : public TraceReader {
 public:
  explicit ThreadReader(ThreadTable& threads) : threads_(threads) {}
  base::ThreadId this_thread() override {
    const ThreadSlot* slot = threads_.current_slot();
    return slot == nullptr ? base::ThreadId()
                           : base::ThreadId(slot->shared->thread.load(std::memory_order_relaxed));
  }
  base::ThreadId thread_of(uint64_t tid) override { return threads_.id_of(static_cast<pid_t>(tid)); }
  void on_slow_call(uint64_t) override {}
  void describe(uint32_t, std::span<const uint8_t>, wire::TracedCall*) override {}

 private:
  ThreadTable& threads_;
};

base::Status begin_tracing(Recording& r, uint64_t monotonic_start_ns) {
  if (r.hooks == nullptr) return {};
  r.monotonic_start_ns = monotonic_start_ns;
  r.trace_reader = std::make_unique<ThreadReader>(r.threads);
  r.tracing = std::make_unique<CallTracing>(*r.trace_reader, nullptr);
  TraceOptions how;
  how.all = true;
  how.latency_ns = r.options.common.latency_ns;
  how.keeps_slow = r.options.common.keeps_slow;
  if (base::Status s = r.tracing->begin(how, monotonic_start_ns); !s.ok()) return s;
  r.spooler->each_pass([&r](const Spooler::Pass& pass) {
    r.hooks->methods().emit(pass.us(pass.now_ns), &pass.records);
    const base::Lock lock(r.tracing_lock);
    r.tracing->emit(pass.us(pass.now_ns), false, &pass.records);
    pass.records += std::exchange(r.last_traced, {});
  });
  return {};
}

// What is on ends; the last records are emitted next.
void stop_tracing(Recording& r) {
  if (r.tracing == nullptr) return;
  const base::Lock lock(r.tracing_lock);
  r.tracing->end((base::monotonic_ns() - r.monotonic_start_ns) / 1000, &r.last_traced);
}

}  // namespace

base::Status begin(Recording& r, clr::ICorProfilerInfo12* info, const std::string& runtime) {
  const Options& o = r.options.common;
  const wire::Session session = describe(r.options, runtime);
  if (base::Status s = r.rings.map(ring_size(o), session.monotonic_start_ns); !s.ok()) return s;
  if (base::Status s = o.socket.empty() ? r.out.create(o.stream) : r.out.connect(o.socket, &r.wanted);
      !s.ok() || !r.wanted)
    return s;
  r.images.follow_loader();
  set_capture(capture_setup_of(r, info));
  const std::vector<wire::Source> sources = declared_in(r.sources, o.interval_ns);
  std::string no_sums;
  Tally* const tally = keep_in(r.rings, sources, r.texts, r.tally, &no_sums);
  Spooler::Options options;
  options.sources = sources;
  r.spooler = std::make_unique<Spooler>(
      Spooler::Parts{r.registry, r.threads, r.out, info, nullptr, &r.texts, tally}, session, options);
  if (base::Status s = begin_tracing(r, session.monotonic_start_ns); !s.ok()) return s;
  if (o.lines) r.spooler->report(wire::Severity::kWarning, "source lines are not recorded on Windows");
  if (!no_sums.empty()) r.spooler->report(wire::Severity::kWarning, no_sums);
  r.sampler = std::make_unique<Sampler>(
      Sampler::Parts{r.threads, r.images, *r.spooler, r.collecting, o.interval_ns, o.depth,
                     wire::is_on(o.events, wire::kCpuSource), wall_period_ns(o)},
      ThreadWalk::Setup{info, r.registry, r.watchdog, r.options.native, o.depth, o.oracle});
  r.threads.count_cycles(CycleRate::measured());
  const SourceContext context{r.threads, *r.spooler, r.collecting,      r.texts,
                              r.tally,   info,       r.runtime_version, 0};
  if (base::Status s = start_sources(r.sources, context); !s.ok()) return s;
  r.spooler->begin_counting();
  r.sampling.store(true);
  for (pid_t tid : thread_ids()) r.threads.arm(tid, 0, false);
  if (base::Status s = r.watchdog.start(); !s.ok()) return s;
  r.threads.exclude(r.watchdog.tid());
  r.spooler->add_helper("walkabout-samp", r.sampler->tid());
  if (base::Status s = r.spooler->start(kPassMs); !s.ok()) return s;
  r.threads.exclude(r.spooler->tid());
  return r.sampler->start();
}

void end(Recording& r) {
  const base::Lock lock(r.ending);
  if (r.ended) return;
  r.ended = true;
  if (r.sampler == nullptr) return;
  stop_tracing(r);
  for (const ChosenSource& chosen : r.sources) chosen.source->stop();
  stop_captures(true);
  r.sampler->stop();
  r.watchdog.stop();
  r.images.stop_following();
  for (std::string& sentence : r.sampler->figures().sentences())
    r.spooler->report(wire::Severity::kInfo, std::move(sentence));
  const uint64_t process_cpu_ns = r.threads.stop();
  r.spooler->stop(kTimeoutMs, process_cpu_ns);
}

}  // namespace walkabout::agent
