#include "agent/linux/handler/chained_signal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "agent/linux/handler/handler.h"
#include "agent/linux/handler/tick_signal.h"

namespace walkabout::agent {
namespace {

int g_seen = 0;
sigset_t g_mask;

void note_mask(int) {
  ++g_seen;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &g_mask);
}

// SIGTRAP in processes of their own: what stands there is put before ours, as the runtime does it.
void with_handler(void (*handler)(int), unsigned flags, std::initializer_list<int> masked = {}) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(flags);
  for (const int signal : masked) sigaddset(&action.sa_mask, signal);
  ::sigaction(SIGTRAP, &action, nullptr);
  if (!install_trap_handler().ok()) ::_exit(99);
}

void break_here() { __asm__ volatile("int3"); }

TEST(ChainedSignalDeathTest, ABreakpointReachesTheProgramsHandlerWithItsMask) {
  const auto child = [] {
    with_handler(note_mask, 0, {SIGUSR1});
    break_here();
    if (g_seen != 1 || !sigismember(&g_mask, SIGUSR1) || !sigismember(&g_mask, SIGTRAP)) ::_exit(1);
    if (sigismember(&g_mask, SIGTERM)) ::_exit(2);  // blocked by ours, not by theirs
    ::pthread_sigmask(SIG_SETMASK, nullptr, &g_mask);
    ::_exit(sigismember(&g_mask, SIGUSR1) ? 3 : 0);
  };
  EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
}

TEST(ChainedSignalDeathTest, AHandlerThatWantsItNestedOrOnceHasItSo) {
  const auto nested = [] {
    with_handler(note_mask, SA_NODEFER);
    ::raise(SIGTRAP);
    ::_exit(g_seen == 1 && !sigismember(&g_mask, SIGTRAP) ? 0 : 1);
  };
  EXPECT_EXIT(nested(), ::testing::ExitedWithCode(0), "");
  const auto once = [] {
    with_handler(note_mask, SA_RESETHAND);
    ::raise(SIGTRAP);
    if (g_seen != 1) ::_exit(1);
    ::raise(SIGTRAP);
    ::_exit(2);
  };
  EXPECT_EXIT(once(), ::testing::KilledBySignal(SIGTRAP), "");
}

TEST(ChainedSignalDeathTest, WithoutAHandlerItEndsTheProgramAndIgnoredItDoesNot) {
  const auto by_default = [] {
    with_handler(SIG_DFL, 0);
    break_here();
    ::_exit(0);
  };
  EXPECT_EXIT(by_default(), ::testing::KilledBySignal(SIGTRAP), "");
  const auto ignored = [] {
    with_handler(SIG_IGN, 0);
    ::raise(SIGTRAP);
    ::_exit(0);
  };
  EXPECT_EXIT(ignored(), ::testing::ExitedWithCode(0), "");
  const auto ignored_break = [] {
    with_handler(SIG_IGN, 0);
    break_here();
    ::_exit(0);
  };
  EXPECT_EXIT(ignored_break(), ::testing::KilledBySignal(SIGTRAP), "") << "the CPU's cannot be ignored";
}

}  // namespace
}  // namespace walkabout::agent
