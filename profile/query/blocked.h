// What threads did in the time that a view shows, and what they waited for: by their state, by the system
// call they were blocked in, and by the method that waits. Any thread, no state.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

inline constexpr uint32_t kNoFrame = UINT32_MAX;

struct BlockedCall {
  uint64_t call = 0;  // value of a label of type wire::LabelType::kSystemCall
  Amount amount;
};

// Of what a thread waits for the stack shows the method that waits ("Monitor.Enter") and who called it. Which
// lock, socket or file it is, a stack does not show.
struct Wait {
  uint32_t method = kNoFrame;  // index into frames; kNoFrame: no managed code is on the stack
  uint32_t caller = kNoFrame;  // kNoFrame: the runtime's own
  Amount amount;
};

// A wait as nodes of the tree, callers of the node where the thread was blocked. 0: none.
struct WaitNodes {
  uint32_t method = 0;
  uint32_t caller = 0;
};
WaitNodes wait_of(const Profile& profile, uint32_t node);

struct Blocked {
  std::array<Amount, 4> states;    // by wire::ThreadState; the first: the recording does not say
  std::vector<BlockedCall> calls;  // heaviest first; empty where the source has no such label
  std::vector<Wait> waits;         // heaviest first
};

// None where the source of the view does not tell states apart.
std::optional<Blocked> blocked(const Profile& profile, View view);

// The label of this type that a source has.
std::optional<size_t> find_label(const wire::Source& source, wire::LabelType type);
// A sample's label. 0 where it has none.
uint64_t label_of(const Profile& profile, uint32_t label_set, std::optional<size_t> label);

}  // namespace walkabout::profile
