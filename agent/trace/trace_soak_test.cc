#include <cstdlib>
#include <thread>

#include "agent/trace/test_traces.h"

namespace walkabout::agent::testing {
namespace {

using TraceSoakTest = TracingTest;
using Known = std::map<std::string, std::pair<uint64_t, uint64_t>>;  // calls, exceptions, by path

// A program that knows what it calls.
struct Caller {
  explicit Caller(uint64_t seed) : random(seed) {}

  uint64_t next() {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return random >> 33;
  }
  // Throws sometimes: the calls above the one that catches end by it.
  void call(uint64_t method, int depth, const std::string& above) {
    const std::string path = above.empty() ? std::to_string(method) : above + "/" + std::to_string(method);
    Guard guard(*this, method, path);
    left -= 1;
    const uint64_t callees = depth < 6 ? next() % 4 : 0;
    for (uint64_t i = 0; i < callees && left > 0; ++i) {
      if (next() % 16 == 0) {
        try {
          call(next() % 4, depth + 1, path);
        } catch (int) {
        }
      } else {
        call(next() % 3 == 0 ? method : next() % 4, depth + 1, path);
      }
    }
    if (depth > 0 && next() % 50 == 0) throw 1;
    guard.returned = true;
  }
  struct Guard {
    Guard(Caller& caller, uint64_t method, const std::string& path)
        : known(caller.known[path]), token(walkabout_trace_enter(method)) {}
    ~Guard() {
      walkabout_trace_leave(token, returned ? kTraceReturned : kTraceException);
      known.first += 1;
      known.second += returned ? 0 : 1;
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    std::pair<uint64_t, uint64_t>& known;
    const uint64_t token;
    bool returned = false;
  };
  void run(int64_t calls) {
    for (left = calls; left > 0;) {
      try {
        call(next() % 4, 0, "");
      } catch (int) {
      }
    }
  }

  uint64_t random;
  int64_t left = 0;
  Known known;
};

// WALKABOUT_SOAK_CALLS: how many calls, else 200,000.
TEST_F(TraceSoakTest, TheTreeIsWhatEightThreadsCalled) {
  const char* wanted = std::getenv("WALKABOUT_SOAK_CALLS");
  const int64_t calls = wanted != nullptr ? std::atoll(wanted) : 200'000;
  constexpr int kThreads = 8, kRounds = 5;
  begin();
  Known known;
  std::mutex mutex;
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < kRounds; ++round)
        std::thread([&] {
          Caller caller(static_cast<uint64_t>(i * kRounds + round + 1));
          caller.run(calls / kThreads / kRounds);
          const std::lock_guard lock(mutex);
          for (const auto& [path, counts] : caller.known) {
            known[path].first += counts.first;
            known[path].second += counts.second;
          }
        }).join();
      running.fetch_sub(1);
    });
  while (running.load() != 0) {
    emit();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  for (std::thread& thread : threads) thread.join();
  end();
  Known traced;
  for (const auto& [path, times] : trace.by_path())
    if (times.calls != 0) traced[path] = {times.calls, times.exceptions};
  EXPECT_EQ(traced.size(), known.size());
  EXPECT_TRUE(traced == known);
  EXPECT_EQ(trace.unmatched() + trace.too_deep() + trace.no_room(), 0u);
  std::map<uint64_t, uint64_t> calls_of_node;
  for (const auto& [key, times] : trace.times) calls_of_node[key.first] += times.calls;
  for (const auto& [node, buckets] : trace.spread) {
    uint64_t sum = 0;
    for (const auto& [bucket, n] : buckets) sum += n;
    ASSERT_EQ(sum, calls_of_node[node]);
  }
}

}  // namespace
}  // namespace walkabout::agent::testing
