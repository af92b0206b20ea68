// What a clock of the agent's costs a thread at each switch: two threads on one processor hand a byte to and
// fro, without a clock, with a perf event each and with a CPU timer each. Rounds by turns; a line per figure:
// the median over the rounds of the time of one switch more than without a clock.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "agent/linux/cpu_clock.h"
#include "agent/linux/descriptor_host.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr int kWarm = 1000, kHands = 20'000;
constexpr uint64_t kIntervalNs = 10'101'010;  // 99 Hz

enum Variant : size_t { kNone, kPerfEvent, kTimer, kVariants };
constexpr std::array<const char*, kVariants> kNames{"none", "perf_event", "timer"};

pid_t own_tid() { return static_cast<pid_t>(::syscall(SYS_gettid)); }

void nothing(int, siginfo_t*, void*) {}

void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

void open_clock(Variant variant, const DescriptorHost& host, pid_t tid, CpuClock* clock) {
  base::Status opened;
  if (variant == kPerfEvent) {
    opened = open_perf_clock(host, tid, kIntervalNs, SIGURG, clock);
    if (opened.ok()) opened = start_perf_clock(*clock);
  } else if (variant == kTimer) {
    opened = open_timer_clock(tid, 0, kIntervalNs, kIntervalNs, SIGURG, clock);
  }
  if (!opened.ok()) fail(opened.message().c_str());
}

class Hands {
 public:
  Hands() {
    if (::pipe(there_) != 0 || ::pipe(back_) != 0) fail("pipe");
    other_ = std::thread([this] {
      tid = own_tid();
      tid.notify_all();
      char byte = 0;
      while (::read(there_[0], &byte, 1) == 1 && ::write(back_[1], &byte, 1) == 1) continue;
    });
    tid.wait(0);
  }
  ~Hands() {
    ::close(there_[1]);
    other_.join();
  }
  // Two switches each.
  double ns_of_a_switch(int times) {
    const uint64_t begin = base::monotonic_ns();
    char byte = 0;
    for (int i = 0; i < times; ++i) {
      if (::write(there_[1], &byte, 1) != 1 || ::read(back_[0], &byte, 1) != 1) fail("pipe");
    }
    return static_cast<double>(base::monotonic_ns() - begin) / times / 2;
  }
  std::atomic<pid_t> tid{0};

 private:
  int there_[2], back_[2];
  std::thread other_;
};

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

void run(int rounds) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ::sched_setaffinity(0, sizeof one, &one);
  struct sigaction action {};
  action.sa_sigaction = nothing;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigaction(SIGURG, &action, nullptr);
  const DescriptorHost host;  // not started: all is opened where it is asked for
  Hands hands;
  std::array<std::vector<double>, kVariants> taken;
  for (int round = 0; round < rounds; ++round) {
    for (size_t turn = 0; turn < kVariants; ++turn) {
      const auto variant = static_cast<Variant>((turn + static_cast<size_t>(round)) % kVariants);
      CpuClock mine, others;
      open_clock(variant, host, own_tid(), &mine);
      open_clock(variant, host, hands.tid, &others);
      hands.ns_of_a_switch(kWarm);
      taken[variant].push_back(hands.ns_of_a_switch(kHands));
      close_clock(&mine);
      close_clock(&others);
    }
  }
  std::printf("switch_%s %.0f ns\n", kNames[kNone], median(taken[kNone]));
  for (const Variant variant : {kPerfEvent, kTimer}) {
    std::vector<double> more;
    for (size_t i = 0; i < taken[variant].size(); ++i) more.push_back(taken[variant][i] - taken[kNone][i]);
    std::printf("switch_%s_more %.0f ns\n", kNames[variant], median(more));
  }
}

}  // namespace
}  // namespace walkabout::agent

int main(int argc, char** argv) {
  walkabout::agent::run(argc > 1 ? std::atoi(argv[1]) : 30);
  return 0;
}
