// A thread's shadow stack as another thread, or the thread's own signal handler, sees it.
#pragma once

#include <cstdint>
#include <span>

namespace walkabout::agent {

struct ThreadTrace;

struct ShadowFrame {
  uint64_t number = 0;  // no other frame of the thread ever has it; not 0
  uint64_t begin = 0;   // of the clock (trace_clock.h)
  uint32_t method = 0;
  uint32_t node = 0;  // of the call tree; 0: it is in none, for want of room
};

struct ShadowCopy {
  uint32_t frames = 0;   // copied, the outermost first
  uint32_t certain = 0;  // of them, that stood there all the time; all of them where `whole`
  bool whole = false;    // it is the stack of one moment
  bool cut = false;      // there were more than `out` has room for
};

// Async-signal-safe, no lock; reads at most a few times what is on the stack.
ShadowCopy copy_shadow_stack(const ThreadTrace& thread, std::span<ShadowFrame> out);
// The calling thread's; empty where it has none. From its handler: whole.
ShadowCopy copy_own_shadow_stack(std::span<ShadowFrame> out);

}  // namespace walkabout::agent
