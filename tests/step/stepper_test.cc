// The stepper steps this very program through libc: what it says of right unwind data and of wrong.
#include "tests/step/stepper.h"

#include <gtest/gtest.h>

#include <csetjmp>
#include <cstdlib>
#include <vector>

#include "agent/core/code_registry.h"
#include "agent/linux/session/images.h"

namespace walkabout::agent::step {
namespace {

constexpr uint64_t kBudget = 1'000'000;

struct World {
  World() { images.refresh_native(); }
  unwind::ReaderGate gate;
  CodeRegistry registry{gate};
  DescriptorHost host;  // not started
  Images images{registry, host};
  Stepper stepper{{&registry.images(), &registry.jitted(), find_new_module, &registry.generation()}, gate};

  base::CodeId library(const char* name) {
    for (const unwind::Image* image : registry.all_images()) {
      wire::Module module;
      if (registry.module(image->code, &module) && module.path.ends_with(name)) return image->code;
    }
    return {};
  }
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

[[gnu::noinline]] void throw_deep(int levels) {
  if (levels == 0) throw levels;
  throw_deep(levels - 1);
  asm volatile("" ::: "memory");  // no tail call
}

[[gnu::noinline]] void catch_and_go_on() {
  try {
    throw_deep(5);
  } catch (int) {
    sort();
  }
}

// The unwinder writes the landing pad and its registers over its own saved ones: no walk can see the frames
// between any more, and only these differences have that name.
TEST(Stepper, AnExceptionThatLandsIsExplainedByTheUnwindersFramesAlone) {
  World world;
  catch_and_go_on();  // what the first exception prepares is no part of it
  const Figures unexplained = world.through(catch_and_go_on);
  EXPECT_GT(unexplained.wrong, 0u);
  EXPECT_EQ(unexplained.unwinding, 0u);
  const base::CodeId library = world.library("libgcc_s.so.1");
  ASSERT_TRUE(library.valid());
  world.stepper.judge().set_unwinder(library);
  const Figures figures = world.through(catch_and_go_on);
  EXPECT_GT(figures.unwinding, 10u);
  EXPECT_EQ(figures.wrong + figures.unwinding, unexplained.wrong);
  // At its last three instructions (mov rsp, rcx; pop rcx; jmp rcx) the unwinder's CFI goes by an rbp that is
  // the landing frame's already: where that is no frame pointer, as here, it leads nowhere, and the walk says
  // so.
  EXPECT_LE(figures.wrong, 3u);
  EXPECT_EQ(figures.wrong, figures.not_rooted);
  EXPECT_EQ(world.through(wrong_unwind_data).wrong, 3u) << "not by their being loaded";
}

[[noreturn, gnu::noinline]] void jump_deep(std::jmp_buf& out, int levels) {
  if (levels > 0) jump_deep(out, levels - 1);
  sort();
  std::longjmp(out, 7);
}

[[gnu::noinline]] int jump_and_go_on() {
  std::jmp_buf out;
  if (const int value = setjmp(out); value != 0) {
    sort();
    return value;
  }
  jump_deep(out, 5);
}

TEST(Stepper, ALongjmpIsSteppedThrough) {
  World world;
  int value = 0;
  const Figures figures = world.through([&] { value = jump_and_go_on(); });
  EXPECT_EQ(value, 7);
  EXPECT_EQ(figures.long_jumps, 1u);
  EXPECT_EQ(figures.wrong, 0u);
  EXPECT_EQ(world.stepper.stopped(), Stopped::kAtEnd);
}

// Works in the handler, and gives the faulting instruction something to read.
void fix(int, siginfo_t*, void* context) {
  sort();
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RAX] =
      static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP];
}

[[gnu::noinline]] void fault_and_go_on() {
  asm volatile("xor %%eax, %%eax\nmov (%%rax), %%rax" ::: "rax", "memory");
  sort();
}

// On the thread's own stack and on another one, as the runtime's handler of a null reference is.
TEST(Stepper, TheHandlerOfAFaultIsSteppedThroughAndWhatItInterrupted) {
  std::vector<uint8_t> room(1 << 18);
  stack_t alternate{}, stack_before{};
  alternate.ss_sp = room.data();
  alternate.ss_size = room.size();
  for (const int flags : {SA_SIGINFO, SA_SIGINFO | SA_ONSTACK}) {
    struct sigaction handler {
    }, before{};
    handler.sa_sigaction = fix;
    handler.sa_flags = flags;
    ::sigaction(SIGSEGV, &handler, &before);
    ::sigaltstack(&alternate, &stack_before);
    World world;
    sort();  // the loader binds what it calls the first time
    const Figures plain = world.through(sort);
    const Figures figures = world.through(fault_and_go_on);
    EXPECT_EQ(figures.faults, 1u);
    EXPECT_EQ(figures.wrong, 0u);
    EXPECT_GT(figures.steps, 2 * plain.steps - 20) << "the handler's sort and the one behind it";
    ::sigaltstack(&stack_before, nullptr);
    ::sigaction(SIGSEGV, &before, nullptr);
  }
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

TEST(Stepper, WithoutAnyUnwindDataItReportsThatItIsLost) {
  unwind::ReaderGate gate;
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
