// Where the stream goes: the collector's Unix socket or a file. Writes may block: only the spooler writes.
// A failure is final: what was written stays, nothing more is tried. The program may have closed our
// descriptor (a daemon that closes all it finds) and have something of its own under that number: this is
// looked at before each write and before closing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::agent {

class StreamOut {
 public:
  StreamOut() = default;
  ~StreamOut() { close(); }
  // Only to a collector of our own user's or root's. Says hello to it with the ring memory's descriptor and
  // waits for its answer. *wanted: false when the collector does not want this process (a child, and children
  // are not profiled).
  base::Status connect(const std::string& path, int ring_fd, bool* wanted);
  // The same with a collector of our own, which may still be starting, at the other end of a socket.
  base::Status greet_own(base::Fd socket, int ring_fd, bool* wanted);
  // Instead of connect(), with the same care: there will be no recording, and why. May fail in silence.
  static void refuse(const std::string& path, const std::string& why);
  // The collector is in our PID namespace: if we are its first process, the kernel ends it with us.
  bool collector_is_near() const { return collector_is_near_; }
  // close() is to return when the collector is done: it closed its end. Before close().
  void wait_at_close() { wait_at_close_ = true; }
  // Creates the file; an existing one is replaced, a symbolic link is not followed.
  base::Status create(const std::string& path);
  base::Status write(std::string_view bytes);
  // A write() that waits for the collector fails, and so does every later one. Any thread, before close().
  void cut();
  void close();
  // The collector wants no more: it shut down its side, or is gone.
  bool collector_is_done() const;
  int fd() const { return fd_.get(); }

 private:
  void keep(base::Fd fd);
  bool is_ours() const;
  base::Status greet(base::Fd socket, int ring_fd, int patience_seconds, bool* wanted);

  base::Fd fd_;
  struct File {
    uint32_t major = 0, minor = 0;
    uint64_t inode = 0;
    bool operator==(const File&) const = default;
  };
  static File file_of(int fd);
  File file_;  // what fd_ was when it was opened
  bool socket_ = false;
  bool collector_is_near_ = false;
  bool wait_at_close_ = false;
};

}  // namespace walkabout::agent
