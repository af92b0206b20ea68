#include "agent/linux/descriptor_host.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace walkabout::agent {
namespace {

// Never delivered: it is blocked on the host's thread, which only asks whether it is pending. Nobody uses it.
// Not through a signalfd: whoever polls one is woken by every signal of the process, so by every tick.
constexpr int kWakeSignal = SIGSTKFLT;
// A program that ignores that signal takes a pending one away: then it is sent again, and the socket is
// looked at without it.
constexpr timespec kWakeAgain{0, 20'000'000};
constexpr timespec kLookAtWatched{0, 100'000'000};  // of one that wakes nobody
constexpr timespec kLookAtWatchedAgain{1, 0};
constexpr rlim_t kMostToClose = 1 << 20;  // where the kernel has no close_range
// Above what a program uses, where its table is ours too.
constexpr rlim_t kHighNumbers = 8192;
constexpr rlim_t kMomentary = 8;

#ifndef SYS_close_range
constexpr long SYS_close_range = 436;
#endif
constexpr unsigned kCloseRangeUnshare = 2;

thread_local DescriptorHost* t_host = nullptr;  // whose table the thread has

rlim_t most_descriptors() {
  rlimit files{kMostToClose, kMostToClose};
  ::getrlimit(RLIMIT_NOFILE, &files);
  return files.rlim_cur;
}

// Nothing but what lies below `first` is left open.
bool take_own_table(unsigned first) {
  if (::syscall(SYS_close_range, first, ~0u, kCloseRangeUnshare) == 0) return true;
  if (::unshare(CLONE_FILES) != 0) return false;
  const rlim_t end = std::min(most_descriptors(), kMostToClose);
  for (rlim_t fd = first; fd < end; ++fd) ::close(static_cast<int>(fd));
  return true;
}

// What writes to a standard descriptor by mistake (libc, when it aborts) must not reach one of ours:
// something that can be neither read nor written stands there. It is not inherited.
void plug(int fd) {
  ::close(fd);
  const int other = ::epoll_create1(EPOLL_CLOEXEC);
  if (other < 0 || other == fd) return;
  ::dup3(other, fd, O_CLOEXEC);
  ::close(other);
}

// Whatever happens to the socket sends that thread the signal (fcntl(2), F_SETSIG).
bool wakes_host(int socket, pid_t tid) {
  const f_owner_ex host{F_OWNER_TID, tid};
  const int flags = ::fcntl(socket, F_GETFL);
  return flags >= 0 && ::fcntl(socket, F_SETOWN_EX, &host) == 0 &&
         ::fcntl(socket, F_SETSIG, kWakeSignal) == 0 && ::fcntl(socket, F_SETFL, flags | O_ASYNC) == 0;
}

}  // namespace

DescriptorHost::~DescriptorHost() { stop(); }

base::Status DescriptorHost::start(StandardError standard_error, Table table) {
  sigemptyset(&wake_signal_);
  sigaddset(&wake_signal_, kWakeSignal);
  pid_ = ::getpid();
  base::Status started = thread_.start("walkabout-fds", &tid_, [this, standard_error, table] {
    settle(standard_error, table);
    run();
  });
  if (!started.ok()) return started;
  state_.store(State::kRunning);
  call([] {});  // it has settled
  return {};
}

void DescriptorHost::settle(StandardError standard_error, Table table) {
  t_host = this;
  const bool keep = standard_error == StandardError::kKept;
  apart_ = table == Table::kOwn && take_own_table(keep ? STDERR_FILENO + 1 : 0);
  if (!apart_) return;
  plug(STDIN_FILENO);
  plug(STDOUT_FILENO);
  if (!keep || ::fcntl(STDERR_FILENO, F_GETFD) < 0) plug(STDERR_FILENO);
}

void DescriptorHost::drop_standard_error() {
  call([this] {
    if (apart_) plug(STDERR_FILENO);
  });
}

void DescriptorHost::stop() {
  if (state_.load() != State::kRunning) return;
  call([this] { stopping_ = true; });
  if (::getpid() == pid_) thread_.join();
  state_.store(State::kStopped);
}

std::string DescriptorHost::note() const {
  if (apart_) return {};
  return "walkabout's descriptors are in the program's table (close_range and unshare are not allowed here): "
         "a "
         "program that closes all of its descriptors ends the recording";
}

