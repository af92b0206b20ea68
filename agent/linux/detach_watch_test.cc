#include "agent/linux/detach_watch.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <semaphore>

namespace walkabout::agent {
namespace {

class DetachWatchTest : public ::testing::Test {
 protected:
  DetachWatchTest() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    agent_ = base::Fd(ends[0]);
    collector_ = base::Fd(ends[1]);
  }
  bool collector_sees_the_end() const {
    pollfd fd{collector_.get(), POLLIN, 0};
    char byte = 0;
    return ::poll(&fd, 1, 0) == 1 && ::recv(collector_.get(), &byte, 1, 0) == 0;
  }
  base::Fd agent_, collector_;
  std::counting_semaphore<8> left_{0};
};

TEST_F(DetachWatchTest, AHalfClosedSocketIsTheWish) {
  DetachWatch watch;
  ASSERT_TRUE(watch.start(agent_.get(), [this] { left_.release(); }).ok());
  EXPECT_GT(watch.tid(), 0);
  EXPECT_FALSE(left_.try_acquire());
  ::shutdown(collector_.get(), SHUT_WR);
  left_.acquire();
  const char last = 'x';
  EXPECT_EQ(::send(agent_.get(), &last, 1, MSG_NOSIGNAL), 1) << "what is left can still be said";
}

TEST_F(DetachWatchTest, ACollectorThatIsGoneIsTheWishToo) {
  DetachWatch watch;
  ASSERT_TRUE(watch.start(agent_.get(), [this] { left_.release(); }).ok());
  collector_.reset();
  left_.acquire();
}

TEST_F(DetachWatchTest, TheSocketStaysOpenAsLongAsTheWatch) {
  {
    DetachWatch watch;
    ASSERT_TRUE(watch.start(agent_.get(), [this] { left_.release(); }).ok());
    ::shutdown(collector_.get(), SHUT_WR);
    left_.acquire();
    agent_.reset();
    EXPECT_FALSE(collector_sees_the_end());
  }
  EXPECT_TRUE(collector_sees_the_end());
}

TEST_F(DetachWatchTest, CancelledItNeverLeaves) {
  {
    DetachWatch watch;
    ASSERT_TRUE(watch.start(agent_.get(), [this] { left_.release(); }).ok());
    watch.cancel();
  }
  ::shutdown(collector_.get(), SHUT_WR);
  EXPECT_FALSE(left_.try_acquire());
}

TEST_F(DetachWatchTest, WithoutASocketItDoesNotStart) {
  DetachWatch watch;
  EXPECT_FALSE(watch.start(-1, [] {}).ok());
}

}  // namespace
}  // namespace walkabout::agent
