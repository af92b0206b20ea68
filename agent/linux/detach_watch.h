// Waits, on a thread of its own, until the collector wants no more: it shut down its side of the stream's
// socket, or it is gone. Only an agent that was attached has one: it can leave the process again.
#pragma once

#include <atomic>
#include <functional>

#include "agent/linux/own_thread.h"
#include "base/fd.h"
#include "base/result.h"

namespace walkabout::agent {

class DetachWatch {
 public:
  DetachWatch() = default;
  // Joins: not on its own thread.
  ~DetachWatch();

  // leave is called once, on the watch's thread. The socket is kept open as long as this object lives: the
  // collector sees it closed when nothing of the agent is left.
  base::Status start(int socket, std::function<void()> leave);
  // Nobody is waited for any more; a leave() that has begun goes on. Any thread.
  void cancel();
  pid_t tid() const { return tid_.load(); }

 private:
  void run(const std::function<void()>& leave) const;

  base::Fd socket_;
  base::Fd cancelled_;
  std::atomic<pid_t> tid_{0};
  OwnThread thread_;
};

}  // namespace walkabout::agent
