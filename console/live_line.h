// The line `run` keeps up to date on a terminal; nothing on a pipe.
#pragma once

#include <cstdint>

namespace walkabout::cli {

class LiveLine {
 public:
  LiveLine();
  // At most twice a second; cheap to call more often.
  void show(uint64_t samples, uint64_t dropped);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  uint64_t start_ns_;
  uint64_t last_ns_ = 0;
  uint64_t last_samples_ = 0;
};

}  // namespace walkabout::cli
