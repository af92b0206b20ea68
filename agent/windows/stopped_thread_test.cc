#include "base/windows/win32.h"
// after win32.h
#include <gtest/gtest.h>

#include "agent/windows/stopped_thread.h"

namespace walkabout::agent {
namespace {

constexpr size_t kStack = 256 << 10;
constexpr uint64_t kBelow = 0x800;  // the limit: in the guard page

DWORD protection_at(uint64_t address) {
  MEMORY_BASIC_INFORMATION about{};
  ::VirtualQuery(reinterpret_cast<const void*>(address), &about, sizeof about);
  return about.Protect;
}

// Where its frame reaches beyond what is committed of its stack, as between `sub rsp` and the first touch.
struct Reaching {
  volatile int there = 0, wait = 1;
  uint64_t limit = 0;
  DWORD id = 0;
  HANDLE thread = ::CreateThread(nullptr, kStack, run, this, STACK_SIZE_PARAM_IS_A_RESERVATION, &id);

  static DWORD WINAPI run(void* self) {
    auto* reaching = static_cast<Reaching*>(self);
    reaching->limit = reinterpret_cast<uint64_t>(reinterpret_cast<NT_TIB*>(NtCurrentTeb())->StackLimit);
    asm volatile(
        "mov %%rsp, %%rbx\n"
        "mov %0, %%rsp\n"
        "movl $1, (%1)\n"
        "1: pause\n"
        "cmpl $0, (%2)\n"
        "jne 1b\n"
        "mov %%rbx, %%rsp\n" ::"r"(reaching->limit - kBelow),
        "r"(&reaching->there), "r"(&reaching->wait)
        : "rbx", "memory");
    return 0;
  }
  void end() {
    wait = 0;
    ::WaitForSingleObject(thread, INFINITE);
    ::CloseHandle(thread);
  }
};

TEST(StoppedThreadTest, TheGuardPageIsNotTouched) {
  Watchdog dog;  // not started: it is stopped for as long as the test wants
  Reaching reaching;
  while (reaching.there == 0) ::Sleep(1);
  const ThreadHandle handle(static_cast<pid_t>(reaching.id));
  const StackBounds bounds = handle.stack();
  const DWORD before = protection_at(reaching.limit - kBelow);
  StoppedThread stopped(dog);
  ASSERT_TRUE(stopped.stop(handle, bounds));
  EXPECT_EQ(stopped.registers().sp(), reaching.limit - kBelow);
  EXPECT_TRUE(stopped.resume());
  uint64_t word = 0;
  const unwind::Memory memory = stopped.memory();
  EXPECT_FALSE(memory.slow(memory.context, stopped.registers().sp(), &word, sizeof word));
  EXPECT_TRUE(memory.slow(memory.context, reaching.limit, &word, sizeof word));
  EXPECT_TRUE(memory.slow(memory.context, bounds.hi - 8, &word, sizeof word)) << "to its begin";
  EXPECT_EQ(protection_at(reaching.limit - kBelow), before) << "the stack can still grow";
  reaching.end();
}

TEST(StoppedThreadTest, AThreadThatIsGoneIsNotStopped) {
  Watchdog dog;
  DWORD id = 0;
  HANDLE thread = ::CreateThread(
      nullptr, 0, [](void*) -> DWORD { return 0; }, nullptr, CREATE_SUSPENDED, &id);
  const ThreadHandle handle(static_cast<pid_t>(id));
  const StackBounds bounds = handle.stack();
  ::ResumeThread(thread);
  ::WaitForSingleObject(thread, INFINITE);
  StoppedThread stopped(dog);
  EXPECT_FALSE(stopped.stop(handle, bounds));
  ::CloseHandle(thread);
}

}  // namespace
}  // namespace walkabout::agent
