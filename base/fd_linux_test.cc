#include <fcntl.h>
#include <gtest/gtest.h>

#include "base/fd.h"

namespace walkabout::base {
namespace {

bool open_now(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

class FdTest : public ::testing::Test {
 protected:
  FdTest() { EXPECT_EQ(::pipe2(ends_, O_CLOEXEC), 0); }
  ~FdTest() override {
    for (const int end : ends_) {
      if (open_now(end)) ::close(end);
    }
  }
  int ends_[2] = {-1, -1};
};

TEST_F(FdTest, ClosesWhatItHolds) {
  {
    const Fd fd(ends_[0]);
    EXPECT_TRUE(fd.valid());
    EXPECT_EQ(fd.get(), ends_[0]);
  }
  EXPECT_FALSE(open_now(ends_[0]));
  EXPECT_TRUE(open_now(ends_[1]));
}

TEST_F(FdTest, HoldsNothingByDefault) {
  Fd fd;
  EXPECT_FALSE(fd.valid());
  fd.reset();
  EXPECT_EQ(fd.release(), -1);
}

TEST_F(FdTest, MovingPassesItOn) {
  Fd first(ends_[0]);
  Fd second(std::move(first));
  EXPECT_EQ(second.get(), ends_[0]);
  Fd third(ends_[1]);
  third = std::move(second);
  EXPECT_FALSE(open_now(ends_[1])) << "what it held is closed";
  EXPECT_TRUE(open_now(ends_[0]));
  Fd& self = third;
  third = std::move(self);
  EXPECT_TRUE(open_now(ends_[0])) << "moving it to itself keeps it";
}

TEST_F(FdTest, ReleasedIsNotClosed) {
  {
    Fd fd(ends_[0]);
    EXPECT_EQ(fd.release(), ends_[0]);
    EXPECT_FALSE(fd.valid());
  }
  EXPECT_TRUE(open_now(ends_[0]));
}

}  // namespace
}  // namespace walkabout::base
