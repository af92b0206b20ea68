// What the agent holds while it records more distinct stacks than a service makes in a day: the agent's own
// rings, spooler and stream, fed by threads that write samples as handlers do, as fast as they are taken.
//   memory_bench STACKS
// The collector is started as for a program whose environment asks for it: WALKABOUT_CLI, WALKABOUT_OUTPUT.
// bench/memory.py runs this and reads the recording.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "agent/core/fake_managed_code.h"
#include "agent/core/spooler.h"
#include "agent/linux/session/collector_process.h"
#include "agent/linux/session/tick_world.h"
#include "base/clock.h"
#include "clr/abi/null_info.h"
#include "wire/limits.h"
#include "wire/ring_size.h"

namespace walkabout::bench {
namespace {

using agent::testing::FakeManagedCode;

constexpr uint64_t kNoTicks = uint64_t{1000} * 1'000'000'000;
constexpr uint64_t kIntervalNs = wire::kMinIntervalNs;
constexpr unsigned kThreads = 2;
constexpr uint32_t kFunctions = 64;
constexpr uint32_t kPlaces = 4;             // of a function that calls are made from
constexpr uint32_t kLeast = 8, kMost = 48;  // frames of a stack
constexpr unsigned kRoomUs = 200;           // until there may be room in a ring

// Functions with names of their own, as the runtime announces them.
class Program {
 public:
  explicit Program(agent::CodeRegistry& registry) {
    for (uint32_t i = 0; i < kFunctions; ++i) {
      code_.push_back(std::make_unique<FakeManagedCode>());
      const std::string name = "Function" + std::to_string(i);
      std::vector<uint8_t> utf16;
      for (const char c : name) utf16.insert(utf16.end(), {static_cast<uint8_t>(c), 0});
      clr::MethodLoad event = code_.back()->event(0x1000 + i);
      event.dynamic = true;
      event.name = {utf16};
      registry.jitted(event);
      const unwind::ReaderGate::Reader inside(registry.gate());
      ids_.emplace_back(registry.jitted().find(code_.back()->start())->code.load());
    }
  }
  wire::Frame any_frame(uint32_t random) const {
    return wire::Frame::in_code(wire::FrameKind::kJitted, ids_[random % kFunctions],
                                1 + random / kFunctions % kPlaces);
  }

 private:
  std::vector<std::unique_ptr<FakeManagedCode>> code_;
  std::vector<base::CodeId> ids_;
};

// A recursion in random order: between two samples some frames return and others are called.
class Stack {
 public:
  Stack(const Program& program, uint32_t seed) : program_(program), random_(seed) {}
  const std::vector<wire::Frame>& next() {
    const size_t gone = 1 + random_() % 6;
    frames_.resize(frames_.size() > gone + kLeast ? frames_.size() - gone : kLeast);
    for (wire::Frame& frame : frames_) {
      if (frame.bits == 0) frame = program_.any_frame(random_());
    }
    const size_t called = std::min<size_t>(1 + random_() % 6, kMost - frames_.size());
    for (size_t i = 0; i < std::max<size_t>(called, 1); ++i) frames_.push_back(program_.any_frame(random_()));
    return frames_;
  }

 private:
  const Program& program_;
  std::mt19937 random_;
  std::vector<wire::Frame> frames_;  // root end first
};

// As the handler writes it, but what has no room waits for it.
void write_sample(wire::SlotHeader* shared, const std::vector<wire::Frame>& frames) {
  const auto size = static_cast<uint32_t>(sizeof(wire::RawSample) + frames.size() * sizeof(wire::Frame));
  wire::Producer producer(shared);
  uint8_t* room = nullptr;
  while ((room = producer.begin(size)) == nullptr) ::usleep(kRoomUs);
  auto* sample = new (room) wire::RawSample;
  sample->size = size;
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->time_ns = base::monotonic_ns();
  sample->value = kIntervalNs;
  sample->frames = static_cast<uint32_t>(frames.size());
  sample->index = static_cast<uint32_t>(shared->cpu().samples.load());
  std::copy(frames.rbegin(), frames.rend(), reinterpret_cast<wire::Frame*>(sample + 1));
  shared->cpu().attempts += 1;
  shared->cpu().samples += 1;
  shared->ticks().frames += frames.size();
  producer.commit(size);
}

double status_mib(const char* name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name, 0) == 0)
      return std::strtod(line.c_str() + std::string(name).size() + 1, nullptr) / 1024;
  }
  return 0;
}

bool record(uint64_t stacks) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  agent::testing::TickWorld world(agent::testing::engines().front(),
                                  wire::ring_size(kIntervalNs, wire::kUsualDepth, false), kNoTicks);
  base::Result<base::Fd> socket = agent::start_collector(agent::collector_path(variable("WALKABOUT_CLI")));
  agent::StreamOut out(world.host);
  bool wanted = false;
  base::Status status =
      socket.ok() ? out.handshake_with_own(std::move(*socket), world.rings.fd(), &wanted) : socket.status();
  if (!status.ok() || !wanted) {
    std::fprintf(stderr, "memory_bench: no collector: %s\n", status.message().c_str());
    return false;
  }
  const Program program(world.registry);
  clr::NullICorProfilerInfo15 info;
  wire::Session session;
  session.pid = static_cast<uint32_t>(::getpid());
  session.command_line = "memory_bench";
  session.interval_ns = kIntervalNs;
  session.monotonic_start_ns = base::monotonic_ns();
  session.wall_start_ns = base::wall_ns();
  agent::Spooler spooler({world.registry, world.threads, out, &info}, session, {});
  spooler.begin_counting();
  if (!spooler.start(wire::pass_ms(kIntervalNs)).ok()) return false;
  world.threads.exclude(spooler.tid());
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak is counted from here
  std::printf("memory_agent_before_mib %.1f\n", status_mib("VmRSS:"));
  std::vector<std::thread> threads;
  const uint64_t begin = base::monotonic_ns();
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      wire::SlotHeader* shared = world.arm_self().shared;
      Stack stack(program, t + 1);
      for (uint64_t i = stacks / kThreads; i > 0; --i) write_sample(shared, stack.next());
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("memory_agent_seconds %.1f\n", static_cast<double>(base::monotonic_ns() - begin) / 1e9);
  std::printf("memory_agent_after_mib %.1f\nmemory_agent_peak_mib %.1f\n", status_mib("VmRSS:"),
              status_mib("VmHWM:"));
  return spooler.stop(60'000, world.threads.stop());
}

}  // namespace
}  // namespace walkabout::bench

int main(int argc, char** argv) {
  const uint64_t stacks = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (stacks == 0) {
    std::fputs("usage: memory_bench STACKS\n", stderr);
    return 2;
  }
  return walkabout::bench::record(stacks) ? 0 : 1;
}