void DescriptorHost::enter() { t_host = this; }

bool DescriptorHost::runs_here() const { return t_host == this || state_.load() == State::kNotStarted; }

void DescriptorHost::wake() const { ::syscall(SYS_tgkill, pid_, tid_.load(), kWakeSignal); }

bool DescriptorHost::hand_over(Job& job) {
  if (state_.load() != State::kRunning || ::getpid() != pid_) return false;
  Job* before = jobs_.load(std::memory_order_relaxed);
  do {
    job.next = before;
  } while (!jobs_.compare_exchange_weak(before, &job));    // release: partner: run_jobs()
  if (before == nullptr) wake();                           // else it has been told
  while (job.done.load(std::memory_order_acquire) == 0) {  // partner: run_jobs()
    if (::syscall(SYS_futex, &job.done, FUTEX_WAIT_PRIVATE, 0, &kWakeAgain, nullptr, 0) != 0 &&
        errno == ETIMEDOUT) {
      wake();
    }
  }
  return true;
}

int DescriptorHost::wake_signal() { return kWakeSignal; }

void DescriptorHost::set_wake_callback(void (*callback)()) {
  call([&] { wake_callback_ = callback; });
}

void DescriptorHost::run() {
  while (!stopping_) {
    if (wake_callback_ != nullptr) wake_callback_();
    run_jobs();
    look_at_watched();
    if (!stopping_) wait();
  }
}

void DescriptorHost::run_jobs() {
  Job* newest = jobs_.exchange(nullptr);
  Job* oldest = nullptr;
  while (newest != nullptr) {
    Job* const next = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = next;
  }
  while (oldest != nullptr) {
    Job* const next = oldest->next;
    oldest->run(oldest->what);
    // From here on it may be gone; waking where it was does no harm.
    std::atomic<uint32_t>* const done = &oldest->done;
    done->store(1, std::memory_order_release);
    ::syscall(SYS_futex, done, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    oldest = next;
  }
}

// Until there is work, or something to be seen on the socket.
void DescriptorHost::wait() const {
  const timespec* const longest = watched_wakes_ ? &kLookAtWatchedAgain : &kLookAtWatched;
  ::sigtimedwait(&wake_signal_, nullptr, watched_ < 0 ? nullptr : longest);
}

// The collector sends nothing: whatever comes is its end.
void DescriptorHost::look_at_watched() {
  if (watched_ < 0) return;
  if (!apart_ && !(FileIdentity::of(watched_) == watched_file_)) return unwatch();
  pollfd socket{watched_, POLLIN | POLLRDHUP, 0};
  if (::poll(&socket, 1, 0) <= 0) return;
  const std::function<void()> gone = std::move(gone_);
  unwatch();
  if (gone) gone();
}

int DescriptorHost::kept(int fd) const {
  if (fd < 0 || state_.load() == State::kNotStarted) return fd;
  const rlim_t most = most_descriptors();
  if (apart_ && static_cast<rlim_t>(fd) >= most - std::min(kMomentary, most / 4)) {
    ::close(fd);
    errno = EMFILE;
    return -1;
  }
  if (apart_) return fd;
  const rlim_t from = most > 2 * kHighNumbers ? kHighNumbers : most - most / 4;
  const int high = ::fcntl(fd, F_DUPFD_CLOEXEC, static_cast<int>(from));
  if (high < 0) return fd;
  ::close(fd);
  return high;
}

void DescriptorHost::watch(int socket, std::function<void()> gone) {
  watched_ = socket;
  watched_file_ = FileIdentity::of(socket);
  gone_ = std::move(gone);
  // In the program's table a child that it forks has the socket too, and its end would wake us.
  watched_wakes_ = apart_ && wakes_host(socket, tid_.load());
}

void DescriptorHost::unwatch() {
  watched_ = -1;
  gone_ = nullptr;
}

void HostedFd::take(int fd) {
  reset();
  fd_ = host_.kept(fd);
  file_ = FileIdentity::of(fd_);
}

void HostedFd::reset() {
  if (fd_ < 0) return;
  host_.call([this] {
    if (is_ours()) ::close(fd_);
  });
  fd_ = -1;
}

}  // namespace walkabout::agent
