#include "agent/hooks/hook_calls.h"
#include "agent/windows/last_error.h"

namespace walkabout::agent {

// The variables of a thread are found by functions of the system that set its last error.
extern "C" void walkabout_hooked_enter_keeping_error(uint64_t method, uint64_t stack_pointer) {
  const LastErrorKept kept;
  walkabout_hooked_enter(method, stack_pointer);
}

extern "C" void walkabout_hooked_leave_keeping_error(uint64_t method, uint64_t stack_pointer) {
  const LastErrorKept kept;
  walkabout_hooked_leave(method, stack_pointer);
}

}  // namespace walkabout::agent
