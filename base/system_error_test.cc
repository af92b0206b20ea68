#include "base/system_error.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace walkabout::base {
namespace {

TEST(SystemError, NamesWhatFailedAndWhy) {
  ASSERT_EQ(::open("/no/such/file", O_RDONLY), -1);
  const Status status = system_error("/no/such/file");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "/no/such/file: No such file or directory");
}

}  // namespace
}  // namespace walkabout::base
