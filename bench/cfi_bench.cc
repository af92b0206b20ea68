// What CFI costs on the native modules of a .NET process: compiling their tables (helper thread), the tables'
// size, and a lookup in the handler, warm (the pcs of one stack, again and again), over all of libcoreclr,
// and interpreted.
//
// `cfi_bench --benchmark_format=json` for scripts. Counters: rows, rules, bytes, modules.
#include <benchmark/benchmark.h>
#include <dirent.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_table.h"
#include "unwind/cfi/cfi_test_image.h"
#include "unwind/rule/cfi_step.h"

namespace walkabout::unwind {
namespace {

using testing::MappedElf;

// The only folder below `folder`, or the last of several: <dotnet>/host/fxr/<version>.
std::string folder_below(const std::string& folder) {
  std::string found;
  DIR* dir = ::opendir(folder.c_str());
  if (dir == nullptr) return found;
  while (const dirent* entry = ::readdir(dir)) {
    std::string path = folder + "/";
    path += entry->d_name;
    if (entry->d_name[0] != '.') found = std::max(found, path);
  }
  ::closedir(dir);
  return found;
}

// What a small .NET program has mapped.
std::vector<std::string> module_paths() {
  std::vector<std::string> paths;
  for (const char* name : {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1",
                           "ld-linux-x86-64.so.2", "libdl.so.2", "libpthread.so.0", "librt.so.1"}) {
    paths.push_back(testing::system_library(name));
  }
  const std::string runtime = testing::dotnet_runtime_folder();
  for (const char* name : {"libcoreclr.so", "libclrjit.so", "libSystem.Native.so", "libhostpolicy.so"}) {
    paths.push_back(runtime + "/" + name);
  }
  const std::string root = runtime.substr(0, runtime.find("/shared/"));
  paths.push_back(root + "/dotnet");
  paths.push_back(folder_below(root + "/host/fxr") + "/libhostfxr.so");
  return paths;
}

struct Modules {
  std::vector<std::unique_ptr<MappedElf>> all;
  const MappedElf* coreclr = nullptr;
  const MappedElf* libc = nullptr;
};

Modules open_modules() {
  Modules modules;
  for (const std::string& path : module_paths()) {
    auto module = std::make_unique<MappedElf>(path);
    if (!module->ok() || module->image().cfi.empty()) {
      std::fprintf(stderr, "cfi_bench: '%s' cannot be read; this bench needs dotnet\n", path.c_str());
      std::exit(1);
    }
    if (path.ends_with("/libcoreclr.so")) modules.coreclr = module.get();
    if (path.ends_with("/libc.so.6")) modules.libc = module.get();
    modules.all.push_back(std::move(module));
  }
  return modules;
}

const Modules& modules() {
  static const Modules opened = open_modules();
  return opened;
}

CfiTable compiled(const MappedElf& module) {
  base::Result<CfiTable> table = CfiTable::compile(module.image().cfi);
  if (!table.ok()) {
    std::fprintf(stderr, "cfi_bench: %s\n", table.message().c_str());
    std::exit(1);
  }
  return std::move(*table);
}

// pcs that have a rule, spread over the code.
std::vector<uint64_t> random_pcs(const MappedElf& module, const CfiTable& table, size_t count) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<uint64_t> offset(0, table.text_size() - 1);
  std::vector<uint64_t> pcs;
  while (pcs.size() < count) {
    const uint64_t pc = module.image().cfi.code[0].address + offset(random);
    if (table.find(pc) != nullptr) pcs.push_back(pc);
  }
  return pcs;
}

void compile_all(benchmark::State& state) {
  size_t rows = 0;
  size_t rules = 0;
  size_t bytes = 0;
  for ([[maybe_unused]] auto _ : state) {
    rows = rules = bytes = 0;
    for (const auto& module : modules().all) {
      const CfiTable table = compiled(*module);
      rows += table.row_count();
      rules += table.rule_count();
      bytes += table.bytes();
    }
  }
  state.counters["modules"] = static_cast<double>(modules().all.size());
  state.counters["rows"] = static_cast<double>(rows);
  state.counters["rules"] = static_cast<double>(rules);
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK(compile_all)->Unit(benchmark::kMillisecond);

void compile_coreclr(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(compiled(*modules().coreclr));
}
BENCHMARK(compile_coreclr)->Unit(benchmark::kMillisecond);

// Arg: how many different pcs; 40 is a stack, 65,536 all of the library.
void lookup(benchmark::State& state) {
  const CfiTable table = compiled(*modules().coreclr);
  const std::vector<uint64_t> pcs =
      random_pcs(*modules().coreclr, table, static_cast<size_t>(state.range(0)));
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(table.find(pcs[i]));
    i = i + 1 == pcs.size() ? 0 : i + 1;
  }
}
BENCHMARK(lookup)->Arg(40)->Arg(1024)->Arg(65536);

// As lookup, but the next pc is known only when the rule is, as in a walk.
void lookup_dependent(benchmark::State& state) {
  const CfiTable table = compiled(*modules().coreclr);
  const std::vector<uint64_t> pcs =
      random_pcs(*modules().coreclr, table, static_cast<size_t>(state.range(0)));
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    const CompactRule* rule = table.find(pcs[i]);
    i = i + 1 == pcs.size() ? 0 : i + (rule->kind() == CompactRule::Kind::kNone ? 0 : 1);
  }
  benchmark::DoNotOptimize(i);
}
BENCHMARK(lookup_dependent)->Arg(40)->Arg(65536);

void interpret(benchmark::State& state) {
  const CfiTable table = compiled(*modules().libc);
  const std::vector<uint64_t> pcs = random_pcs(*modules().libc, table, 40);
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    CfiRule rule;
    benchmark::DoNotOptimize(cfi_interpret(modules().libc->image().cfi, pcs[i], &rule));
    i = i + 1 == pcs.size() ? 0 : i + 1;
  }
}
BENCHMARK(interpret);

// Lookup and step over a chain of frames with rbp and three saved registers, 40 deep; time per frame.
void step(benchmark::State& state) {
  constexpr int64_t kFrame = 64;
  constexpr size_t kDepth = 40;
  CfiRule rule = stack_rule(kFrame);
  int32_t at = -16;
  for (const Reg reg : {kRbp, kRbx, kR12, kR14}) {
    rule.registers[reg] = {.value = at, .kind = RuleKind::kAtCfa};
    at -= 8;
  }
  CompactRule compact;
  if (!CompactRule::plain(rule, &compact)) state.SkipWithError("the rule is not plain");
  std::vector<uint64_t> stack(kDepth * kFrame / sizeof(uint64_t));
  const Memory memory = testing::memory_of(stack.data(), stack.size() * sizeof(uint64_t));
  size_t frames = 0;
  for ([[maybe_unused]] auto _ : state) {
    Registers regs;
    regs.sp() = memory.lo;
    while (cfi_step(compact, regs, memory) == StepStatus::kOk && regs.sp() < memory.hi) ++frames;
    benchmark::DoNotOptimize(regs);
  }
  state.counters["ns_per_frame"] = benchmark::Counter(
      static_cast<double>(frames) / 1e9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(step);

}  // namespace
}  // namespace walkabout::unwind

BENCHMARK_MAIN();
