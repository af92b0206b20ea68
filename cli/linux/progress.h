// What a terminal shows while a program is recorded: a line with the number of samples, or, where the calls
// of a process are counted, a table of the methods that are called most. Nothing on a pipe. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "cli/linux/outputs.h"
#include "console/live_line.h"

namespace walkabout::cli {

// Nothing: of a command whose calls are counted, for a table would erase what it writes to the terminal.
enum class Live : uint8_t { kSamples, kCalls, kNothing };

class Progress {
 public:
  explicit Progress(Live shows);
  // Cheap to call often.
  void show(const StreamReceivers& receivers);
  void clear();

 private:
  void show_calls(const StreamReceivers& receivers);
  void erase_table();

  LiveLine line_;
  const Live shows_;
  size_t rows_ = 0;  // on the screen
  uint64_t last_ns_ = 0;
  std::unordered_map<const StreamReceiver*, std::vector<uint64_t>> before_;  // by method
};

}  // namespace walkabout::cli
