// What the verbs that are shared with Linux cannot do here, and say so.
#include "cli/copy_recording.h"
#include "cli/recording_set.h"
#include "launch/session_dir.h"

namespace walkabout::cli {

base::Result<std::string> copy_recording(const std::string&, const std::string& to, const RecordingEdit&) {
  return base::Status::error(
      "cannot write " + to +
      ": a recording is written again with a library of Linux (zstd): convert it there");
}

base::Result<SessionDir> SessionDir::create() {
  return base::Status::error("--redact works with a library of Linux (zstd): use it there");
}

SessionDir::~SessionDir() = default;

base::Status write_recording_set(const std::string& /*to*/, const RecordingFiles& /*from*/,
                                 const CopyRecording& /*copy*/) {
  return base::Status::error("recordings are copied on Linux: --process chooses one to convert");
}

}  // namespace walkabout::cli
