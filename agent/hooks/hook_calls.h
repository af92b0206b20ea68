// Where the stubs lead to (hook_stubs.h), and what the events of exceptions do.
//
// Exceptions are told of apart, and the runtime leaves out some of the frames that they take: on .NET 10
// those of methods whose catch body is left by another exception, on .NET 9 and 10 those that native code had
// called. So each frame has the stack pointer of its method's caller: where a call begins or ends that stands
// no deeper on the stack, the frame is gone. It counts as ended by an exception, and until then.
//
// Thread rule: a thread that runs managed code, in cooperative mode: nothing here waits, allocates or calls
// the CLR. No vector registers but those that the stubs keep.
#pragma once

#include <cstdint>

namespace walkabout::agent {

// method: the index that the mapper gave to the runtime (hooked_methods.h). stack_pointer: of its caller.
extern "C" {
void walkabout_hooked_enter(uint64_t method, uint64_t stack_pointer);
void walkabout_hooked_leave(uint64_t method, uint64_t stack_pointer);
}

// On Windows, where they are the stubs': the thread's last error stays.
extern "C" {
void walkabout_hooked_enter_keeping_error(uint64_t method, uint64_t stack_pointer);
void walkabout_hooked_leave_keeping_error(uint64_t method, uint64_t stack_pointer);
}

// Frames of the calling thread's shadow stack.
uint32_t hooked_depth();
// An exception has taken the frame of this method, if that is the one on top.
void hooked_unwound(uint32_t method);

}  // namespace walkabout::agent
