// Rules 7 and 8 of the profiling API (docs/accuracy.md has the list): what the CLR is given as a seed, and
// what becomes of its refusals. Real ticks, a fake CLR.
#include "agent/linux/session/oracle.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <vector>

#include "agent/core/fake_managed_code.h"
#include "agent/linux/session/tick_world.h"
#include "clr/abi/context_x64.h"
#include "clr/abi/hresults.h"
#include "clr/abi/null_info.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

using namespace testing;  // the world's spelling

// Asked in the handler: no lock, no allocation.
struct SnapshotRuntime : clr::NullICorProfilerInfo15 {
  const FakeManagedCode& code;
  const clr::HRESULT answer;
  uint16_t major = 10;
  std::atomic<uint32_t> calls{0}, native_seeds{0}, other_threads{0};
  SnapshotRuntime(const FakeManagedCode& c, clr::HRESULT a) : code(c), answer(a) {}

  clr::HRESULT GetRuntimeInformation(uint16_t*, clr::COR_PRF_RUNTIME_TYPE*, uint16_t* version, uint16_t*,
                                     uint16_t*, uint16_t*, uint32_t, uint32_t*, clr::WCHAR*) override {
    *version = major;
    return clr::S_OK;
  }
  clr::HRESULT DoStackSnapshot(clr::ThreadID thread, clr::StackSnapshotCallback*, uint32_t, void*,
                               uint8_t* context, uint32_t) override {
    ++calls;
    if (thread != 0) ++other_threads;
    if (!code.contains(reinterpret_cast<const clr::ContextX64*>(context)->Rip)) ++native_seeds;
    return answer;
  }
};

void burn_a_little(void*) { burn_ns(300'000); }

// In the dynamic loader's code, but for little.
void look_up_a_little(void*) {
  const uint64_t end = base::thread_cpu_ns() + 300'000;
  while (base::thread_cpu_ns() < end) {
    for (int i = 0; i < 50; ++i) static_cast<void>(::dlsym(RTLD_DEFAULT, "there_is_no_such_function"));
  }
}

struct Sampled {
  uint32_t requested = 0, requested_first = 0, without_seed = 0;
  std::vector<uint32_t> hresults;

  uint32_t with(uint32_t hresult) const {
    return static_cast<uint32_t>(std::count(hresults.begin(), hresults.end(), hresult));
  }
};

constexpr int kMostRounds = 2'000;

// Ticks in native code, in managed code and in native code that managed code called: some of each, and of
// those with the HRESULT that is sought.
Sampled sample(SnapshotRuntime& runtime, const FakeManagedCode& code, const EngineChoice& engine,
               void (*called)(void*) = burn_a_little, std::optional<uint32_t> sought = {}) {
  Sampled sampled;
  TickWorld world(engine, 1 << 20, 100'000, prepare_oracle(&runtime));
  world.registry.jitted(code.event(1));
  std::thread([&] {
    const ThreadSlot& slot = world.arm_self();
    wire::Consumer ring(slot.shared, world.rings.ring_size());
    const auto all_met = [&] {
      return sampled.requested > 5 && sampled.requested_first > 5 && sampled.without_seed > 5 &&
             (!sought || sampled.with(*sought) > 5);
    };
    for (int round = 0; round < kMostRounds && !all_met(); ++round) {
      burn_ns(300'000);
      code.run(called, nullptr, 30'000);
      while (const wire::RawSample* s = ring.next()) {
        const auto state = static_cast<wire::OracleState>(s->oracle);
        sampled.requested += state == wire::OracleState::kRequested;
        sampled.requested_first += state == wire::OracleState::kRequestedFirst;
        sampled.without_seed += state == wire::OracleState::kNoSeed;
        if (state != wire::OracleState::kNoSeed) sampled.hresults.push_back(s->hresult);
        ring.release();
      }
    }
    world.threads.stop();
    for (const wire::RawSample* s; (s = ring.next()) != nullptr; ring.release()) {
      if (static_cast<wire::OracleState>(s->oracle) != wire::OracleState::kNoSeed)
        sampled.hresults.push_back(s->hresult);
    }
  }).join();
  return sampled;
}

// Rule 7. Broken by leaving managed() out of the handler's clr_goes_first(): native seeds at once.
TEST(OracleRules, EverySeedIsCodeThatTheMapKnowsAsManaged) {
  for (const EngineChoice& engine : engines()) {
    const FakeManagedCode code;
    SnapshotRuntime runtime(code, clr::S_OK);
    sample(runtime, code, engine);
    EXPECT_GT(runtime.calls, 10u);
    EXPECT_EQ(runtime.native_seeds, 0u);
    EXPECT_EQ(runtime.other_threads, 0u) << "each thread walks itself";
  }
}

// The runtime is the library its interface lies in: this program, whose native code the ticks meet. Until
// .NET 9 the CLR's walk may wait there for a lock of the very thread it walks.
TEST(OracleRules, BeforeDotNet10ItIsNotCalledInsideTheRuntime) {
  const FakeManagedCode code;
  SnapshotRuntime runtime(code, clr::S_OK);
  runtime.major = 9;
  const Sampled sampled = sample(runtime, code, engines().back(), burn_a_little, wire::kInsideRuntime);
  const uint32_t inside = sampled.with(wire::kInsideRuntime);
  EXPECT_GT(inside, 5u);
  EXPECT_EQ(runtime.calls, sampled.hresults.size() - inside);
  EXPECT_GE(runtime.calls, sampled.requested_first) << "where managed code was interrupted, it is asked";
}

// Broken by leaving the loader out: the CLR's walk there gave the thread new thread-local variables, and the
// program died of them (two of 1,102 starts at 100 us, eight at once).
TEST(OracleRules, ItIsNotCalledInsideTheDynamicLoader) {
  const FakeManagedCode code;
  SnapshotRuntime runtime(code, clr::S_OK);
  const Sampled sampled = sample(runtime, code, engines().back(), look_up_a_little, wire::kInsideLoader);
  const uint32_t inside = sampled.with(wire::kInsideLoader);
  EXPECT_GT(inside, 5u);
  EXPECT_EQ(runtime.calls, sampled.hresults.size() - inside);
}

// Rule 8. Broken by a second try in oracle.cc after a failure: twice as many calls as samples.
TEST(OracleRules, ARefusalIsKeptWithItsSampleAndNotTriedAgain) {
  for (const clr::HRESULT refusal :
       {clr::E_FAIL, clr::CORPROF_E_STACKSNAPSHOT_UNSAFE, clr::CORPROF_E_STACKSNAPSHOT_UNMANAGED_CTX,
        clr::CORPROF_E_STACKSNAPSHOT_ABORTED}) {
    const FakeManagedCode code;
    SnapshotRuntime runtime(code, refusal);
    const Sampled sampled = sample(runtime, code, engines().back());
    EXPECT_EQ(runtime.calls, sampled.hresults.size());
    for (const uint32_t hresult : sampled.hresults) EXPECT_EQ(hresult, static_cast<uint32_t>(refusal));
  }
}

}  // namespace
}  // namespace walkabout::agent
