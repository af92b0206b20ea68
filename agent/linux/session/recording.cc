#include "agent/linux/session/recording.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "agent/linux/calls/count_probe.h"
#include "agent/linux/calls/counted_call.h"
#include "agent/linux/calls/trace_probe.h"
#include "agent/linux/handler/handler.h"
#include "agent/linux/handler/tick_signal.h"
#include "agent/linux/own_stack.h"
#include "agent/linux/proc_self.h"
#include "agent/linux/session/ancestors.h"
#include "agent/linux/session/collector_process.h"
#include "agent/linux/session/oracle.h"
#include "agent/linux/session/shadow_oracle.h"
#include "agent/shared/agent_version.h"
#include "agent/shared/tsc_rate.h"
#include "base/clock.h"
#include "wire/encode.h"
#include "wire/ring_size.h"

namespace walkabout::agent {
namespace {

constexpr char kLibraryName[] = "libwalkabout.so";
constexpr uint32_t kTimeoutMs = 3000;
constexpr uint32_t kContainerTimeoutMs = 20'000;  // the collector reads symbols before it is done

bool samples_cpu(const Options& o) { return wire::is_on(o.events, wire::kCpuSource); }

wire::Session describe(const Options& o, const EngineChoice& engine, const std::string& runtime) {
  wire::Session s;
  s.pid = static_cast<uint32_t>(::getpid());
  s.command_line = command_line();
  s.runtime = runtime;
  utsname system{};
  if (::uname(&system) == 0) {
    s.os = std::string(system.sysname) + " " + system.release + " " + system.machine;
    s.host = system.nodename;
  }
  s.wall_start_ns = base::wall_ns();
  s.monotonic_start_ns = base::monotonic_ns();
  s.interval_ns = o.interval_ns;
  s.engine = engine.engine;
  s.kernel_ticks = engine.kernel_ticks;
  s.oracle = o.oracle;
  s.depth = o.depth;
  s.agent_version = kVersion;
  return s;
}

// Where the first process of a container ends, the kernel ends all others, a collector too.
bool ends_the_container() { return ::getpid() == 1; }

// Nobody started us but the environment. As with `run`, processes below one that is profiled are not, if not
// asked.
base::Status open_own_collector(Recording& r) {
  r.wanted = r.options.children || !an_ancestor_has(kLibraryName);
  if (!r.wanted) return {};
  base::Result<base::Fd> socket = start_collector(collector_path(r.options.cli));
  if (!socket.ok()) return socket.status();
  return r.out.handshake_with_own(std::move(*socket), r.rings.fd(), &r.wanted);
}

base::Status open_output(Recording& r) {
  if (!r.options.socket.empty()) return r.out.connect(r.options.socket, r.rings.fd(), &r.wanted);
  if (!r.options.output.empty()) return open_own_collector(r);
  return r.out.create(r.options.stream);
}

// .NET 10 leaves the field as it finds it.
bool has_call_sites(uint32_t runtime_version) { return runtime_version != 0 && runtime_version < 10; }

uint32_t ring_size(const Options& options) {
  return wire::ring_size(options.interval_ns, options.depth, options.oracle);
}

// What needs descriptors. REQUIRES: inside work of the host, which nobody else needs yet.
base::Status open_all(Recording& r, const std::string& runtime, EngineChoice* engine,
                      wire::Session* session) {
  if (samples_cpu(r.options)) {
    base::Result<EngineChoice> chosen = choose_engine(r.options.engine, r.options.interval_ns);
    if (!chosen.ok()) return chosen.status();
    *engine = std::move(*chosen);
  }
  *session = describe(r.options, *engine, runtime);
  session->attached = r.attached;
  if (base::Status s = r.rings.map(ring_size(r.options), session->monotonic_start_ns); !s.ok()) return s;
  r.registry.note_in(r.rings);
  return open_output(r);
}

bool takes_snapshots(const Options& o) { return wire::is_on(o.events, wire::kAsyncRow.id); }

// A look in so long a time as there may be at most is meant to be the only one.
bool looks_often(const Options& o) {
  return std::any_of(o.events.begin(), o.events.end(), [](const wire::SourceChoice& choice) {
    return choice.id == wire::kAsyncRow.id && choice.period_ns < wire::kAsyncRow.most_ns;
  });
}

void prepare_async(Recording& r) {
  if (!r.options.async && !takes_snapshots(r.options)) return;
  r.async = std::make_unique<AsyncStacks>(r.registry, r.info, r.attached);
  // After an attach the objects of the heap tell what classes there are, for the stacks of samples too.
  if (takes_snapshots(r.options) || r.attached)
    r.async->pending = std::make_unique<PendingSnapshots>(
        PendingSnapshots::Parts{r.info, r.async->learner, r.async->collections, r.attached,
                                r.options.max_pause_ns, looks_often(r.options)});
}

// What is called in the chosen methods' probes.
base::Status prepare_probe(Recording& r, uint64_t monotonic_start_ns) {
  if (r.options.trace.empty()) {
    r.call_counters = std::make_unique<CallCounters>(r.rings);
    if (base::Status s = r.call_counters->begin(); !s.ok()) return s;
    if (r.options.count_by_caller) r.callers = std::make_unique<CallerCounts>();
    r.probe = std::make_unique<CountProbe>(
        *r.call_counters, r.callers != nullptr ? walkabout_count_call_by_caller : walkabout_count_call);
    return {};
  }
  r.traced = std::make_unique<TracedCalls>(r.sources, r.host);
  if (base::Status s = r.traced->begin(r.options, r.info, monotonic_start_ns); !s.ok()) return s;
  r.probe = std::make_unique<TraceProbe>(r.info, r.traced->tracing(), r.traced->values(), monotonic_start_ns);
  return {};
}

base::Status prepare_calls(Recording& r, uint64_t monotonic_start_ns) {
  if (r.hooked != nullptr) {
    r.traced = std::make_unique<TracedCalls>(r.sources, r.host);
    return r.hooked->begin(r.options, monotonic_start_ns, *r.traced);
  }
  const std::vector<wire::MethodPattern>& patterns =
      r.options.trace.empty() ? r.options.count : r.options.trace;
  if (patterns.empty()) return {};
  CodePort* const port = code_port();
  if (port == nullptr)
    return base::Status::error(
        "another profiler has the runtime's main slot, and the runtime lets that one alone change methods");
  if (base::Status s = prepare_probe(r, monotonic_start_ns); !s.ok()) return s;
  r.calls = std::make_unique<MethodProbing>(MethodProbing::Parts{*port, *r.probe, r.info}, patterns,
                                            r.options.count_all);
  return {};
}

// Where the frames of callers are declared. One that the runtime has still to report waits for that.
class CallerCode final : public CallerCounts::Declare {
 public:
  explicit CallerCode(const Spooler::Pass& pass) : pass_(pass) {}
  wire::Frame declare(wire::Frame caller) override {
    const wire::Frame frame = pass_.code.resolve(caller, false);
    if (!pass_.last && caller.kind() == wire::FrameKind::kUnreported && frame == caller.as_unnamed())
      return {};
    pass_.code.declare(frame, false, &pass_.records);
    return frame;
  }

