#include "agent/core/budget.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kOneSecond = 1000 * kMillisecond;
constexpr uint32_t kOnePercent = 10'000;

// A program on one CPU whose samples cost so much each.
struct Program {
  uint64_t now_ns = 0, cost_ns = 0, cpu_ns = 0;
  uint64_t sample_cost_ns;
  uint64_t busy_percent = 100;

  std::optional<wire::Rate> second(Budget& budget) {
    now_ns += kOneSecond;
    cpu_ns += kOneSecond / 100 * busy_percent;
    cost_ns += kOneSecond / 100 * busy_percent / budget.interval_ns() * sample_cost_ns;
    return budget.judge(now_ns, cost_ns, cpu_ns);
  }
};

Budget begun_budget(uint64_t interval_ns) {
  Budget budget(kOnePercent, interval_ns);
  budget.judge(0, 0, 0);
  return budget;
}

TEST(Budget, WithinItNothingChanges) {
  Budget budget = begun_budget(10 * kMillisecond);
  Program program{.sample_cost_ns = 50'000};  // half a percent
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(program.second(budget).has_value());
  EXPECT_FALSE(budget.lowered());
}

TEST(Budget, OverItTheIntervalIsDoubledUntilItFits) {
  Budget budget = begun_budget(1 * kMillisecond);
  Program program{.sample_cost_ns = 50'000};  // five percent
  const auto first = program.second(budget);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->before_ns, 1 * kMillisecond);
  EXPECT_EQ(first->interval_ns, 2 * kMillisecond);
  EXPECT_EQ(first->cost_ppm, 50'000u);
  EXPECT_EQ(first->budget_ppm, kOnePercent);
  EXPECT_EQ(program.second(budget)->interval_ns, 4 * kMillisecond);
  EXPECT_EQ(program.second(budget)->interval_ns, 8 * kMillisecond);  // 0.625 percent
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(program.second(budget).has_value()) << i;
}

TEST(Budget, OneWindowAloneIsForgiven) {
  Budget budget = begun_budget(10 * kMillisecond);
  Program program{.sample_cost_ns = 200'000};  // two percent
  for (int i = 0; i < 10; ++i) {
    program.sample_cost_ns = i % 2 == 0 ? 200'000 : 50'000;
    EXPECT_FALSE(program.second(budget).has_value());
  }
  program.sample_cost_ns = 200'000;
  EXPECT_FALSE(program.second(budget).has_value());
  EXPECT_EQ(program.second(budget)->interval_ns, 20 * kMillisecond);
}

TEST(Budget, ItComesBackToWhatWasRequestedAndNoFurther) {
  Budget budget = begun_budget(3 * kMillisecond);
  Program program{.sample_cost_ns = 400'000};
  EXPECT_EQ(program.second(budget)->interval_ns, 6 * kMillisecond);
  EXPECT_EQ(program.second(budget)->interval_ns, 12 * kMillisecond);
  program.sample_cost_ns = 1'000;
  for (uint32_t i = 1; i < Budget::kCalmWindows; ++i) EXPECT_FALSE(program.second(budget).has_value());
  EXPECT_EQ(program.second(budget)->interval_ns, 6 * kMillisecond);
  for (uint32_t i = 1; i < Budget::kCalmWindows; ++i) EXPECT_FALSE(program.second(budget).has_value());
  EXPECT_EQ(program.second(budget)->interval_ns, 3 * kMillisecond);
  EXPECT_FALSE(budget.lowered());
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(program.second(budget).has_value());
}

TEST(Budget, AReturnThatWasWrongMakesTheNextOneLater) {
  Budget budget = begun_budget(10 * kMillisecond);
  Program program{.sample_cost_ns = 500'000};
  EXPECT_EQ(program.second(budget)->interval_ns, 20 * kMillisecond);
  uint32_t waited = 0, before = 0;
  for (int round = 0; round < 10; ++round) {
    program.sample_cost_ns = 20'000;
    for (waited = 1; !program.second(budget).has_value(); ++waited) ASSERT_LT(waited, 1000u);
    EXPECT_EQ(waited, std::min(before == 0 ? Budget::kCalmWindows : before * 2, Budget::kMostCalmWindows));
    before = waited;
    program.sample_cost_ns = 500'000;
    EXPECT_EQ(program.second(budget)->interval_ns, 20 * kMillisecond);
  }
}

TEST(Budget, AnIdleProgramIsNotJudged) {
  Budget budget = begun_budget(10 * kMillisecond);
  uint64_t now = 0, cpu = 0;
  for (int i = 0; i < 49; ++i) {
    cpu += 1 * kMillisecond;
    EXPECT_FALSE(budget.judge(now += kOneSecond, cpu, cpu).has_value());
  }
  EXPECT_TRUE(budget.judge(now += kOneSecond, cpu, cpu + 1 * kMillisecond)
                  .has_value());  // now there is something to say
}

TEST(Budget, NoIntervalIsLongerThanASecond) {
  Budget budget = begun_budget(600 * kMillisecond);
  Program program{.sample_cost_ns = 500 * kMillisecond};
  EXPECT_EQ(program.second(budget)->interval_ns, Budget::kLongestIntervalNs);
  EXPECT_FALSE(program.second(budget).has_value());
}

}  // namespace
}  // namespace walkabout::agent
