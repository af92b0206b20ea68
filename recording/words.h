// The words for the stream's enums, as every output spells them. Any thread, no state.
#pragma once

#include "wire/frame.h"
#include "wire/records.h"

namespace walkabout::recording {

const char* to_string(wire::WalkEnd end);      // "rooted" "no_unwind_info" …
const char* to_string(wire::DropCause cause);  // "ring_full" "throttled" …
const char* to_string(wire::Engine engine);    // "perf" "timer"
const char* to_string(wire::ThreadKind kind);  // "native" "managed" "agent"

}  // namespace walkabout::recording
