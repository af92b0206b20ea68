#include "agent/linux/cover/probed_since.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

TEST(ProbedSince, WhatWasProbedSinceACompilationBeganMayHaveBeenReadBefore) {
  ProbedSince methods(3);
  EXPECT_FALSE(methods.has(1));
  const uint64_t before = ProbedSince::now();
  methods.mark(1);
  const uint64_t behind = ProbedSince::now();
  EXPECT_TRUE(methods.has(1));
  EXPECT_FALSE(methods.had(1, before));
  EXPECT_TRUE(methods.had(1, behind));
  EXPECT_FALSE(methods.had(2, behind));
  methods.mark(3);
  EXPECT_TRUE(methods.had(1, behind)) << "others change nothing of it";
  EXPECT_FALSE(methods.had(3, behind));
}

TEST(ProbedSince, AModuleThatIsLoadedAgainHasNone) {
  ProbedSince methods(1);
  methods.mark(1);
  methods.clear();
  EXPECT_FALSE(methods.has(1));
  EXPECT_FALSE(methods.had(1, ProbedSince::now()));
  EXPECT_FALSE(methods.has(2)) << "there is no such row";
}

}  // namespace
}  // namespace walkabout::agent
