#include "agent/early_names.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

TEST(EarlyNames, AreTakenOnce) {
  EarlyNames names;
  names.keep(1, "first");
  names.keep(2, "other");
  names.keep(1, "named again");
  EXPECT_EQ(names.take(1), "named again");
  EXPECT_EQ(names.take(1), "");
  EXPECT_EQ(names.take(2), "other");
}

TEST(EarlyNames, OfThreadsNeverStartedTakeNoMoreThanSoMuch) {
  EarlyNames names;
  for (clr::ThreadID thread = 1; thread <= 10'000; ++thread) names.keep(thread, "never started");
  names.keep(1, "known ones may change");
  EXPECT_EQ(names.take(1), "known ones may change");
  EXPECT_EQ(names.take(4096), "never started");
  EXPECT_EQ(names.take(4097), "");
}

}  // namespace
}  // namespace walkabout::agent
