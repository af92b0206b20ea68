// The return address that the CLR has taken off the stack: to stop a thread in code without safe points, it
// lets the topmost managed method return into a routine of its own (OnHijackTripThread) and keeps the address
// that was there in the thread's Thread object, beside the address of the stack slot. Until the method
// returns, and for a moment after it, the slot cannot be believed: it holds the routine's address, later
// whatever the method returned.
//
// Where in a Thread object the two words lie depends on the runtime's version, so they are searched for: the
// word that is the slot's address, and a return address right beside it. Hijacking is done by the thread
// itself, in the runtime's signal handler, so the words cannot change while its stack is walked.
//
// Nothing of the object is believed; it is read through Memory alone. Async-signal-safe, no CLR call.
// Source: Thread::HijackThread, m_pvHJRetAddr and m_ppvHJRetAddrPtr in src/coreclr/vm/threads.h (.NET 8 to
// 10).
#pragma once

#include <cstdint>

#include "unwind/machine/memory.h"

namespace walkabout::unwind {

struct CodeMap;
class WalkMemo;

// How much of a Thread object is looked at: all of it, in every version so far.
inline constexpr uint64_t kThreadObjectBytes = 4096;

// The return address that was taken from the stack word at `slot`; 0: none was. thread: the Thread object
// (the profiling API's ThreadID). memo: as in stub_step.h.
uint64_t find_hijacked(uint64_t thread, uint64_t slot, const CodeMap& code, const WalkMemo* memo,
                       const Memory& memory);

}  // namespace walkabout::unwind
