// The signals that ticks may arrive as, in the order in which the agent tries them: it takes the first that
// nobody handles (agent/linux/handler/tick_signal.h), and `walkabout check` says which that would be.
//
// SIGURG first: the kernel ignores it by default, so one that arrives late (after exec, after we are gone)
// harms nobody; no real-time signal, because those fall back to SIGIO, deadly by default, when the queue is
// full. Source: signal(7).
#pragma once

#include <signal.h>

namespace walkabout::wire {

struct SignalName {
  int number;
  const char* name;
};
inline constexpr SignalName kTickSignals[] = {
    {SIGURG, "SIGURG"}, {SIGPROF, "SIGPROF"}, {SIGVTALRM, "SIGVTALRM"}};
// Shared with the program's handler when none is free.
inline constexpr SignalName kSharedTickSignal = kTickSignals[0];

}  // namespace walkabout::wire
