// How much of a program's CPU time is in the samples of a recording, and where the rest is as far as the
// recording says. Plain values, added to while it is read.
#pragma once

#include <cstdint>

#include "wire/records.h"
#include "wire/sources.h"

namespace walkabout::recording {

struct Coverage {
  // Of the program's threads without a sample.
  struct Unsampled {
    uint64_t threads = 0;
    uint64_t cpu_ns = 0;
  };
  uint64_t in_samples_ns = 0;
  Unsampled without_clock;
  Unsampled without_tick;  // they had a clock

  bool declared = false;      // a source was
  bool cpu_declared = false;  // CPU time was
  bool traced = false;        // slow calls were

  // False: CPU time was not sampled, so none of it is missing.
  bool is_of_cpu() const { return !declared || cpu_declared; }
  void add_source(base::SourceId source) {
    declared = true;
    cpu_declared |= source == wire::kCpuSource;
    traced |= source == wire::source_id("call");
  }
  void add_weight(uint64_t weight_ns) { in_samples_ns += weight_ns; }
  // A ThreadEnd. sampled: the thread has a sample before it.
  void add_end(const wire::ThreadEnd& end, wire::ThreadKind kind, bool sampled) {
    if (sampled) {
      in_samples_ns += end.unsampled_ns;
    } else if (kind != wire::ThreadKind::kAgent) {
      Unsampled& part = end.without_clock ? without_clock : without_tick;
      ++part.threads;
      part.cpu_ns += end.unsampled_ns;
    }
  }
};

}  // namespace walkabout::recording
