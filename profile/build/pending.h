// The async methods that wait, as a recording's snapshots have them (wire::Snapshot): by logical stack, with
// the await at which each method stands. A reader of its own, because a display frame has no awaits. One
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/model/profile.h"
#include "wire/records.h"

namespace walkabout::profile {

struct PendingFrame {
  std::string name;    // "Demo.Worker.RunAsync() [async]", or a marker: "[unknown awaiters: …]"
  SourcePlace place;   // the await's line, where the recording has lines
  uint32_t await = 0;  // at which of its awaits it is suspended, from 1 in the order of its code; 0: a marker
};

struct PendingStack {
  uint64_t operations = 0;
  uint64_t since_us = 0;             // the earliest snapshot that had one of them; 0: not known
  std::vector<PendingFrame> frames;  // the one that waits first, then who awaits it
};

struct Pending {
  wire::Session session;
  std::vector<wire::Snapshot> snapshots;  // all, in order
  // Of the one that was chosen, the most operations first.
  size_t chosen = 0;
  std::vector<PendingStack> stacks;
  uint64_t duration_us = 0;
  bool recorded = false;  // the source was on
  std::vector<wire::Message> messages;
  std::string damage;
};

// The last snapshot up to to_us.
base::Result<Pending> load_pending(const std::string& path, uint64_t to_us = UINT64_MAX);

}  // namespace walkabout::profile
