// Waits, on a thread of its own, until the collector wants no more: it shut down its side of the stream's
// socket, or it is gone, which the host notices. Leaving calls into the CLR, so this thread has the program's
// table of descriptors. Only an agent that was attached has one: it can leave the process again.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>

#include "agent/linux/own_thread.h"
#include "agent/linux/stream_out.h"
#include "base/mutex.h"
#include "base/result.h"

namespace walkabout::agent {

class DetachWatch {
 public:
  explicit DetachWatch(StreamOut& out) : out_(out) {}
  // Joins: not on its own thread.
  ~DetachWatch();

  // leave is called once, on the watch's thread. The stream is held open: the collector sees its end when
  // nothing of the agent is left.
  base::Status start(std::function<void()> leave);
  // Nobody is waited for any more; a leave() that has begun goes on. Any thread.
  void cancel();
  pid_t tid() const { return tid_.load(); }

 private:
  void run(const std::function<void()>& leave);

  StreamOut& out_;
  base::Mutex mutex_;
  std::condition_variable wake_;
  bool gone_ WALKABOUT_GUARDED_BY(mutex_) = false;
  bool cancelled_ WALKABOUT_GUARDED_BY(mutex_) = false;
  std::atomic<pid_t> tid_{0};
  OwnThread thread_;
};

}  // namespace walkabout::agent
