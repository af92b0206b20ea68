// The stepper steps this very program through libc: what it says of right unwind data and of wrong.
#include "agent/step/stepper.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "agent/code_registry.h"
#include "agent/linux/images.h"

namespace walkabout::agent::step {
namespace {

constexpr uint64_t kBudget = 1'000'000;

struct World {
  World() { images.refresh_native(); }
  walker::ReaderGate gate;
  CodeRegistry registry{gate};
  Images images{registry};
  Stepper stepper{{&registry.images(), &registry.jitted(), find_new_module, &registry.generation()}, gate};

  template <typename F>
  Figures through(F f, uint64_t budget = kBudget) {
    EXPECT_TRUE(stepper.begin(budget));
    f();
    stepper.end();
    const Figures figures = stepper.judge().figures();
    stepper.done();
    return figures;
  }
};

int compare(const void* a, const void* b) {
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

[[gnu::noinline]] void sort() {
  int numbers[] = {5, 3, 9, 1, 7};
  std::qsort(numbers, 5, sizeof(int), compare);
  asm volatile("" ::"r"(numbers) : "memory");
}

// Says that its caller lies 8 bytes from where it does, for three instructions.
[[gnu::naked, gnu::noinline]] void wrong_unwind_data() {
  asm("push %rbx\n"
      ".cfi_adjust_cfa_offset 16\n"
      "nop\n"
      "nop\n"
      "pop %rbx\n"
      ".cfi_adjust_cfa_offset -16\n"
      "ret\n");
}

TEST(Stepper, EveryInstructionOfASortIsWalkedAndRight) {
  World world;
  const Figures figures = world.through(sort);
  EXPECT_GT(figures.steps, 100u);
  EXPECT_GT(figures.calls, 4u) << "the comparisons";
  EXPECT_EQ(figures.native, figures.steps);
  EXPECT_EQ(figures.wrong, 0u);
  EXPECT_EQ(world.stepper.stopped(), Stopped::kAtEnd);
}

TEST(Stepper, WrongUnwindDataIsFoundAtEachInstructionItHoldsFor) {
  World world;
  const Figures figures = world.through(wrong_unwind_data);
  EXPECT_EQ(figures.wrong, 3u);
  ASSERT_GE(world.stepper.judge().examples(), 1u);
  const Example& example = world.stepper.judge().example(0);
  EXPECT_EQ(example.code[0], 0x90);
  EXPECT_EQ(example.first_difference, 1u);
  EXPECT_NE(example.walked[1], example.truth[1]);
}

TEST(Stepper, TheBudgetEndsItAndTheProgramGoesOn) {
  World world;
  const Figures figures = world.through(sort, 10);
  EXPECT_EQ(figures.steps, 10u);
  EXPECT_EQ(world.stepper.stopped(), Stopped::kBudget);
}

TEST(Stepper, OneThreadAtATime) {
  World world;
  ASSERT_TRUE(world.stepper.begin(0));
  EXPECT_FALSE(world.stepper.begin(kBudget));
  world.stepper.end();
  world.stepper.done();
  ASSERT_TRUE(world.stepper.begin(0));
  world.stepper.end();
  world.stepper.done();
}

TEST(Stepper, AThreadThatBlocksEverySignalIsSteppedOn) {
  World world;
  sigset_t all, before, now;
  sigfillset(&all);
  const Figures figures = world.through([&] {
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    sort();
    ::pthread_sigmask(SIG_SETMASK, &before, &now);
  });
  EXPECT_GT(figures.steps, 100u);
  EXPECT_EQ(figures.wrong, 0u);
  EXPECT_TRUE(sigismember(&now, SIGTRAP)) << "it sees what it set";
  EXPECT_FALSE(sigismember(&before, SIGTRAP));
}

TEST(Stepper, WithoutAnyUnwindDataItSaysThatItIsLost) {
  walker::ReaderGate gate;
  CodeRegistry registry(gate);
  Stepper stepper({&registry.images(), &registry.jitted()}, gate);
  ASSERT_TRUE(stepper.begin(kBudget));
  sort();
  stepper.end();
  EXPECT_EQ(stepper.stopped(), Stopped::kLost);
  EXPECT_EQ(stepper.judge().figures().steps, 0u);
  stepper.done();
}

}  // namespace
}  // namespace walkabout::agent::step
