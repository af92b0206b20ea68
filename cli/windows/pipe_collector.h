// The other end of the agent's named pipe: takes the stream of the first agent that comes and writes it to a
// file; the others are told that they are not wanted. One thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/windows/new_recording.h"
#include "cli/windows/pipe_end.h"
#include "cli/windows/refusals.h"
#include "recording/stored_file.h"

namespace walkabout::cli {

class Collector {
 public:
  base::Status open(const std::wstring& output);
  const std::wstring& pipe_name() const { return name_; }
  // Until the agent closes its end, or `process` ends without having opened its own. Where something was
  // recorded the output has it, also after an error; the agent is not waited for then.
  base::Status collect(void* process);

 private:
  base::Status take_stream();

  std::wstring name_;
  PipeEnd pipe_;
  NewRecording file_;
  recording::StoredFile stored_;
  Refusals refusals_;
};

}  // namespace walkabout::cli
