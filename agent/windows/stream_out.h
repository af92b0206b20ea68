// Where the stream goes: the collector's named pipe or a file. Writes may block: only the spooler writes. A
// failure is final: what was written stays, nothing more is tried.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "base/result.h"

namespace walkabout::agent {

class StreamOut {
 public:
  StreamOut() = default;
  ~StreamOut() { close(); }
  StreamOut(const StreamOut&) = delete;
  StreamOut& operator=(const StreamOut&) = delete;
  // Says hello to the collector (wire/hello.h) and waits for its answer. *wanted: false when the collector
  // does not want this process.
  base::Status connect(const std::string& pipe, bool* wanted);
  // Creates the file; an existing one is replaced.
  base::Status create(const std::string& path);
  base::Status write(std::string_view bytes);
  // A write() that waits for the collector fails. Any thread, before close().
  void cut();
  void close();
  // There the collector ends with the command.
  bool collector_is_done() const { return false; }

 private:
  void* handle_ = nullptr;
};

}  // namespace walkabout::agent
