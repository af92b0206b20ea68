// What unwind::walk costs on a real, deep native stack of this process, warm: with a memo (as the handler
// walks), without one, and libunwind's unw_backtrace beside it. The stack is a recursion through libc's
// qsort.
//
// Counters: ns_per_frame and frames of each. bench/walk.py prints them as figures.
#define UNW_LOCAL_ONLY
#include <benchmark/benchmark.h>
#include <libunwind.h>
#include <link.h>
#include <pthread.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "agent/linux/handler/self_memory.h"
#include "unwind/cfi/elf_image.h"
#include "unwind/machine/signal_context_x64.h"
#include "unwind/walk/walker.h"

namespace walkabout::unwind {
namespace {

constexpr int kCapacity = 256;
constexpr size_t kWantedFrames = 40;

// The modules of this process with compiled CFI, as the agent keeps those of its process.
class OwnCode {
 public:
  OwnCode() {
    ::dl_iterate_phdr(add_module, this);
    code_.images = &images_;
    code_.jitted = &jitted_;
  }
  const CodeMap& map() const { return code_; }
  ReaderGate& gate() { return gate_; }

 private:
  static int add_module(dl_phdr_info* info, size_t, void* data) {
    Memory memory;
    memory.slow = agent::read_self;
    ElfImage elf;
    const LoadedElf loaded{info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}};
    if (!read_elf_image(loaded, memory, &elf) || elf.code_count == 0) return 0;
    static_cast<OwnCode*>(data)->add(elf);
    return 0;
  }

  void add(const ElfImage& elf) {
    Image* image = images_.make();
    image->code = base::CodeId{++last_code_};
    image->begin = elf.code[0].begin;
    image->end = elf.code[elf.code_count - 1].end;
    image->base = elf.bias;
    image->cfi = elf.cfi;
    if (base::Result<CfiTable> table = CfiTable::compile(elf.cfi); table.ok()) {
      image->table.store(new CfiTable(std::move(*table)));  // lives as long as the process
    }
    images_.publish(image);
  }

  ReaderGate gate_;
  ImageMap images_{gate_};
  JitMap jitted_{gate_};
  CodeMap code_;
  uint32_t last_code_ = 0;
};

OwnCode& own_code() {
  static OwnCode code;
  return code;
}

Memory stack_above(uint64_t sp) {
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  ::pthread_getattr_np(::pthread_self(), &attributes);
  ::pthread_attr_getstack(&attributes, &low, &size);
  ::pthread_attr_destroy(&attributes);
  Memory memory;
  memory.lo = sp;
  memory.hi = reinterpret_cast<uint64_t>(low) + size;
  return memory;
}

void report(benchmark::State& state, double frames) {
  state.counters["frames"] = frames;
  state.counters["ns_per_frame"] = benchmark::Counter(
      frames * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// Calls `work` below at least kWantedFrames frames, most of them of a recursion through qsort.
using Work = void (*)(benchmark::State& state);
struct Descent {
  Work work = nullptr;
  benchmark::State* state = nullptr;
  bool arrived = false;
};
thread_local Descent t_descent;

[[gnu::noinline]] void descend() {
  void* frames[kCapacity];
  if (unw_backtrace(frames, kCapacity) >= static_cast<int>(kWantedFrames)) {
    t_descent.arrived = true;
    t_descent.work(*t_descent.state);
    return;
  }
  int pair[2] = {1, 2};
  std::qsort(pair, 2, sizeof(int), [](const void*, const void*) {
    if (!t_descent.arrived) descend();
    return 0;
  });
}

void at_depth(benchmark::State& state, Work work) {
  t_descent = {work, &state, false};
  descend();
}

// The registers stay those of this frame: the stack above it does not change while it walks.
void walk_with(benchmark::State& state, WalkMemo* memo) {
  ucontext_t here;
  ::getcontext(&here);
  const Registers leaf = registers_of(here);
  const Memory memory = stack_above(leaf.sp());
  wire::Frame frames[kCapacity];
  uint64_t count = 0;
  for ([[maybe_unused]] auto _ : state) {  // NOLINT(clang-analyzer-deadcode.DeadStores)
    const ReaderGate::Reader inside(own_code().gate());
    FrameSink sink(frames, kCapacity);
    const WalkOutcome outcome = walk(leaf, memory, own_code().map(), sink, memo);
    if (outcome.end != wire::WalkEnd::kRooted)
      return state.SkipWithError("the walk did not reach the thread's entry");
    count = sink.total();
    benchmark::DoNotOptimize(frames);
  }
  report(state, static_cast<double>(count));
}

void walk_memo(benchmark::State& state) {
  at_depth(state, [](benchmark::State& s) {
    const MappedMemo memo = map_memo();
    walk_with(s, memo.get());
  });
}
BENCHMARK(walk_memo);

void walk_no_memo(benchmark::State& state) {
  at_depth(state, [](benchmark::State& s) { walk_with(s, nullptr); });
}
BENCHMARK(walk_no_memo);

void libunwind_backtrace(benchmark::State& state) {
  at_depth(state, [](benchmark::State& s) {
    void* frames[kCapacity];
    int count = 0;
    for (auto _ : s) {
      count = unw_backtrace(frames, kCapacity);
      benchmark::DoNotOptimize(frames);
    }
    report(s, count);
  });
}
BENCHMARK(libunwind_backtrace);

}  // namespace
}  // namespace walkabout::unwind

BENCHMARK_MAIN();
