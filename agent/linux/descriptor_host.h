// One thread of ours whose table of descriptors is its own. All that the agent keeps open is open there: the
// program does not see it and cannot close it, no number of the program's is taken and nothing counts against
// its limit, a child that it forks has none of it, and nothing of the program's is kept open by us. Whoever
// needs a descriptor hands that thread a short piece of work and waits for it.
//
// A thread that has not the program's table must never call into the CLR: the runtime maps its code through a
// descriptor of the program's. Work does not block either: the birth of a thread may wait behind it.
//
// Where the kernel and its filters allow no table of its own (before Linux 5.9, with unshare(2) forbidden),
// the descriptors lie in the program's table, above the numbers it uses (apart(), kept()).
//
// Sources: close_range(2), unshare(2), sigtimedwait(2), fcntl(2), futex(2); fs/signalfd.c of the kernel.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "agent/linux/file_identity.h"
#include "agent/linux/own_thread.h"
#include "base/mutex.h"
#include "base/result.h"

namespace walkabout::agent {

class DescriptorHost {
 public:
  enum class Table { kOwn, kPrograms };  // the second: as where there is no other, for tests
  enum class StandardError { kDropped, kKept };

  // Not started, every piece of work runs where it is asked for, in the caller's table.
  DescriptorHost() = default;
  // stop()
  ~DescriptorHost();
  DescriptorHost(const DescriptorHost&) = delete;
  DescriptorHost& operator=(const DescriptorHost&) = delete;

  // kKept: the program's standard error is there, for a process to be started, until drop_standard_error().
  base::Status start(StandardError standard_error = StandardError::kDropped, Table table = Table::kOwn);
  void drop_standard_error();
  // REQUIRES: nobody is in call() or comes any more, no thread that entered is left. All that is open there
  // is closed.
  void stop();

  // Runs `work` with that table and waits for it. Any thread; at once where the caller has that table. False,
  // and nothing was done, in a child that the program forked and after stop().
  template <typename Work>
  bool call(Work&& work) WALKABOUT_RUNS_CALLERS_WORK {
    if (runs_here()) {
      work();
      return true;
    }
    using Plain = std::remove_reference_t<Work>;
    Job job{[](void* what) WALKABOUT_RUNS_CALLERS_WORK { (*static_cast<Plain*>(what))(); }, &work};
    return hand_over(job);
  }
  // The same of work that may fail.
  template <typename Work>
  base::Status try_call(Work&& work) {
    base::Status status = base::Status::error("the agent's descriptors are another process's");
    call([&] { status = work(); });
    return status;
  }
  // The calling thread was started by a piece of work, and so has that table too: from now on its work runs
  // at once. Such a thread makes no call into the CLR.
  void enter();

  // REQUIRES: inside work. What the new descriptor is kept as: itself, or its copy above the program's
  // numbers.
  // -1 with EMFILE, and it is closed: the last numbers are left to what is open for a moment.
  int kept(int fd) const;
  // REQUIRES: inside work. `gone` is called once, on the host's thread, when the socket's other end has
  // closed or shut down its side. It must not wait.
  void watch(int socket, std::function<void()> gone);
  void unwatch();

  // Done on the host's thread whenever that is woken, and before any work: what a handler asks of it that may
  // only send it wake_signal(). Must not wait.
  void set_wake_callback(void (*callback)());
  static int wake_signal();
  // The table is its own.
  bool apart() const { return apart_; }
  // What the user should know about it; may be empty.
  std::string note() const;
  std::atomic<pid_t>& tid() { return tid_; }

 private:
  struct Job {
    void (*run)(void*);
    void* what;
    Job* next = nullptr;
    std::atomic<uint32_t> done{0};
  };
  enum class State { kNotStarted, kRunning, kStopped };

  bool runs_here() const;
  bool hand_over(Job& job);
  void wake() const;
  void settle(StandardError standard_error, Table table);
  void run();
  void run_jobs();
  void wait() const;
  void look_at_watched();

  std::atomic<State> state_{State::kNotStarted};
  pid_t pid_ = 0;
  std::atomic<Job*> jobs_{nullptr};  // newest first
  std::atomic<pid_t> tid_{0};
  OwnThread thread_;
  // The host's thread's, written while nobody asks.
  bool apart_ = false;
  bool stopping_ = false;
  sigset_t wake_signal_{};
  int watched_ = -1;
  bool watched_wakes_ = false;
  FileIdentity watched_file_;
  std::function<void()> gone_;
  void (*wake_callback_)() = nullptr;
};

// A descriptor of the host's table: closed there. Move only.
class HostedFd {
 public:
  explicit HostedFd(DescriptorHost& host) : host_(host) {}
  HostedFd(const HostedFd&) = delete;
  HostedFd& operator=(const HostedFd&) = delete;
  ~HostedFd() { reset(); }

  // REQUIRES (both): inside work. The descriptor is ours from now on.
  void take(int fd);
  int get() const { return fd_; }
  // It is open and what it was: where it lies in the program's table, that may have changed.
  bool is_ours() const { return fd_ >= 0 && FileIdentity::of(fd_) == file_; }

  bool valid() const { return fd_ >= 0; }
  void reset();

 private:
  DescriptorHost& host_;
  int fd_ = -1;
  FileIdentity file_;
};

}  // namespace walkabout::agent