 private:
  const Spooler::Pass& pass_;
};

// Callers are read first, so that no method has more of them than calls, and written behind their methods.
void emit_calls(Recording& r, const Spooler::Pass& pass) {
  const uint64_t time_us = pass.us(pass.now_ns);
  CallerCode code(pass);
  std::optional<wire::CallerCounts> callers;
  if (r.callers != nullptr) callers = r.callers->take(time_us, code);
  r.calls->emit(time_us, &pass.records);
  if (callers) wire::encode(*callers, pass.records);
}

void look_at_heap(Recording& r, uint64_t now_ns) {
  AsyncStacks& async = *r.async;
  async.heap.refresh();
  bool rests = false;
  if (async.collections.is_unknown()) r.host.call([&] { rests = async.background.look(now_ns); });
  if (rests) async.collections.none_seen();
}

}  // namespace

base::Status prepare(Recording& r, clr::ICorProfilerInfo12* info, const std::string& runtime) {
  r.info = info;
  if (base::Status s = RingMemory::leaves_room(ring_size(r.options),
                                               r.options.count.empty() ? 0 : wire::kCallCountersSize);
      !s.ok())
    return s;
  const bool starts_collector = r.options.socket.empty() && !r.options.output.empty();
  if (base::Status s = r.host.start(starts_collector ? DescriptorHost::StandardError::kKept
                                                     : DescriptorHost::StandardError::kDropped);
      !s.ok())
    return s;
  EngineChoice engine;
  wire::Session session;
  base::Status opened = r.host.try_call([&] { return open_all(r, runtime, &engine, &session); });
  r.host.drop_standard_error();
  if (!opened.ok() || !r.wanted) return opened;
  if (base::Status s = prepare_calls(r, session.monotonic_start_ns); !s.ok()) return s;
  const bool ticks = samples_cpu(r.options);
  const base::Result<TickSignal> signal =
      ticks ? install_tick_handler() : base::Result<TickSignal>(TickSignal{});
  if (!signal.ok()) return signal.status();
  r.threads = std::make_unique<ThreadTable>(
      r.host, r.rings,
      ThreadTable::Clocking{engine.engine, engine.kernel_ticks, r.options.interval_ns, signal->number,
                            engine.may_use_timers, false});
  if (r.traced != nullptr) r.traced->know_threads(*r.threads);
  HandlerSetup setup;
  setup.code = {&r.registry.images(), &r.registry.jitted(), find_new_module, &r.registry.generation()};
  setup.unreported_until_ns = &r.registry.unreported_until_ns();
  setup.collecting = &r.collecting;
  setup.depth = r.options.depth;
  setup.interval_ns = r.options.interval_ns;
  if (r.options.shadow_oracle)
    setup.oracle = prepare_shadow_oracle();
  else if (r.options.oracle)
    setup.oracle = prepare_oracle(info);
  prepare_async(r);
  setup.async = r.options.async ? &r.async->setup : nullptr;
  setup.tsc_per_ms = measure_tsc_per_ms();
  setup.own_image = true;
  setup.clock_owner = {::getpid(), r.host.tid(), DescriptorHost::wake_signal()};
  r.host.set_wake_callback(set_wanted_intervals);
  set_handler(setup);
  r.images.refresh_native();
  const std::vector<wire::Source> sources = declared_in(r.sources, r.options.interval_ns);
  std::string no_sums;
  Tally* const tally = keep_in(r.rings, sources, r.texts, r.tally, &no_sums);
  r.spooler =
      std::make_unique<Spooler>(Spooler::Parts{r.registry, *r.threads, r.out, info, &r.callbacks, &r.texts,
                                               tally, r.async != nullptr ? &r.async->learner : nullptr,
                                               r.async != nullptr ? &r.async->owed : nullptr,
                                               r.async != nullptr ? r.async->pending.get() : nullptr},
                                session,
                                Spooler::Options{r.options.every_ns,
                                                 r.options.budget_ppm,
                                                 StackTree::kMostNodes,
                                                 sources,
                                                 {r.options.lines, has_call_sites(r.runtime_version)}});
  if (r.async != nullptr)
    r.spooler->each_pass([&r](const Spooler::Pass& pass) { look_at_heap(r, pass.now_ns); });
  if (r.callers != nullptr) r.callers->begin(setup.code);
  if (r.calls != nullptr) r.spooler->each_pass([&r](const Spooler::Pass& pass) { emit_calls(r, pass); });
  if (r.hooked != nullptr)
    r.spooler->each_pass(
        [&r](const Spooler::Pass& pass) { r.hooked->emit(pass.us(pass.now_ns), &pass.records); });
  for (const std::string& note : {engine.note, signal->note, r.host.note(), no_sums}) {
    if (!note.empty()) r.spooler->report(wire::Severity::kWarning, note);
  }
  r.sampler = std::make_unique<Sampler>(
      Sampler::Parts{*r.threads, r.images, *r.spooler, r.host, signal->number,
                     ticks && engine.engine == wire::Engine::kPerf && engine.kernel_ticks});
  return {};
}

base::Status begin_sampling(Recording& r) {
  const base::Lock lock(r.ending);
  if (r.ended) return {};  // the collector has changed its mind
  r.threads->exclude(r.host.tid());
  if (r.watch != nullptr) r.threads->exclude(r.watch->tid());
  r.spooler->add_helper("walkabout-samp", r.sampler->tid());
  r.spooler->add_helper("walkabout-fds", r.host.tid());
  if (r.calls != nullptr) r.spooler->add_helper("walkabout-count", r.count_tid);
  const SourceContext context{*r.threads, *r.spooler, r.collecting,      r.texts,
                              r.tally,    r.info,     r.runtime_version, 0};
  if (base::Status s = start_sources(r.sources, context); !s.ok()) return s;
  std::vector<pid_t> threads;
  r.host.call([&threads] { threads = thread_ids(); });
  // Before the sampler looks for threads it does not know: it takes them for new ones, all of whose CPU time
  // is ours.
  r.spooler->begin_counting();
  r.sampling.store(true);
  r.threads->arm_present(threads);
  measure_own_stack(*r.threads);
  if (base::Status s = r.spooler->start(wire::pass_ms(r.options.interval_ns)); !s.ok()) return s;
  r.threads->exclude(r.spooler->tid());
  return r.host.try_call([&r] { return r.sampler->start(); });
}

void end(Recording& r, bool process_ends) {
  const base::Lock lock(r.ending);
  if (r.ended) return;
  r.ended = true;
  if (r.calls != nullptr) r.calls->stop(process_ends);
  if (r.hooked != nullptr) r.hooked->stop();
  for (const ChosenSource& chosen : r.sources) chosen.source->stop();
  if (r.async != nullptr && r.async->pending != nullptr) r.async->pending->stop();
  stop_handler();
  r.sampler->stop();
  const uint64_t process_cpu_ns = r.threads->stop();
  for (std::string& shortcoming : r.threads->shortcomings())
    r.spooler->report(wire::Severity::kWarning, std::move(shortcoming));
  if (std::string note = r.threads->timers_note(); !note.empty())
    r.spooler->report(wire::Severity::kInfo, std::move(note));
  const bool waits = process_ends && ends_the_container() && r.out.collector_is_near();
  if (waits) r.out.wait_at_close();
  r.left_hanging = !r.spooler->stop(waits ? kContainerTimeoutMs : kTimeoutMs, process_cpu_ns);
}

bool dismantle(Recording& r) {
  if (r.callers != nullptr) r.callers->end();
  if (r.sampler != nullptr && r.sampler->signal() != 0) remove_tick_handler(r.sampler->signal());
  const base::Lock lock(r.ending);
  if (!r.left_hanging && r.threads->abandon(kTimeoutMs)) return true;
  r.watch.reset();
  if (!r.left_hanging) r.out.let_go();  // the collector need not wait
  return false;
}

}  // namespace walkabout::agent
