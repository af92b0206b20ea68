#include "cli/slow_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace walkabout::cli {
namespace {

class SlowCallRows : public ::testing::Test {
 protected:
  void call(uint64_t number, uint64_t caller, uint64_t begin, uint64_t wall) {
    profile::SlowCall one;
    one.number = number;
    one.caller = caller;
    one.begin_ns = begin;
    one.wall_ns = wall;
    traces_.calls.push_back(one);
  }
  std::string rows(size_t outermost) {
    std::string out;
    for (const SlowCallRow& row : slow_call_rows(traces_, outermost))
      out += row.indentation +
             (row.hidden != 0 ? "+" + std::to_string(row.hidden)
                              : std::to_string(traces_.calls[row.call].number)) +
             "\n";
    return out;
  }
  profile::Traces traces_;
};

TEST_F(SlowCallRows, TheSlowestComeFirstAndTheirOwnBelowThem) {
  call(1, 0, 0, 100);
  call(2, 1, 10, 20);
  call(3, 1, 40, 50);
  call(4, 3, 45, 30);
  call(5, 0, 200, 300);
  EXPECT_EQ(rows(2), "5\n1\n├ 3\n│ └ 4\n└ 2\n");
  EXPECT_EQ(rows(1), "5\n");
}

TEST_F(SlowCallRows, OfManyCallsInOneTheSlowestAreShown) {
  call(1, 0, 0, 1000);
  for (uint64_t i = 2; i < 12; ++i) call(i, 1, i, i);
  EXPECT_EQ(rows(5), "1\n├ 11\n├ 10\n├ 9\n└ +7\n");
}

TEST_F(SlowCallRows, ACallerThatIsNotThereOrNotBeforeIsNone) {
  call(1, 9, 0, 10);
  call(2, 3, 1, 9);
  call(3, 2, 2, 8);
  EXPECT_EQ(rows(5), "1\n2\n└ 3\n") << "two that are within each other";
}

TEST_F(SlowCallRows, ADeepChainEnds) {
  for (uint64_t i = 1; i <= 1000; ++i) call(i, i - 1, i, 5000 - i);
  const std::string out = rows(1);
  EXPECT_LE(std::count(out.begin(), out.end(), '\n'), 30);
}

}  // namespace
}  // namespace walkabout::cli
