#include "agent/linux/handler/tick_signal.h"

#include <gtest/gtest.h>

#include <atomic>

#include "agent/linux/handler/handler.h"

namespace walkabout::agent {
namespace {

constexpr int kAll[] = {SIGURG, SIGPROF, SIGVTALRM};
std::atomic<int> g_programs{0};
void programs_handler(int) { ++g_programs; }

class TickSignalTest : public ::testing::Test {
 protected:
  TickSignalTest() {
    for (size_t i = 0; i < std::size(kAll); ++i) {
      ::sigaction(kAll[i], nullptr, &before_[i]);
      ::signal(kAll[i], SIG_DFL);
    }
    set_handler({});
  }
  ~TickSignalTest() override {
    for (size_t i = 0; i < std::size(kAll); ++i) ::sigaction(kAll[i], &before_[i], nullptr);
    set_chain({});
  }
  struct sigaction before_[std::size(kAll)];
};

TEST_F(TickSignalTest, TheOneThatHarmsNobodyComesFirst) {
  const auto chosen = install_tick_handler();
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ(chosen->number, SIGURG);
  EXPECT_EQ(chosen->note, "");
  EXPECT_TRUE(tick_handler_in_place(SIGURG));
  EXPECT_FALSE(tick_handler_in_place(SIGPROF));
}

TEST_F(TickSignalTest, ASignalTheProgramUsesIsLeftToIt) {
  ::signal(SIGURG, programs_handler);
  EXPECT_EQ(install_tick_handler()->number, SIGPROF);
  ::signal(SIGPROF, SIG_IGN);
  EXPECT_EQ(install_tick_handler()->number, SIGVTALRM);
  struct sigaction now {};
  ::sigaction(SIGURG, nullptr, &now);
  EXPECT_EQ(now.sa_handler, programs_handler);
}

TEST_F(TickSignalTest, WhenAllAreUsedOneIsSharedAndPassedOn) {
  for (const int signal : kAll) ::signal(signal, programs_handler);
  const auto chosen = install_tick_handler();
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ(chosen->number, SIGURG);
  EXPECT_NE(chosen->note.find("SIGURG"), std::string::npos);
  g_programs = 0;
  ::raise(SIGURG);
  EXPECT_EQ(g_programs, 1);
}

TEST_F(TickSignalTest, ALostSignalIsNoticed) {
  ASSERT_TRUE(install_tick_handler().ok());
  ::signal(SIGURG, programs_handler);
  EXPECT_FALSE(tick_handler_in_place(SIGURG));
}

TEST_F(TickSignalTest, NoOtherSignalButFaultsInterruptsATick) {
  const int number = install_tick_handler()->number;
  struct sigaction now {};
  ::sigaction(number, nullptr, &now);
  for (const int other : {SIGURG, SIGPROF, SIGTERM, SIGRTMIN + 1})
    EXPECT_TRUE(sigismember(&now.sa_mask, other)) << other;
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
    EXPECT_FALSE(sigismember(&now.sa_mask, fault)) << fault;
}

TEST_F(TickSignalTest, ItIsGivenBackAsItWas) {
  const auto chosen = install_tick_handler();
  remove_tick_handler(chosen->number);
  struct sigaction now {};
  ::sigaction(chosen->number, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
  EXPECT_EQ(install_tick_handler()->number, chosen->number) << "and can be taken again";
}

// SIGPROF ends a program that does not handle it.
TEST_F(TickSignalTest, ATickStillPendingHarmsNobody) {
  ::signal(SIGURG, programs_handler);
  const auto chosen = install_tick_handler();
  ASSERT_EQ(chosen->number, SIGPROF);
  sigset_t ours, before;
  sigemptyset(&ours);
  sigaddset(&ours, SIGPROF);
  ::pthread_sigmask(SIG_BLOCK, &ours, &before);
  ::raise(SIGPROF);
  remove_tick_handler(chosen->number);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_FALSE(tick_handler_in_place(SIGPROF));
}

TEST_F(TickSignalTest, ASharedOneStaysAndPassesOn) {
  for (const int signal : kAll) ::signal(signal, programs_handler);
  const auto chosen = install_tick_handler();
  remove_tick_handler(chosen->number);
  EXPECT_TRUE(tick_handler_in_place(chosen->number));
  EXPECT_EQ(install_tick_handler()->number, chosen->number);
  const int before = g_programs;
  ::raise(chosen->number);
  EXPECT_EQ(g_programs, before + 1) << "to the program's handler, not round in a circle";
}

TEST_F(TickSignalTest, TheHandlerThatTookTheSignalIsLeftAlone) {
  const auto chosen = install_tick_handler();
  ::signal(chosen->number, programs_handler);
  remove_tick_handler(chosen->number);
  struct sigaction now {};
  ::sigaction(chosen->number, nullptr, &now);
  EXPECT_EQ(now.sa_handler, programs_handler);
}

}  // namespace
}  // namespace walkabout::agent
