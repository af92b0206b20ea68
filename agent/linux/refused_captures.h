// What the calling thread keeps for EventCapture (agent/sources/event_capture.h): how many captures there had
// been when it was refused a slot; 0: it was not.
#pragma once

#include <cstdint>

namespace walkabout::agent {

inline constinit thread_local uint32_t t_refused_captures = 0;

inline uint32_t refused_captures() { return t_refused_captures; }
inline void set_refused_captures(uint32_t captures) { t_refused_captures = captures; }

}  // namespace walkabout::agent
