// How fast `walkabout report` reads a large recording.
//   report_bench generate FILE SAMPLES STACKS [lines]
//     writes a made-up recording of that size; lines: its code has lines and inlined functions
//
//   report_bench measure ROUNDS PROGRAM ARG…
//     runs the program, prints its median wall time and its largest RSS
//
// bench/report.sh runs both.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "recording/writer.h"
#include "wire/encode.h"
#include "wire/inline_tree.h"

extern char** environ;

namespace walkabout::bench {
namespace {

constexpr uint32_t kMethods = 8'000;  // jitted, each called from a few places
constexpr uint32_t kPlaces = 3;
constexpr uint32_t kSymbols = 500;       // of a native library
constexpr uint32_t kDepth = 40;          // frames of a stack
constexpr uint32_t kSharedAtLeast = 28;  // of them with the stack before
constexpr uint32_t kThreads = 32;
constexpr uint32_t kBatch = 250;  // samples of one thread in a record
constexpr uint64_t kIntervalNs = 1'000'000;
constexpr uint32_t kBytesOfStatement = 40;  // of machine code
constexpr uint32_t kStatements = 20;        // of a method
constexpr uint32_t kInlined = 4;            // calls in a method
constexpr uint32_t kDocuments = 811;

class Generator {
 public:
  Generator(recording::Writer& writer, uint64_t samples, uint32_t stacks, bool lines)
      : writer_(writer), samples_(samples), stacks_(stacks), lines_(lines) {}

  base::Status run() {
    emit_session();
    emit_code();
    if (lines_) {
      emit_lines();
      emit_native_lines();
    }
    if (base::Status status = emit_stacks(); !status.ok()) return status;
    if (base::Status status = emit_samples(); !status.ok()) return status;
    wire::encode(wire::End{time_us_}, records_);
    if (base::Status status = flush(); !status.ok()) return status;
    return writer_.finish();
  }

 private:
  base::Status flush() {
    base::Status status = writer_.append_encoded(records_);
    records_.clear();
    return status;
  }

  void emit_session() {
    wire::Session session;
    session.command_line = "dotnet made-up.dll";
    session.runtime = ".NET 10.0.0";
    session.interval_ns = kIntervalNs;
    wire::encode(session, records_);
    for (uint32_t i = 1; i <= kThreads; ++i) {
      wire::encode(
          wire::Thread{base::ThreadId(i), 1000 + i, ".NET TP Worker", "", wire::ThreadKind::kManaged, 0},
          records_);
    }
  }

  // Each method has its statements in a file of its class, and calls whose code is within: of each statement
  // but the first, the last ones within one another.
  void emit_lines() {
    wire::SourceLines source;
    source.assembly = base::AssemblyId(1);
    for (uint32_t i = 0; i < kDocuments; ++i)
      source.documents.push_back({"/src/Product/Class" + std::to_string(i) + ".cs"});
    for (uint32_t i = 1; i <= kMethods; ++i) {
      wire::MethodLines lines;
      lines.token = 0x0600'0000 + i;
      lines.document = {1 + i % kDocuments};
      wire::IlMap map{base::CodeId(2 + i), 0, {wire::kIlProlog}, {0}};
      wire::InlineColumns inlined;
      for (uint32_t k = 0; k < kStatements; ++k) {
        lines.il.push_back(10 * k);
        lines.line.push_back(10 + i / kDocuments * 50 + k);
        lines.light.push_back(k % 4);
        map.il.push_back(wire::kIlFirst + 10 * k);
        map.native.push_back(kBytesOfStatement * k + 10);
      }
      for (uint32_t k = 1; k <= kInlined; ++k) {
        inlined.method.push_back(1 + (i * 7 + k) % kMethods);
        inlined.parent.push_back(k > 2 ? k - 1 : 0);
        inlined.site.push_back(10 * k + 1);
        inlined.native.push_back(kBytesOfStatement * k - 10);
        inlined.node.push_back(k);
        inlined.il.push_back(wire::kIlFirst + 10 * k);
      }
      wire::encode(map, records_);
      wire::encode(wire::inline_tree(base::CodeId(2 + i), inlined), records_);
      source.methods.push_back(std::move(lines));
    }
    wire::encode(source, records_);
  }

