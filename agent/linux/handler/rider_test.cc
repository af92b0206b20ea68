#include "agent/linux/handler/rider.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>

#include <atomic>

#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr base::SourceId kRiding(2);

TEST(Rider, IsTakenOnce) {
  Rider rider;
  EXPECT_FALSE(rider.waits());
  EXPECT_EQ(rider.take().value, 0u);
  rider.leave(kRiding, 5, {1, 2}, 2);
  EXPECT_TRUE(rider.waits());
  const Rider::Taken taken = rider.take();
  EXPECT_EQ(taken.source, kRiding);
  EXPECT_EQ(taken.value, 5u);
  EXPECT_EQ(taken.labels, 2u);
  EXPECT_EQ(taken.label[0], 1u);
  EXPECT_EQ(taken.label[1], 2u);
  EXPECT_FALSE(rider.waits());
  EXPECT_EQ(rider.take().value, 0u);
}

TEST(Rider, ValuesThatWaitAddUpUnderTheLastLabels) {
  Rider rider;
  rider.leave(kRiding, 5, {1, 1}, 2);
  rider.leave(kRiding, 6, {2, 2}, 2);
  const Rider::Taken taken = rider.take();
  EXPECT_EQ(taken.value, 11u);
  EXPECT_EQ(taken.label[0], 2u);
}

TEST(Rider, OfTooMuchItReportsTheMost) {
  Rider rider;
  rider.leave(kRiding, ~uint64_t{0}, {}, 0);
  rider.leave(kRiding, ~uint64_t{0}, {}, 0);
  EXPECT_EQ(rider.take().value, Rider::kMost);
}

struct Raced {
  Rider rider;
  std::atomic<bool> leaves{false};
  uint64_t left = 0;

  void leave(uint64_t value) {
    rider.leave(kRiding, value, {value, value}, 2);
    left += value;
  }
} g_raced;

// Broken by labels that are read behind the value's exchange: what was left in between had them changed.
TEST(Rider, AValueHasTheLabelsItWasLeftWith) {
  constexpr uint64_t kLongNs = 300'000'000;
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) {
    if (!g_raced.leaves && !g_raced.rider.waits()) g_raced.leave(2);
  };
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGALRM, &action, &before);
  itimerval often{{0, 20}, {0, 20}};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  uint64_t taken = 0, wrong = 0;
  const auto take = [&] {
    const Rider::Taken t = g_raced.rider.take();
    taken += t.value;
    if (t.value != 0 && t.label[0] != t.value) ++wrong;
  };
  for (const uint64_t by_ns = base::thread_cpu_ns() + kLongNs; base::thread_cpu_ns() < by_ns;) {
    for (int i = 0; i < 1000; ++i) {
      g_raced.leaves = true;
      if (!g_raced.rider.waits()) g_raced.leave(1);
      g_raced.leaves = false;
      take();
    }
  }
  const itimerval never{};
  ::setitimer(ITIMER_REAL, &never, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
  take();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(taken, g_raced.left);
}

}  // namespace
}  // namespace walkabout::agent
