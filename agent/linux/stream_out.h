// Where the stream goes: the collector's Unix socket or a file, open in the host's table. Writes may block:
// only the spooler writes; the host never waits for the collector. A failure is final: what was written
// stays, nothing more is tried. Where the host has no table of its own the program may have closed our
// descriptor and have something else under that number: this is looked at before each write and before
// closing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <string>
#include <string_view>

#include "agent/linux/descriptor_host.h"
#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"

namespace walkabout::agent {

class StreamOut {
 public:
  explicit StreamOut(DescriptorHost& host) : host_(host), fd_(host) {}
  ~StreamOut();
  // Only to a collector of our own user's or root's. Says hello to it with the ring memory's descriptor and
  // waits for its answer. *wanted: false when the collector does not want this process (a child, and children
  // are not profiled).
  base::Status connect(const std::string& path, int ring_fd, bool* wanted);
  // The same with a collector of our own, which may still be starting, at the other end of a socket.
  // REQUIRES: inside work of the host.
  base::Status handshake_with_own(base::Fd socket, int ring_fd, bool* wanted);
  // Instead of connect(), with the same care: there will be no recording, and why. May fail in silence.
  static void refuse(const std::string& path, const std::string& why);
  // The collector is in our PID namespace: if we are its first process, the kernel ends it with us.
  bool collector_is_near() const { return collector_is_near_; }
  // close() is to return when the collector is done: it closed its end. Before close().
  void wait_at_close() { wait_at_close_ = true; }
  // close() leaves the descriptor open until this object is gone, or let_go(): the collector then sees the
  // end when nothing of the agent is left. Before close().
  void hold_open() { held_ = true; }
  void let_go();
  // Calls `gone`, once and on the host's thread, when the collector wants no more: it shut down its side, or
  // it is gone. False where the stream is no socket.
  bool watch(std::function<void()> gone);
  // Afterwards it is not called any more.
  void unwatch();
  // Creates the file; an existing one is replaced, a symbolic link is not followed.
  base::Status create(const std::string& path);
  base::Status write(std::string_view bytes);
  // A write() or close() that waits for the collector returns, and so does every later one. Any thread.
  void cut();
  void close();
  // The collector wants no more: it shut down its side, or is gone.
  bool collector_is_done();
  bool is_open() const { return fd_.valid(); }

 private:
  base::Status handshake(base::Fd socket, int ring_fd, int timeout_seconds, bool* wanted);
  base::Status write_some(std::string_view* bytes);
  bool is_cut(std::chrono::milliseconds wait);

  DescriptorHost& host_;
  HostedFd fd_;
  bool socket_ = false;
  bool collector_is_near_ = false;
  bool wait_at_close_ = false;
  bool held_ = false;
  base::Mutex mutex_;
  std::condition_variable was_cut_;
  bool cut_ WALKABOUT_GUARDED_BY(mutex_) = false;
};

}  // namespace walkabout::agent
