// Rules 2, 3, 4 and 6 of the profiling API as ticks have to keep them (docs/accuracy.md has the list). A rule
// that is broken by waiting ends the test after
// kTimeoutSeconds.
#include <gtest/gtest.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <span>
#include <thread>
#include <vector>

#include "agent/core/fake_managed_code.h"
#include "agent/linux/session/tick_world.h"

namespace walkabout::agent {
namespace {

using namespace testing;  // the world's spelling

constexpr uint64_t kSecond = 1'000'000'000;

class TickRules : public ::testing::Test {
 protected:
  static constexpr unsigned kTimeoutSeconds = 60;
  TickRules() { ::alarm(kTimeoutSeconds); }
  ~TickRules() override { ::alarm(0); }
};

void do_nothing(void*) {}

// A walk that goes on until the test lets it: the handler calls it before its own.
std::atomic<bool> g_walk_waits{false}, g_in_walk{false};

OracleAnswer walk_that_waits(const unwind::Registers&, const unwind::CodeMap&, std::span<const wire::Frame>,
                             bool, wire::Frame*, uint32_t) {
  g_in_walk = g_walk_waits.load();
  while (g_walk_waits) {
  }
  return {};
}

// Rule 2. On Linux a thread walks itself, so its end waits for its walk; what must wait as well is whoever
// would take its ring away. Broken by ending every thread that a listing lacks (ThreadTable::update without
// thread_gone()): a thread in a walk had ended. Broken by giving the ring back after stop() too
// (ThreadTable::release without stopped_): its samples were gone.
TEST_F(TickRules, AWalkThatIsUnderWayKeepsItsRing) {
  constexpr uint64_t kBefore = 3;
  const FakeManagedCode code;
  for (const EngineChoice& engine : engines()) {
    g_in_walk = g_walk_waits = false;
    TickWorld world(engine, 1 << 20, 1'000'000, walk_that_waits);
    ASSERT_TRUE(world.ok());
    world.registry.jitted(code.event(1));
    std::thread walked([&] {
      const ThreadSlot& slot = world.arm_self();
      while (slot.shared->cpu().samples < kBefore) code.run(do_nothing, nullptr, 10'000);
      g_walk_waits = true;
      while (!g_in_walk || g_walk_waits) code.run(do_nothing, nullptr, 10'000);
    });
    while (!g_in_walk) ::usleep(100);
    const uint64_t before = world.rings.slot(0)->cpu().samples;
    std::vector<ThreadView> threads;
    world.threads.exclude(own_tid());
    world.threads.update({own_tid()});  // a listing may miss a thread
    world.threads.view(&threads);
    EXPECT_FALSE(threads.at(0).ended);
    world.threads.stop();
    world.threads.view(&threads);
    EXPECT_TRUE(threads.at(0).ended) << "no more ticks";
    world.threads.release(threads.at(0).slot);
    g_walk_waits = false;
    walked.join();
    EXPECT_EQ(world.rings.slot(0)->cpu().samples, before + 1);
    wire::Consumer ring(world.rings.slot(0), world.rings.ring_size());
    uint64_t samples = 0;
    for (const wire::RawSample* sample; (sample = ring.next()) != nullptr; ring.release()) {
      EXPECT_EQ(sample->end, wire::WalkEnd::kRooted);
      ++samples;
    }
    EXPECT_EQ(samples, before + 1);
  }
}

// Burns until this thread has so many more samples.
void take_ticks(const ThreadSlot& slot, uint64_t wanted) {
  const uint64_t end = slot.shared->cpu().samples + wanted;
  while (slot.shared->cpu().samples < end) burn_ns(100'000);
}

// A thread that holds a lock is sampled, and so is another that does not; both go on.
template <typename Hold>
void sample_while_held(Hold hold) {
  for (const EngineChoice& engine : engines()) {
    TickWorld world(engine, 1 << 20, 200'000);
    ASSERT_TRUE(world.ok());
    std::atomic<bool> held{false}, other_done{false};
    std::thread other([&] {
      const ThreadSlot& slot = world.arm_self();
      held.wait(false);
      take_ticks(slot, 5);
      other_done = true;
    });
    std::thread holder([&] {
      const ThreadSlot& slot = world.arm_self();
      hold(world, [&] {
        held = true;
        held.notify_all();
        take_ticks(slot, 5);
        while (!other_done) burn_ns(100'000);
      });
    });
    other.join();
    holder.join();
  }
}

// Rule 3. Broken by CodeRegistry's lock in tick(): the holder's first tick waited for itself, until SIGALRM.
TEST_F(TickRules, TicksPassAThreadThatHoldsTheRegistry) {
  sample_while_held([](TickWorld& world, const auto& while_held) {
    unwind::Image* image = world.registry.add_image({}, [&](unwind::Image&) { while_held(); });
    world.registry.remove_image(image);
  });
}

// Rule 3. Broken by dl_iterate_phdr in tick(): the other thread waited for the loader's lock, its holder for
// the other thread.
TEST_F(TickRules, TicksPassAThreadThatHoldsTheLoader) {
  sample_while_held([](TickWorld&, const auto& while_held) {
    using Held = std::remove_reference_t<decltype(while_held)>;
    ::dl_iterate_phdr(
        [](dl_phdr_info*, size_t, void* held) {
          (*static_cast<Held*>(held))();
          return 1;
        },
        const_cast<void*>(static_cast<const void*>(&while_held)));
  });
}

// Rules 3 and 6. The first tick may come while its thread is in arm(), under the table's lock, and others
// while it asks the table later. Broken by the table's lock in tick(): SIGALRM. Broken by setting the slot's
// ring behind open_clock(): SIGSEGV in the first tick.
TEST_F(TickRules, TheFirstTickMayComeAsSoonAsTheClockRuns) {
  for (const EngineChoice& engine : engines()) {
    const bool exact = engine.engine == wire::Engine::kPerf;
    TickWorld world(engine, 1 << 16, 50'000);
    ASSERT_TRUE(world.ok());
    std::vector<ThreadView> threads;
    for (int i = 0; i < (exact ? 500 : 20); ++i) {
      std::thread([&] {
        const ThreadSlot& slot = world.arm_self();
        while (slot.shared->cpu().samples < 2) world.threads.view(&threads);
      }).join();
      world.threads.exclude(own_tid());
      do {  // a joined thread is still a moment in the kernel
        world.threads.update({own_tid()});
        world.threads.view(&threads);
        ASSERT_EQ(threads.size(), 1u);
      } while (!threads[0].ended);
      wire::Consumer ring(world.rings.slot(threads[0].slot), world.rings.ring_size());
      const wire::RawSample* sample = ring.next();
      ASSERT_NE(sample, nullptr);
      EXPECT_EQ(sample->end, wire::WalkEnd::kRooted);
      world.threads.release(threads[0].slot);
    }
  }
}

// Rule 6. Broken by leaving fallocate out of RingMemory::commit(): one page instead of seventeen.
TEST_F(TickRules, AnArmedThreadHasAllThatItsFirstWalkNeeds) {
  TickWorld world(engines().back(), 1 << 16, 1000 * kSecond);
  ASSERT_TRUE(world.ok());
  struct stat before {
  }, armed{};
  ::fstat(world.rings.fd(), &before);
  std::thread([&] {
    const ThreadSlot& slot = world.arm_self();
    EXPECT_NE(slot.memo, nullptr);
    EXPECT_NE(slot.shared, nullptr);
    EXPECT_NE(slot.stack_hi, 0u);
  }).join();
  ::fstat(world.rings.fd(), &armed);
  EXPECT_GE((armed.st_blocks - before.st_blocks) * 512, wire::kSlotHeaderSize + (1 << 16))
      << "a handler must not be the first to ask for its ring's pages";
}

std::atomic<uint32_t> g_nested{0}, g_overtaken{0}, g_signals{0};
thread_local volatile uint32_t t_walks = 0;

// Far longer than from one tick to the next; another signal comes meanwhile.
OracleAnswer long_walk(const unwind::Registers&, const unwind::CodeMap&, std::span<const wire::Frame>, bool,
                       wire::Frame*, uint32_t) {
  t_walks = t_walks + 1;
  if (t_walks > 1) ++g_nested;
  ::raise(SIGUSR1);
  burn_ns(10'000'000);
  t_walks = t_walks - 1;
  return {};
}

void on_signal(int) {
  ++g_signals;
  if (t_walks != 0) ++g_overtaken;
}

// Rule 4. Broken by SA_NODEFER and an empty mask in install_tick_handler(): ticks in ticks until SIGALRM.
// Broken by the empty mask alone: the program's signal ran in the middle of each walk.
TEST_F(TickRules, OneWalkAtATimeAndNobodyBetween) {
  struct sigaction action {
  }, before{};
  action.sa_handler = on_signal;
  ::sigaction(SIGUSR1, &action, &before);
  const FakeManagedCode code;
  for (const EngineChoice& engine : engines()) {
    g_nested = g_overtaken = g_signals = 0;
    TickWorld world(engine, 1 << 20, 100'000, long_walk);
    ASSERT_TRUE(world.ok());
    world.registry.jitted(code.event(1));
    std::thread([&] {
      const ThreadSlot& slot = world.arm_self();
      while (g_signals < 5) code.run(do_nothing, nullptr, 10'000);
      world.threads.stop();
      wire::Consumer ring(slot.shared, world.rings.ring_size());
      uint64_t samples = 0;
      for (; ring.next() != nullptr; ring.release()) ++samples;
      EXPECT_EQ(samples, slot.shared->cpu().samples) << "each record whole";
    }).join();
    EXPECT_EQ(g_nested, 0u);
    EXPECT_EQ(g_overtaken, 0u);
  }
  ::sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace walkabout::agent
