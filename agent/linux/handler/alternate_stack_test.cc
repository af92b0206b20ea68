#include "agent/linux/handler/alternate_stack.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace walkabout::agent {
namespace {

stack_t current() {
  stack_t stack{};
  ::sigaltstack(nullptr, &stack);
  return stack;
}

void set(void* memory, size_t size) {
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = size;
  ASSERT_EQ(::sigaltstack(&stack, nullptr), 0);
}

uint8_t* map(size_t size, bool guard) {
  auto* memory = static_cast<uint8_t*>(
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (guard) ::mprotect(memory, static_cast<size_t>(::sysconf(_SC_PAGESIZE)), PROT_NONE);
  return memory;
}

// Threads of their own: each begins without an alternate stack.
TEST(AlternateStack, TheRuntimesIsReplaced) {
  std::thread([] {
    uint8_t* old = map(16 * 1024, true);
    set(old, 16 * 1024);
    ASSERT_EQ(enlarge_alternate_stack(), AlternateStack::kEnlarged);
    const stack_t now = current();
    EXPECT_EQ(now.ss_size, kAlternateStackBytes);
    EXPECT_NE(now.ss_sp, old);
    static_cast<uint8_t*>(now.ss_sp)[now.ss_size - 1] = 1;
    EXPECT_EQ(::mprotect(old, 4096, PROT_READ), -1) << "the old one is still mapped";
    EXPECT_EQ(enlarge_alternate_stack(), AlternateStack::kKept) << "once is enough";
    // As the runtime does when the thread ends.
    stack_t off{};
    off.ss_flags = SS_DISABLE;
    EXPECT_EQ(::sigaltstack(&off, nullptr), 0);
    EXPECT_EQ(::munmap(now.ss_sp, now.ss_size), 0);
  }).join();
}

TEST(AlternateStack, AProgramsOwnStays) {
  std::thread([] {
    EXPECT_EQ(enlarge_alternate_stack(), AlternateStack::kKept) << "there is none";
    std::vector<uint8_t> allocated(32 * 1024);
    set(allocated.data(), allocated.size());
    EXPECT_EQ(enlarge_alternate_stack(), AlternateStack::kKept);
    EXPECT_EQ(current().ss_sp, allocated.data());
    uint8_t* mapped = map(32 * 1024, false);
    set(mapped, 32 * 1024);
    EXPECT_EQ(enlarge_alternate_stack(), AlternateStack::kKept) << "without a guard page";
    EXPECT_EQ(current().ss_sp, mapped);
    stack_t off{};
    off.ss_flags = SS_DISABLE;
    ::sigaltstack(&off, nullptr);
    ::munmap(mapped, 32 * 1024);
  }).join();
}

TEST(AlternateStack, AThreadOfOursGivesItsOwnBack) {
  std::thread([] {
    uint8_t* stack = map(16 * 1024, true);
    set(stack, 16 * 1024);
    free_alternate_stack();
    EXPECT_NE(current().ss_flags & SS_DISABLE, 0);
    EXPECT_EQ(::mprotect(stack, 4096, PROT_READ), -1) << "still mapped";
    free_alternate_stack();  // without one: nothing
  }).join();
}

std::atomic<AlternateStack> g_answer{AlternateStack::kKept};

TEST(AlternateStack, OneInUseIsLeftForLater) {
  std::thread([] {
    uint8_t* old = map(16 * 1024, true);
    set(old, 16 * 1024);
    struct sigaction action {
    }, before{};
    action.sa_handler = [](int) { g_answer = enlarge_alternate_stack(); };
    action.sa_flags = SA_ONSTACK;
    ::sigaction(SIGUSR1, &action, &before);
    ::raise(SIGUSR1);
    ::sigaction(SIGUSR1, &before, nullptr);
    EXPECT_EQ(g_answer, AlternateStack::kInUse);
    EXPECT_EQ(current().ss_sp, old);
    EXPECT_EQ(enlarge_alternate_stack(), AlternateStack::kEnlarged);
  }).join();
}

}  // namespace
}  // namespace walkabout::agent
