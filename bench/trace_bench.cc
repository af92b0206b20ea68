// What a traced call costs: a call through a pointer, as jitted code makes it, with and without the probes.
// Native code, one thread; bench/calls.py has it in the program.
#include <benchmark/benchmark.h>

#include <string>

#include "agent/trace/call_tracing.h"
#include "agent/trace/linux/switch_pages.h"
#include "agent/trace/trace_clock.h"
#include "agent/trace/traced_call.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

__attribute__((noinline)) void called(uint64_t method) { benchmark::DoNotOptimize(method); }
void (*volatile g_called)(uint64_t) = called;
uint64_t (*volatile g_enter)(uint64_t) = walkabout_trace_enter;
void (*volatile g_leave)(uint64_t, uint64_t) = walkabout_trace_leave;
void (*volatile g_begin)(uint64_t) = walkabout_trace_begin;
void (*volatile g_end)(uint64_t) = walkabout_trace_end;

struct NoReader : TraceReader {
  base::ThreadId this_thread() override { return base::ThreadId(1); }
  base::ThreadId thread_of(uint64_t) override { return base::ThreadId(1); }
  void on_slow_call(uint64_t) override {}
  void describe(uint32_t, std::span<const uint8_t>, wire::TracedCall*) override {}
};

struct Traced {
  explicit Traced(bool cpu) : tracing(reader, cpu ? &pages : nullptr) {
    if (!tracing.begin({}, base::monotonic_ns()).ok()) std::abort();
    g_leave(g_enter(0), kTraceReturned);
    std::string records;
    tracing.emit(1, false, &records);  // gives the thread its count of switches
  }
  NoReader reader;
  DescriptorHost host;
  SwitchPages pages{host};
  CallTracing tracing;
};

void clock_twice(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(trace_ticks());
    benchmark::DoNotOptimize(trace_ticks());
  }
}

void plain_call(benchmark::State& state) {
  for (auto _ : state) g_called(1);
}

// range(0): CPU times too; range(1): so many methods by turns.
void traced_call(benchmark::State& state) {
  const Traced traced(state.range(0) != 0);
  const auto methods = static_cast<uint64_t>(state.range(1));
  uint64_t method = 0;
  for (auto _ : state) {
    method = method + 1 < methods ? method + 1 : 0;
    const uint64_t token = g_enter(method);
    g_called(method);
    g_leave(token, kTraceReturned);
  }
}

void hooked_call(benchmark::State& state) {
  const Traced traced(state.range(0) != 0);
  for (auto _ : state) {
    g_begin(1);
    g_called(1);
    g_end(1);
  }
}

void behind_the_end(benchmark::State& state) {
  for (auto _ : state) {
    const uint64_t token = g_enter(1);
    g_called(1);
    g_leave(token, kTraceReturned);
  }
}

BENCHMARK(clock_twice);
BENCHMARK(plain_call);
BENCHMARK(traced_call)->Args({0, 1})->Args({1, 1})->Args({1, 3})->Args({1, 50})->Args({1, 5000});
BENCHMARK(hooked_call)->Arg(1);
BENCHMARK(behind_the_end);

}  // namespace
}  // namespace walkabout::agent

BENCHMARK_MAIN();