  void emit_native_lines() {
    wire::NativeLines native;
    native.module = base::CodeId(1);
    for (uint32_t i = 0; i < kSymbols; ++i) {
      native.documents.push_back({"/src/native/part" + std::to_string(i) + ".cc"});
      native.functions.push_back({"ns::inlined_" + std::to_string(i) + "(int, char const*)", ""});
      for (const uint64_t parent : {uint64_t{0}, uint64_t{2 * i + 1}}) {
        native.function.push_back(1 + i);
        native.parent.push_back(parent);
        native.call_document.push_back(1 + i);
        native.call_line.push_back(20 + parent % 7);
      }
    }
    for (uint32_t at = 0; at < kSymbols * 256; ++at) {
      native.offset.push_back(at);
      native.call.push_back(at % 3 == 0 ? 0 : at / 256 * 2 + at % 3);
      native.document.push_back(1 + at / 256);
      native.line.push_back(10 + at % 256 / 4);
    }
    wire::encode(native, records_);
  }

  void emit_code() {
    if (lines_) wire::encode(wire::Assembly{base::AssemblyId(1), "/app/Product.dll", ""}, records_);
    wire::encode(wire::Module{base::CodeId(1), wire::ModuleKind::kElf, "/lib/libnative.so", "", 0, 0, 0},
                 records_);
    wire::encode(wire::Module{base::CodeId(2), wire::ModuleKind::kElf, "/dotnet/libcoreclr.so", "", 0, 0, 0},
                 records_);
    for (uint32_t i = 1; i <= kMethods; ++i) {
      const std::string type = "Company.Product.Module" + std::to_string(i % 97) + ".Class" +
                               std::to_string(i % 811) + (i % 7 == 0 ? "+<RunAsync>d__5" : "");
      wire::encode(
          wire::Method{base::MethodId(i), type, i % 7 == 0 ? "MoveNext" : "Method" + std::to_string(i),
                       "System.Int32, System.Collections.Generic.List`1<System.String>", "Product.dll", 0, "",
                       lines_ ? 0x0600'0000 + i : 0, base::AssemblyId(lines_ ? 1 : 0)},
          records_);
      wire::encode(wire::JitCode{base::CodeId(2 + i), base::MethodId(i), wire::Tier::kTier1,
                                 0x7000'0000u + i * 4096u, 4000},
                   records_);
    }
    wire::NativeSymbols symbols;
    symbols.module = base::CodeId(1);
    for (uint32_t i = 0; i < kSymbols; ++i)
      symbols.symbols.push_back({i * 256, i * 256 + 256, "native_" + std::to_string(i), "", false});
    wire::encode(symbols, records_);
  }

  wire::Frame any_frame() {
    const uint32_t r = random_();
    if (r % 10 == 0)
      return wire::Frame::in_code(wire::FrameKind::kNative, base::CodeId(1), r / 10 % (kSymbols * 256));
    if (r % 10 == 1) return wire::Frame::in_code(wire::FrameKind::kNative, base::CodeId(2), r / 10 % 100'000);
    return wire::Frame::in_code(wire::FrameKind::kJitted, base::CodeId(3 + r / 10 % kMethods),
                                40 * (1 + r % kPlaces));
  }

  // Each stack shares its root end with the one before, as the stacks of a program do.
  base::Status emit_stacks() {
    std::vector<uint32_t> path;  // node ids, root first
    uint32_t nodes = 0;
    for (uint32_t s = 0; s < stacks_; ++s) {
      const size_t shared = kSharedAtLeast + random_() % (kDepth - kSharedAtLeast);
      path.resize(std::min(path.size(), shared));
      wire::Nodes record;
      const uint32_t first = nodes + 1;
      while (path.size() < kDepth) {
        record.parent.push_back(path.empty() ? 0 : path.back());
        record.frame.push_back(any_frame());
        path.push_back(++nodes);
      }
      leaves_.push_back(path.back());
      wire::encode(record, first, records_);
      if (base::Status status = flush(); !status.ok()) return status;
    }
    return {};
  }

  // Hot stacks are sampled often and in runs, every stack at least once.
  uint32_t any_stack(uint64_t sample) {
    if (sample < leaves_.size()) return leaves_[sample];
    if (random_() % 3 != 0) return last_;
    const uint64_t r = random_() % leaves_.size();
    return leaves_[r * r / leaves_.size()];
  }

  base::Status emit_samples() {
    uint64_t emitted = 0;
    for (uint32_t batch = 0; emitted < samples_; ++batch) {
      wire::Samples record;
      record.thread = base::ThreadId(1 + batch % kThreads);
      uint64_t time = time_us_;
      for (uint32_t i = 0; i < kBatch && emitted < samples_; ++i, ++emitted) {
        const uint64_t weight = kIntervalNs + random_() % 20'000;
        record.time_us.push_back(time += weight / 1000 + random_() % 50);
        record.values.push_back(weight);
        record.stack.emplace_back(last_ = any_stack(emitted));
      }
      wire::encode(record, records_);
      if (batch % kThreads == kThreads - 1) emit_counters(time, emitted);
      if (base::Status status = flush(); !status.ok()) return status;
    }
    emit_counters(time_us_ + 1, emitted);
    return {};
  }

  void emit_counters(uint64_t time, uint64_t emitted) {
    time_us_ = time;
    wire::Counters counters;
    counters.time_us = time;
    counters.attempts = counters.samples = emitted;
    counters.drops.assign(static_cast<size_t>(wire::DropCause::kCount), 0);
    counters.process_cpu_ns = emitted * kIntervalNs;
    wire::encode(counters, records_);
  }

  recording::Writer& writer_;
  const uint64_t samples_;
  const uint32_t stacks_;
  const bool lines_;
  std::string records_;
  std::mt19937 random_{42};
  std::vector<uint32_t> leaves_;
  uint32_t last_ = 0;
  uint64_t time_us_ = 0;
};

int generate(const std::string& path, uint64_t samples, uint32_t stacks, bool lines) {
  base::Result<recording::Writer> writer = recording::Writer::create(path);
  base::Status status = writer.ok() ? Generator(*writer, samples, stacks, lines).run() : writer.status();
  if (!status.ok()) {
    std::fprintf(stderr, "report_bench: %s\n", status.message().c_str());
    return 1;
  }
  std::printf("recording_samples %llu\nrecording_stacks %u\nrecording_bytes_per_sample %.2f\n",
              static_cast<unsigned long long>(samples), stacks,
              static_cast<double>(writer->file_bytes()) / static_cast<double>(samples));
  return 0;
}

struct Cost {
  double wall_seconds = 0;
  double cpu_seconds = 0;
  double rss_mib = 0;
};

// One run of the program with its output thrown away.
bool run_once(char** program, Cost& cost) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const uint64_t begin = base::monotonic_ns();
  const int error = ::posix_spawnp(&pid, program[0], &actions, nullptr, program, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage usage{};
  if (error != 0 || ::wait4(pid, &status, 0, &usage) != pid || status != 0) return false;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  cost.wall_seconds = static_cast<double>(base::monotonic_ns() - begin) / 1e9;
  cost.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.rss_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  return true;
}

int measure(int rounds, char** program) {
  std::vector<Cost> costs(static_cast<size_t>(rounds));
  for (Cost& cost : costs) {
    if (run_once(program, cost)) continue;
    std::fprintf(stderr, "report_bench: %s failed\n", program[0]);
    return 1;
  }
  std::sort(costs.begin(), costs.end(),
            [](const Cost& a, const Cost& b) { return a.wall_seconds < b.wall_seconds; });
  const Cost& median = costs[costs.size() / 2];
  double rss = 0;
  for (const Cost& cost : costs) rss = std::max(rss, cost.rss_mib);
  std::printf("report_wall_seconds %.3f\nreport_cpu_seconds %.3f\nreport_rss_mib %.1f\n", median.wall_seconds,
              median.cpu_seconds, rss);
  return 0;
}

int bench_main(int argc, char** argv) {
  const bool lines = argc == 6 && std::strcmp(argv[5], "lines") == 0;
  if ((argc == 5 || lines) && std::strcmp(argv[1], "generate") == 0) {
    const uint64_t stacks = std::strtoull(argv[4], nullptr, 10);
    if (stacks > 0 && stacks < UINT32_MAX)
      return generate(argv[2], std::strtoull(argv[3], nullptr, 10), static_cast<uint32_t>(stacks), lines);
  }
  if (argc >= 4 && std::strcmp(argv[1], "measure") == 0) {
    if (const int rounds = std::atoi(argv[2]); rounds > 0) return measure(rounds, argv + 3);
  }
  std::fputs("usage: report_bench generate FILE SAMPLES STACKS [lines] | measure ROUNDS PROGRAM ARG…\n",
             stderr);
  return 2;
}

}  // namespace
}  // namespace walkabout::bench

int main(int argc, char** argv) { return walkabout::bench::bench_main(argc, argv); }
