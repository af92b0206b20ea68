// Reads a .walk file from front to back, holding one block at a time. Damage is no error: everything before
// it is delivered, and the summary says in one sentence what was left out and where. One thread per call, no
// state.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "recording/raw_record.h"
#include "recording/visitor.h"

namespace walkabout::recording {

struct ReadSummary {
  uint64_t records = 0;  // delivered
  uint64_t file_bytes = 0;
  uint64_t lost_bytes = 0;  // of the file, after the damage
  bool ended = false;       // the agent's End was there
  std::string damage;       // empty, or one sentence
};

// Error: the file cannot be opened or is no .walk file. Never for damage.
base::Result<ReadSummary> read_recording(const std::string& path, RecordVisitor& visitor);

// The same with the bytes of each record, which were decoded and found good, after the visitor saw it. An
// error of `on_record` ends the reading and is returned.
using OnRecord = std::function<base::Status(const RawRecord&)>;
base::Result<ReadSummary> read_recording(const std::string& path, RecordVisitor& visitor,
                                         const OnRecord& on_record);

}  // namespace walkabout::recording
