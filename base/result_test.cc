#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace walkabout::base {
namespace {

TEST(Status, IsOkUntilItNamesACause) {
  EXPECT_TRUE(Status().ok());
  EXPECT_EQ(Status().message(), "");
  const Status failed = Status::error("no such file");
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.message(), "no such file");
  EXPECT_FALSE(Status::error("").ok()) << "an empty cause is an error all the same";
}

TEST(Result, HoldsAValueOrTheCauseWhyNot) {
  Result<int> seven = 7;
  ASSERT_TRUE(seven.ok());
  EXPECT_EQ(*seven, 7);
  EXPECT_TRUE(seven.status().ok());
  *seven = 8;
  EXPECT_EQ(seven.value(), 8);
  const Result<int> failed = Status::error("why");
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.message(), "why");
  EXPECT_EQ(failed.status().message(), "why");
}

TEST(Result, ValuesThatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = std::move(*result);
  EXPECT_EQ(*taken, 3);
}

}  // namespace
}  // namespace walkabout::base
