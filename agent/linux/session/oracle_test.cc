// Rules 7 and 8 of the profiling API (docs/accuracy.md has the list): what the CLR is given as a seed, and what
// becomes of its refusals. Real ticks, a fake CLR.
#include "agent/linux/session/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
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

struct Sampled {
  uint32_t asked = 0, asked_first = 0, without_seed = 0;
  std::vector<uint32_t> hresults;
};

// Ticks in native code, in managed code and in native code that managed code called.
Sampled sample(SnapshotRuntime& runtime, const FakeManagedCode& code, const EngineChoice& engine) {
  Sampled sampled;
  TickWorld world(engine, 1 << 20, 100'000, prepare_oracle(&runtime));
  world.registry.jitted(code.event(1));
  std::thread([&] {
    const ThreadSlot& slot = world.arm_self();
    wire::Consumer ring(slot.shared, world.rings.ring_size());
    const auto all_met = [&] {
      // So many asked that more than 5 were interrupted in native code, which the rule before .NET 10 is
      // about.
      return sampled.asked > 30 && sampled.asked_first > 5 && sampled.without_seed > 5;
    };
    while (!all_met()) {
      burn_ns(300'000);
      code.run(burn_a_little, nullptr, 30'000);
      while (const wire::RawSample* s = ring.next()) {
        const auto state = static_cast<wire::OracleState>(s->oracle);
        sampled.asked += state == wire::OracleState::kAsked;
        sampled.asked_first += state == wire::OracleState::kAskedFirst;
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
TEST(OracleRules, BeforeDotNet10ItIsNotAskedInsideTheRuntime) {
  const FakeManagedCode code;
  SnapshotRuntime runtime(code, clr::S_OK);
  runtime.major = 9;
  const Sampled sampled = sample(runtime, code, engines().back());
  const auto inside = std::count(sampled.hresults.begin(), sampled.hresults.end(), wire::kInsideRuntime);
  EXPECT_GT(inside, 5);
  EXPECT_EQ(runtime.calls, sampled.hresults.size() - static_cast<size_t>(inside));
  EXPECT_GE(runtime.calls, sampled.asked_first) << "where managed code was interrupted, it is asked";
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
