// The recordings that a verb reads one by one: a file is one, or an index of several (recording/index.h). No
// state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "recording/index.h"

namespace walkabout::cli {

struct RecordingFile {
  std::string path;
  uint32_t pid = 0;           // as the index says it; 0 of a file that is no index
  std::string name;           // "dotnet build"; empty of a file that is no index
  std::string title() const;  // "dotnet build (pid 123)"
};

struct RecordingFiles {
  std::vector<RecordingFile> files;
  std::vector<recording::MissedProcess> missed;
  bool is_index = false;
};

// process: that one alone, 0: all.
base::Result<RecordingFiles> recordings_of(const std::string& file, uint32_t process = 0);

}  // namespace walkabout::cli
