// What keeps a traced async method that is suspended in step with itself. AwaitUnsafeOnCompleted may have the
// method go on in another thread before it has returned in this one, which says only then which call waits
// (walkabout_trace_pause). So between the two a method counts as pausing, and who goes on with one of that
// method waits for the call that it is: in preemptive mode, for the other may be stopped for a collection.
//
// Called by jitted code, as agent/trace/traced_call.h says, but for walkabout_trace_await, which is called
// with a transition.
#pragma once

#include <cstdint>

namespace walkabout::agent {

extern "C" {

// A call of the method is about to be suspended.
void walkabout_trace_pausing(uint64_t method);
// walkabout_trace_pause(), and it is no longer about to. pausing: the method and 1; 0: it was not.
void walkabout_trace_paused(uint64_t token, uint64_t outcome, uint64_t identity, uint64_t pausing);
// Before walkabout_trace_resume(): 1 where the call may be one that is not said to wait yet.
uint64_t walkabout_trace_is_early(uint64_t method, uint64_t identity);
// Until it is, or no call of the method is pausing.
void walkabout_trace_await(uint64_t method, uint64_t identity);
}

}  // namespace walkabout::agent
