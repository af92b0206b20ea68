#include "agent/linux/handler/handler.h"

#include <alloca.h>
#include <errno.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <memory>
#include <thread>

#include "agent/core/fake_managed_code.h"
#include "agent/linux/handler/alternate_stack.h"
#include "agent/linux/session/tick_world.h"
#include "base/linux/tick_trap.h"

namespace walkabout::agent {
namespace {

using namespace testing;  // the world's spelling

TEST(Handler, SamplesAreWholeStacksWhoseWeightsAddUpToTheThreadsTime) {
  for (const EngineChoice& engine : engines()) {
    TickWorld world(engine);
    ASSERT_TRUE(world.ok());
    std::thread([&] {
      const ThreadSlot& slot = world.arm_self();
      const wire::SlotHeader& shared = *slot.shared;
      while (shared.cpu().samples < 20) burn_ns(100'000);
      world.threads.stop();
      const uint64_t end = base::thread_cpu_ns();
      wire::Consumer ring(slot.shared, world.rings.ring_size());
      uint64_t weights = 0, samples = 0, last_time = 0;
      while (const wire::RawSample* sample = ring.next()) {
        EXPECT_EQ(sample->end, wire::WalkEnd::kRooted);
        EXPECT_GE(sample->frames, 2u);
        EXPECT_EQ(wire::Consumer::frames(sample)->kind(), wire::FrameKind::kNative);
        EXPECT_GT(sample->value, 0u);
        EXPECT_GE(sample->time_ns, last_time);
        last_time = sample->time_ns;
        weights += sample->value;
        ++samples;
        ring.release();
      }
      EXPECT_EQ(samples, shared.cpu().samples);
      EXPECT_EQ(weights, shared.last_cpu_ns) << "from the thread's birth to its last sample";
      EXPECT_LE(weights, end);
      EXPECT_EQ(shared.cpu().attempts, shared.cpu().samples + drops_of(shared));
      EXPECT_GT(shared.ticks().frames, samples);
      EXPECT_GT(shared.ticks().cost_ns, 0u);
    }).join();
  }
}

TEST(Handler, AFullRingDropsAndCounts) {
  for (const EngineChoice& engine : engines()) {
    TickWorld world(engine, 4096);
    ASSERT_TRUE(world.ok());
    std::thread([&] {
      const ThreadSlot& slot = world.arm_self();
      const auto& full = slot.shared->cpu().drops[static_cast<size_t>(wire::DropCause::kRingFull)];
      while (full < 3) burn_ns(100'000);  // nobody takes the samples
      world.threads.stop();
      EXPECT_GT(slot.shared->cpu().samples, 0u);
      EXPECT_EQ(slot.shared->cpu().attempts, slot.shared->cpu().samples + drops_of(*slot.shared));
      wire::Consumer ring(slot.shared, world.rings.ring_size());
      uint64_t samples = 0;
      for (; ring.next() != nullptr; ring.release()) ++samples;
      EXPECT_EQ(samples, slot.shared->cpu().samples);
    }).join();
  }
}

// A program that overflows its stack has to end as it would alone.
TEST(Handler, NearTheEndOfAStackNoTickIsTaken) {
  TickWorld world(engines().front());
  std::thread([&] {
    world.threads.arm(own_tid(), 0, true);
    const ThreadSlot& slot = world.threads.slots()[0];
    const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
    const std::atomic<uint64_t>& left_out =
        slot.shared->cpu().drops[static_cast<size_t>(wire::DropCause::kThrottled)];
    world.threads.set_stack(own_tid(), here - (1 << 16), here + 4096, here - 6 * 1024);
    const uint64_t samples = slot.shared->cpu().samples, before = left_out;
    while (left_out < before + 20) burn_ns(100'000);
    EXPECT_LE(slot.shared->cpu().samples, samples + 1) << "one that was on its way";
    world.threads.set_stack(own_tid(), here - (1 << 16), here + 4096, here - (1 << 16));
    while (slot.shared->cpu().samples < samples + 3) burn_ns(100'000);
    world.threads.stop();
  }).join();
}

// The calling thread's time, spent where so much of its stack is left.
__attribute__((noinline)) void burn_near_the_end(uint64_t left, uint64_t ns) {
  const uint64_t here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  auto* rest = static_cast<volatile char*>(::alloca(here - own_stack().lo - left));
  rest[0] = 1;
  burn_ns(ns);
}

// Broken by a filter without the stack's end: SIGSEGV, which is the kernel's.
TEST(Handler, WhereTheKernelsFrameHasNoRoomNoTickComes) {
  const EngineChoice engine = engines().back();
  if (engine.engine != wire::Engine::kPerf || !engine.kernel_ticks) GTEST_SKIP() << "no filter here";
  TickWorld world(engine, 1 << 20, 100'000);
  ASSERT_TRUE(world.ok());
  std::thread([&] {
    const ThreadSlot& slot = world.arm_self();
    const wire::SlotHeader& shared = *slot.shared;
    while (shared.cpu().samples < 3) burn_ns(100'000);
    const uint64_t attempts = shared.cpu().attempts, cpu = base::thread_cpu_ns();
    burn_near_the_end(2048, 50'000'000);
    EXPECT_LE(shared.cpu().attempts, attempts + 2) << "on the way there and back";
    const uint64_t samples = shared.cpu().samples;
    while (shared.cpu().samples <= samples) burn_ns(100'000);
    EXPECT_GT(shared.last_cpu_ns, cpu + 50'000'000) << "the time is in the weight of the next sample";
    world.threads.stop();
  }).join();
}

TEST(Handler, AStackOfUnknownBoundsIsWalkedAndRequested) {
  TickWorld world(engines().front());
  std::thread([&] {
    world.threads.arm(own_tid(), 0, true);  // nobody measured its stack
    const ThreadSlot& slot = world.threads.slots()[0];
    ASSERT_EQ(slot.tid, own_tid());
    while (slot.shared->cpu().samples < 2) burn_ns(100'000);
    const uint64_t wanted = slot.wants_bounds;
    world.threads.stop();
    const uint64_t here = reinterpret_cast<uint64_t>(&wanted);
    EXPECT_LT(wanted < here ? here - wanted : wanted - here, 1u << 20) << "an address in this thread's stack";
    wire::Consumer ring(slot.shared, world.rings.ring_size());
    for (const wire::RawSample* sample; (sample = ring.next()) != nullptr; ring.release()) {
      EXPECT_EQ(sample->end, wire::WalkEnd::kRooted);
    }
  }).join();
}

// A loop in memory that no map knows: mov ecx, 20'000; again: dec ecx; jnz again; ret.
void (*unreported_loop())() {
  static constexpr uint8_t kCode[] = {0xb9, 0x20, 0x4e, 0, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
  void* memory =
      ::mmap(nullptr, sizeof kCode, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memcpy(memory, kCode, sizeof kCode);
  return reinterpret_cast<void (*)()>(memory);
}

TEST(Handler, OnceTheRuntimeReportsNoMoreStacksThroughUnreportedCodeAreLeftOut) {
  TickWorld world(engines().back());
  ASSERT_TRUE(world.ok());
  void (*const loop)() = unreported_loop();
  std::thread([&] {
    const ThreadSlot& slot = world.arm_self();
    const auto& left_out = slot.shared->cpu().drops[static_cast<size_t>(wire::DropCause::kStopping)];
    while (slot.shared->cpu().samples < 5) loop();  // it is a stub
    EXPECT_EQ(left_out, 0u);
    world.registry.session_ended(base::monotonic_ns());
    while (left_out < 5) loop();
    world.registry.session_ended(base::monotonic_ns() - CodeRegistry::kLongestShutdownNs);  // it lives on
    const uint64_t taken = slot.shared->cpu().samples, lost = left_out;
    while (slot.shared->cpu().samples < taken + 5) loop();
    EXPECT_EQ(left_out, lost);
    const uint64_t samples = slot.shared->cpu().samples;
    while (slot.shared->cpu().samples < samples + 5) burn_ns(100'000);  // of code that is known
    world.threads.stop();
    EXPECT_EQ(slot.shared->cpu().attempts, slot.shared->cpu().samples + drops_of(*slot.shared));
  }).join();
}

std::atomic<int> g_plain{0}, g_detailed{0};

void on_plain(int) {
  errno = EBADF;
  ++g_plain;
}
void on_detailed(int, siginfo_t* info, void* context) {
  if (info != nullptr && context != nullptr) ++g_detailed;
}

TEST(Handler, SignalsThatAreNoTicksArePassedOn) {
  for (const EngineChoice& engine : engines()) {
    g_plain = g_detailed = 0;
    TickWorld world(engine);
    ::raise(TickWorld::kSignal);  // nobody to pass it to
    struct sigaction previous {};
    previous.sa_handler = SIG_IGN;
    set_chain(previous);
    ::raise(TickWorld::kSignal);
    previous.sa_handler = on_plain;
    set_chain(previous);
    errno = EAGAIN;
    ::raise(TickWorld::kSignal);
    EXPECT_EQ(errno, EAGAIN) << "kept, whatever the other handler does";
    EXPECT_EQ(g_plain, 1);
    previous = {};
    previous.sa_sigaction = on_detailed;
    previous.sa_flags = SA_SIGINFO;
    set_chain(previous);
    ::raise(TickWorld::kSignal);
    EXPECT_EQ(g_detailed, 1);
    EXPECT_EQ(g_plain, 1);
    std::thread([&] {  // also on a thread that has ticks
      const ThreadSlot& slot = world.arm_self();
      while (slot.shared->cpu().samples < 1) burn_ns(100'000);
      ::raise(TickWorld::kSignal);
      EXPECT_EQ(g_detailed, 2);
    })
        .join();
    set_chain({});
  }
}

TEST(Handler, ATickForAnotherThreadIsNotOurs) {
  const EngineChoice timer = engines().front();
  g_detailed = 0;
  TickWorld world(timer);
  struct sigaction previous {};
  previous.sa_sigaction = on_detailed;
  previous.sa_flags = SA_SIGINFO;
  set_chain(previous);
  std::thread([&] {
    CpuClock clock;  // its slot belongs to nobody
    ASSERT_TRUE(open_timer_clock(own_tid(), 7, 100'000, 100'000, TickWorld::kSignal, &clock).ok());
    while (g_detailed < 1) burn_ns(100'000);
    close_clock(&clock);
    EXPECT_EQ(current_slot(), nullptr);
  }).join();
  set_chain({});
}

TEST(Handler, DescriptorsOutsideItsTableAreRefused) {
  EXPECT_FALSE(map_fd(-1, 0));
  EXPECT_FALSE(map_fd(kMaxFds, 0));
  EXPECT_TRUE(map_fd(kMaxFds - 1, 0));
}

uint32_t samples_marked_compiling(TickWorld& world, ThreadSlot& slot, uint64_t count) {
  wire::Consumer ring(slot.shared, world.rings.ring_size());
  const uint64_t end = slot.shared->cpu().samples + count;
  while (slot.shared->cpu().samples < end) burn_ns(100'000);
  uint32_t marked = 0;
  for (const wire::RawSample* sample; (sample = ring.next()) != nullptr; ring.release())
    marked += (sample->flags & static_cast<uint8_t>(wire::SampleFlag::kInJit)) != 0;
  return marked;
}

TEST(Handler, ACompileWhoseEndIsNotReportedIsOverSoon) {
  TickWorld world(engines().back());
  std::thread([&] {
    ThreadSlot& slot = world.arm_self();
    EXPECT_EQ(samples_marked_compiling(world, slot, 5), 0u);
    slot.in_jit = kTicksAroundCompiler;
    EXPECT_EQ(samples_marked_compiling(world, slot, 20), kTicksAroundCompiler);
    slot.in_jit = kAnyNumberOfTicks;
    EXPECT_GE(samples_marked_compiling(world, slot, 20), 20u) << "its own frames are not known";
    slot.in_jit = 0;
    const FakeManagedCode code;
    world.registry.jitted(code.event(1));
    EXPECT_EQ(samples_marked_compiling(world, slot, 5), 0u);
    slot.in_jit = kAnyNumberOfTicks;
    while (slot.in_jit != 0) code.run([](void*) {}, nullptr, 100'000);
  }).join();
}

// It cannot be undone, so a process of its own stops.
TEST(HandlerDeathTest, TicksAfterStopAreDroppedAndCounted) {
  const auto stopped = [] {
    TickWorld world(engines().front());
    bool right = false;
    std::thread([&] {
      stop_handler();
      const ThreadSlot& slot = world.arm_self();
      while (slot.shared->cpu().attempts < 3) burn_ns(100'000);
      world.threads.stop();
      right = slot.shared->cpu().samples == 0 && slot.shared->ticks().head == 0 &&
              slot.shared->cpu().drops[static_cast<size_t>(wire::DropCause::kStopping)] ==
                  slot.shared->cpu().attempts;
    }).join();
    ::_exit(right ? 0 : 1);
  };
  EXPECT_EXIT(stopped(), ::testing::ExitedWithCode(0), "");
}

// As the runtime makes an alternate stack.
stack_t small_alternate_stack() {
  constexpr size_t kSize = 16 * 1024;
  stack_t stack{};
  stack.ss_sp = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack.ss_size = kSize;
  ::mprotect(stack.ss_sp, 4096, PROT_NONE);
  return stack;
}

TEST(Handler, AThreadThatWasThereBeforeHasALargerAlternateStackAfterItsFirstTick) {
  for (const EngineChoice& engine : engines()) {
    TickWorld world(engine);
    std::thread([&] {
      const stack_t before = small_alternate_stack();
      ::sigaltstack(&before, nullptr);
      const ThreadSlot& slot = world.arm_self(false);
      while (slot.shared->cpu().samples < 3) burn_ns(100'000);
      world.threads.stop();
      stack_t now{};
      ::sigaltstack(nullptr,
                    &now);  // not what it was at the tick, which the end of the handler would set again
      EXPECT_EQ(now.ss_size, kAlternateStackBytes);
      EXPECT_EQ(::mprotect(before.ss_sp, 4096, PROT_READ), 0) << "other handlers' frames may be on it";
      static_cast<uint8_t*>(now.ss_sp)[now.ss_size - 1] = 1;
    }).join();
  }
}

TEST(Handler, ATickThatComesWhenItsRecordingIsGoneTouchesNothing) {
  std::thread([] {
    for (const EngineChoice& engine : engines()) {
      auto world = std::make_unique<TickWorld>(engine);
      const ThreadSlot& slot = world->arm_self();
      while (slot.shared->cpu().samples < 2) burn_ns(100'000);
      const int fd = slot.perf_fd;
      const auto index = static_cast<uint32_t>(&slot - thread_slots().data());
      world->threads.stop();
      ASSERT_TRUE(world->threads.abandon(1000));
      world.reset();
      siginfo_t late{};
      const uint64_t data = base::tick_data(index);
      ucontext_t context{};
      if (engine.engine == wire::Engine::kTimer) {
        late.si_code = SI_TIMER;
        late.si_value.sival_ptr = reinterpret_cast<void*>(data);
        on_tick(SIGURG, &late, &context);
      } else if (engine.kernel_ticks) {
        late.si_signo = SIGTRAP;
        late.si_code = base::kTrapPerf;
        std::memcpy(&late.si_addr + 1, &data, sizeof data);
        on_trap(SIGTRAP, &late, &context);
      } else {
        late.si_code = POLL_IN;
        late.si_fd = fd;
        on_tick(SIGURG, &late, &context);
      }
      EXPECT_EQ(slot.tid, 0);
      EXPECT_EQ(current_slot(), nullptr);
    }
  }).join();
}

}  // namespace
}  // namespace walkabout::agent
