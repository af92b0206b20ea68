// The other end of the agent's named pipe: takes the stream and writes it to a file. Only the user who runs
// it may open the pipe, and only from this machine. One thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "recording/stored_file.h"

namespace walkabout::cli {

class Collector {
 public:
  Collector() = default;
  ~Collector();
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;
  base::Status open(const std::wstring& output);
  const std::wstring& pipe_name() const { return name_; }
  // Until the agent closes its end, or `process` ends without having opened its own.
  base::Status collect(void* process);

 private:
  base::Status welcome(void* process, bool* came);
  base::Status write(const std::string& bytes);

  std::wstring name_;
  void* pipe_ = nullptr;
  void* file_ = nullptr;
  recording::StoredFile stored_;
};

}  // namespace walkabout::cli
