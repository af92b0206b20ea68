#include "agent/shared/oracle_gate.h"

#include <gtest/gtest.h>

#include <thread>

namespace walkabout::agent {
namespace {

TEST(OracleGate, NobodyEntersWhileItIsClosed) {
  OracleGate gate;
  EXPECT_TRUE(gate.enter());
  gate.leave();
  gate.close();
  EXPECT_FALSE(gate.enter());
  gate.open();
  EXPECT_TRUE(gate.enter());
}

TEST(OracleGate, ASuspensionMayBeginBeforeTheLastOnesEndIsReported) {
  OracleGate gate;
  gate.close();
  gate.close();
  gate.open();
  EXPECT_FALSE(gate.enter());
  gate.open();
  EXPECT_TRUE(gate.enter());
}

TEST(OracleGate, ClosingWaitsForWhoIsInside) {
  OracleGate gate;
  ASSERT_TRUE(gate.enter());
  std::atomic<bool> closed{false};
  std::atomic<bool> left{false};
  bool left_first = false;
  std::thread suspending([&] {
    gate.close();
    left_first = left.load();
    closed = true;
  });
  while (gate.enter()) gate.leave();  // until it has begun to close
  EXPECT_FALSE(closed.load());
  left = true;
  gate.leave();
  suspending.join();
  EXPECT_TRUE(left_first);
}

}  // namespace
}  // namespace walkabout::agent
