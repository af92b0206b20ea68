// Walks at every instruction: with the trap flag set, libc is called through the lazily bound PLT, so that
// each instruction of PLT stubs, of the dynamic linker's resolver, of prologs, epilogs and hand-written
// assembly is once the leaf. Each walk must be whole, by the interpreter and by the tables.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/sanitizers.h"
#include "unwind/cfi/cfi_plt.h"
#include "unwind/cfi/cfi_test_image.h"
#include "unwind/cfi/cfi_test_walk.h"
#include "unwind/machine/signal_context_x64.h"

namespace walkabout::unwind {
namespace {

using testing::Modules;
using testing::Walk;
using testing::Way;

constexpr uint64_t kTrapFlag = 0x100;
constexpr size_t kMaxFailures = 20;

struct Failure {
  uint64_t pc = 0;
  Way way = Way::kInterpreted;
  StepStatus end = StepStatus::kOk;
  size_t frames = 0;
};

struct Steps {
  const Modules* modules = nullptr;
  Memory memory;
  Walk outside;  // the stack at the caller of what is stepped: the root end of every walk
  size_t walks = 0;
  size_t in_plt = 0;
  size_t in_loader = 0;
  size_t in_vdso = 0;
  const testing::Module* loader = nullptr;  // the dynamic linker, where the PLT's resolver lies
  const testing::Module* vdso = nullptr;
  size_t failed = 0;
  std::array<Failure, kMaxFailures> failures;
};
Steps* steps = nullptr;

// The outermost frames are those of `outside` behind its first, whose pc has moved on.
bool is_whole(const Walk& walk, const Walk& outside) {
  const size_t shared = outside.count - 1;
  if (walk.end != StepStatus::kOutermost || walk.count <= shared) return false;
  return std::equal(outside.pcs.begin() + 1, outside.pcs.begin() + outside.count,
                    walk.pcs.begin() + (walk.count - shared));
}

bool in_plt_stub(const Modules& modules, uint64_t pc) {
  const testing::Module* module = testing::find_module(modules, pc);
  CfiRule ignored;
  return module != nullptr && plt_rule(module->image.cfi, pc, &ignored);
}

void on_trap(int, siginfo_t*, void* context) {
  const Registers regs = registers_of(*static_cast<const ucontext_t*>(context));
  for (const Way way : {Way::kInterpreted, Way::kCompiled}) {
    const Walk walk = testing::walk(*steps->modules, way, regs, steps->memory);
    if (is_whole(walk, steps->outside)) continue;
    if (steps->failed < kMaxFailures) steps->failures[steps->failed] = {regs.pc(), way, walk.end, walk.count};
    ++steps->failed;
  }
  ++steps->walks;
  const testing::Module* module = testing::find_module(*steps->modules, regs.pc());
  if (in_plt_stub(*steps->modules, regs.pc())) ++steps->in_plt;
  if (module != nullptr && module == steps->loader) ++steps->in_loader;
  if (module != nullptr && module == steps->vdso) ++steps->in_vdso;
}

int compare_ints(const void* a, const void* b) {
  const int x = *static_cast<const int*>(a);
  const int y = *static_cast<const int*>(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

// Functions this program has not called before are bound here, by the dynamic linker's resolver.
[[gnu::noinline]] size_t call_libc() {
  std::array<int, 16> numbers;
  for (int i = 0; i < 16; ++i) numbers[static_cast<size_t>(i)] = i * 7 % 16;
  std::qsort(numbers.data(), numbers.size(), sizeof(int), compare_ints);
  char text[64];
  const int length = std::snprintf(text, sizeof text, "%d %s %.3f", numbers[3], "text", 1.5);
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  char* found = std::strpbrk(text, "xyz");
  div_t parts = ::div(length, 3);
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);  // in the vDSO
  return static_cast<size_t>(parts.quot) + static_cast<size_t>(value) +
         (found != nullptr ? std::strcspn(found, "q") : 0);
}

[[gnu::noinline]] size_t step_through() {
  ucontext_t here;
  ::getcontext(&here);
  steps->outside = testing::walk(*steps->modules, Way::kCompiled, registers_of(here), steps->memory);
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | kTrapFlag);
  const size_t result = call_libc();
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~kTrapFlag);
  return result;
}

Memory memory_of_this_stack() {
  pthread_attr_t attributes;
  void* begin = nullptr;
  size_t size = 0;
  ::pthread_getattr_np(::pthread_self(), &attributes);
  ::pthread_attr_getstack(&attributes, &begin, &size);
  ::pthread_attr_destroy(&attributes);
  Memory memory = testing::own_memory();
  memory.lo = reinterpret_cast<uint64_t>(__builtin_frame_address(0)) - 65536;
  memory.hi = reinterpret_cast<uint64_t>(begin) + size;
  return memory;
}

TEST(CfiSingleStep, EveryInstructionHasAWholeStack) {
  if (base::kThreadSanitizer || base::kAddressSanitizer)
    GTEST_SKIP() << "sanitizers put themselves between this test and libc";
  const Modules modules = testing::load_modules();
  Steps all;
  all.modules = &modules;
  all.memory = memory_of_this_stack();
  all.loader = testing::find_module(modules, ::getauxval(AT_BASE));
  all.vdso = testing::find_module(modules, ::getauxval(AT_SYSINFO_EHDR));
  struct sigaction action {};
  struct sigaction before {};
  action.sa_sigaction = on_trap;
  action.sa_flags = SA_SIGINFO;
  ASSERT_EQ(::sigaction(SIGTRAP, &action, &before), 0);
  steps = &all;
  step_through();
  ::sigaction(SIGTRAP, &before, nullptr);
  steps = nullptr;

  ASSERT_EQ(all.outside.end, StepStatus::kOutermost);
  std::printf(
      "walked at %zu instructions: %zu in PLT stubs, %zu in the dynamic linker, %zu in the vDSO; %zu not "
      "whole\n",
      all.walks, all.in_plt, all.in_loader, all.in_vdso, all.failed);
  EXPECT_GT(all.walks, 2000u);
  EXPECT_GT(all.in_plt, 0u);
  for (size_t i = 0; i < std::min(all.failed, kMaxFailures); ++i) {
    const Failure& failure = all.failures[i];
    const testing::Module* module = testing::find_module(modules, failure.pc);
    ADD_FAILURE() << "pc 0x" << std::hex << failure.pc - (module == nullptr ? 0 : module->image.bias)
                  << " of module " << (module == nullptr ? -1 : module - modules.data()) << ", way "
                  << static_cast<int>(failure.way) << ", status " << static_cast<int>(failure.end)
                  << ", frames " << std::dec << failure.frames;
  }
  EXPECT_EQ(all.failed, 0u);
}

}  // namespace
}  // namespace walkabout::unwind
