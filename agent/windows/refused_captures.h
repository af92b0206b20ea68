// What the calling thread keeps for EventCapture (agent/sources/event_capture.h): how many captures there had
// been when it was refused a slot; 0: it was not.
#pragma once

#include <cstdint>

namespace walkabout::agent {

uint32_t refused_captures();
void set_refused_captures(uint32_t captures);

}  // namespace walkabout::agent
