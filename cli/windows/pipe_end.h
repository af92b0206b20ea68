// The collector's end of one connection: an instance of its named pipe. Only the user who runs it may
// connect, and only from this machine. Waits end early when `until`, a handle, is signalled; null: they do
// not.
//
// One thread. Source: CreateNamedPipe, ConnectNamedPipe.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace walkabout::cli {

class PipeEnd {
 public:
  PipeEnd() = default;
  ~PipeEnd() { close(); }
  PipeEnd(const PipeEnd&) = delete;
  PipeEnd& operator=(const PipeEnd&) = delete;
  // first: nobody else has a pipe of that name.
  base::Status make(const std::wstring& name, bool first);
  bool wait_for_client(void* until);
  // Bytes moved; 0: the other end is closed, or `until`.
  size_t read(void* to, size_t size, void* until);
  size_t write(const void* from, size_t size, void* until);
  // The other end sees that.
  void close();

 private:
  size_t finish(bool begun, void* overlapped, void* until);
  void* pipe_ = nullptr;
  void* event_ = nullptr;
};

}  // namespace walkabout::cli
