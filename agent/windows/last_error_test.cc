#include "agent/windows/last_error.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

TEST(LastErrorKept, IsAsBefore) {
  ::SetLastError(5);
  {
    const LastErrorKept kept;
    ::SetLastError(7);
  }
  EXPECT_EQ(::GetLastError(), 5u);
}

}  // namespace
}  // namespace walkabout::agent
