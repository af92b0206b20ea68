// The words for what the stream says in numbers, as every output spells them. Any thread, no state.
#pragma once

#include <string>

#include "wire/frame.h"
#include "wire/records.h"

namespace walkabout::recording {

const char* to_string(wire::WalkEnd end);      // "rooted" "no_unwind_info" …
const char* to_string(wire::DropCause cause);  // "ring_full" "throttled" …
const char* to_string(wire::Engine engine);    // "perf" "timer"
// The same, and where it does not tick: "perf, not inside system calls".
std::string ticks_of(const wire::Session& session);
const char* to_string(wire::ThreadKind kind);  // "native" "managed" "agent"

// One sentence for a change of the rate; the same as the Message every reader shows.
std::string sentence(const wire::Rate& rate);

}  // namespace walkabout::recording
