#include "agent/linux/session/detach_watch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <semaphore>

#include "wire/hello.h"

namespace walkabout::agent {
namespace {

class DetachWatchTest : public ::testing::Test {
 protected:
  // The agent's end lies in the host's table alone.
  explicit DetachWatchTest(DescriptorHost::Table table = DescriptorHost::Table::kOwn) {
    int ends[2] = {-1, -1};
    bool wanted = false;
    EXPECT_TRUE(host_.start(DescriptorHost::StandardError::kDropped, table).ok());
    const base::Status connected = host_.try_call([&] {
      EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
      EXPECT_EQ(::send(ends[1], &wire::kWelcome, 1, 0), 1);
      collector_ = ends[1];
      return out_.handshake_with_own(base::Fd(ends[0]), ends[1], &wanted);
    });
    EXPECT_TRUE(connected.ok()) << connected.message();
    byte_from_agent();  // the greeting
  }
  int byte_from_agent() {
    char byte = 0;
    ssize_t n = -1;
    host_.call([&] { n = ::recv(collector_, &byte, 1, MSG_DONTWAIT); });
    return n == 1 ? byte : static_cast<int>(n);
  }
  bool collector_sees_the_end() { return byte_from_agent() == 0; }
  void half_close() {
    host_.call([&] { ::shutdown(collector_, SHUT_WR); });
  }
  DescriptorHost host_;
  StreamOut out_{host_};
  int collector_ = -1;
  std::counting_semaphore<8> left_{0};
};

TEST_F(DetachWatchTest, AHalfClosedSocketIsTheRequest) {
  DetachWatch watch(out_);
  ASSERT_TRUE(watch.start([this] { left_.release(); }).ok());
  EXPECT_GT(watch.tid(), 0);
  EXPECT_FALSE(left_.try_acquire());
  half_close();
  left_.acquire();
  EXPECT_TRUE(out_.write("x").ok()) << "what is left can still be written";
  EXPECT_EQ(byte_from_agent(), 'x');
}

TEST_F(DetachWatchTest, ACollectorThatIsGoneIsTheRequestToo) {
  DetachWatch watch(out_);
  ASSERT_TRUE(watch.start([this] { left_.release(); }).ok());
  host_.call([&] { ::close(collector_); });
  left_.acquire();
}

TEST_F(DetachWatchTest, LeavingRunsWithTheProgramsDescriptors) {
  const int programs = ::dup(STDERR_FILENO);
  bool there = false;
  DetachWatch watch(out_);
  ASSERT_TRUE(watch
                  .start([&] {
                    there = ::fcntl(programs, F_GETFD) >= 0;
                    left_.release();
                  })
                  .ok());
  half_close();
  left_.acquire();
  EXPECT_TRUE(there);
  ::close(programs);
}

TEST_F(DetachWatchTest, TheSocketStaysOpenUntilNothingIsLeft) {
  {
    DetachWatch watch(out_);
    ASSERT_TRUE(watch.start([this] { left_.release(); }).ok());
    half_close();
    left_.acquire();
    out_.close();
    EXPECT_FALSE(collector_sees_the_end());
  }
  EXPECT_FALSE(collector_sees_the_end());
  out_.let_go();
  EXPECT_TRUE(collector_sees_the_end());
}

TEST_F(DetachWatchTest, CancelledItNeverLeaves) {
  {
    DetachWatch watch(out_);
    ASSERT_TRUE(watch.start([this] { left_.release(); }).ok());
    watch.cancel();
  }
  half_close();
  EXPECT_FALSE(left_.try_acquire());
}

TEST_F(DetachWatchTest, WithoutASocketItDoesNotStart) {
  StreamOut nowhere(host_);
  DetachWatch watch(nowhere);
  EXPECT_FALSE(watch.start([] {}).ok());
}

class DetachWatchInProgramsTable : public DetachWatchTest {
 protected:
  DetachWatchInProgramsTable() : DetachWatchTest(DescriptorHost::Table::kPrograms) {}
};

TEST_F(DetachWatchInProgramsTable, TheRequestIsSeenToo) {
  DetachWatch watch(out_);
  ASSERT_TRUE(watch.start([this] { left_.release(); }).ok());
  half_close();
  left_.acquire();
}

}  // namespace
}  // namespace walkabout::agent
