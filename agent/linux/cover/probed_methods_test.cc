#include "agent/linux/cover/probed_methods.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

TEST(ProbedMethods, WhatWasProbedSinceACompilationBeganMayHaveBeenReadBefore) {
  ProbedMethods methods(3);
  EXPECT_FALSE(methods.has(1));
  const uint64_t before = ProbedMethods::now();
  methods.mark(1);
  const uint64_t behind = ProbedMethods::now();
  EXPECT_TRUE(methods.has(1));
  EXPECT_FALSE(methods.had(1, before));
  EXPECT_TRUE(methods.had(1, behind));
  EXPECT_FALSE(methods.had(2, behind));
  methods.mark(3);
  EXPECT_TRUE(methods.had(1, behind)) << "others change nothing of it";
  EXPECT_FALSE(methods.had(3, behind));
}

TEST(ProbedMethods, AModuleThatIsLoadedAgainHasNone) {
  ProbedMethods methods(1);
  methods.mark(1);
  methods.clear();
  EXPECT_FALSE(methods.has(1));
  EXPECT_FALSE(methods.had(1, ProbedMethods::now()));
  EXPECT_FALSE(methods.has(2)) << "there is no such row";
}

}  // namespace
}  // namespace walkabout::agent
