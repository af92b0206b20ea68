// The room on the runtime's alternate signal stacks. A null reference in managed code is a SIGSEGV that the
// runtime handles on a stack of 12 KB (.NET 8 to 10): the kernel's frame, then the runtime's handler with two
// register contexts of more than a kilobyte each. When a tick comes then, the kernel puts its frame of
// another 3 to 11 KB there too, and where that does not fit it kills the process. So each managed thread gets
// a larger one. The runtime unmaps whatever stack it finds when the thread ends (FreeSignalAlternateStack).
#pragma once

#include <signal.h>

#include <cstddef>
#include <cstdint>

namespace walkabout::agent {

inline constexpr size_t kAlternateStackBytes = 128 * 1024;  // only pages used are memory

enum class AlternateStack { kEnlarged, kKept, kInUse };

// On the thread itself, outside of signal handlers. Replaces its alternate stack if that is smaller and made
// as the runtime makes them: mapped, its lowest page a guard. Others belong to the program and stay, and one
// that is in use now cannot be replaced.
AlternateStack enlarge_alternate_stack();

// The same in a signal handler (system calls only). The handler's end sets the thread's alternate stack to
// what its frame says (sigreturn), so `frame_stack`, uc_stack of that frame, becomes the new one. The old one
// stays mapped: frames of other handlers may lie on it, or name it and have their ends still before them. The
// handler itself may run on it, but not the code that it interrupted, whose stack pointer is sp.
AlternateStack enlarge_alternate_stack_of(stack_t* frame_stack, uint64_t sp);

// At the end of a thread of the agent's own: the runtime gives an alternate stack to every thread that calls
// it, and unmaps only those of threads it made.
void free_alternate_stack();

}  // namespace walkabout::agent
