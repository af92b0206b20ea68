// Takes one sample of the calling thread, in a callback of the runtime's: it walks its own stack and writes
// that, with what a source measured there, into the second lane of its ring (wire::Lane::kCallback). The
// first lane is the sampler's, which may stop the thread here as anywhere.
//
// Each call is an attempt of its source and ends as a sample or as a counted drop; one that its caller sums
// is neither. No allocation, no lock of ours, no wait, no call into the CLR (but the oracle's). The
// runtime's stubs are in no map: for these the walk asks the system's table of functions, which takes the
// system's lock (agent/windows/dynamic_function.h).
#pragma once

#include <atomic>
#include <cstdint>

#include "agent/shared/collecting_thread.h"
#include "agent/shared/event_record.h"
#include "agent/shared/mixed_stack.h"
#include "agent/windows/thread_slot.h"
#include "unwind/code/reader_gate.h"
#include "unwind/managed/pe_walk.h"

namespace walkabout::agent {

// The CLR's own walk of the calling thread from these registers on, for --oracle: those of its topmost
// managed frame. Fills `frames` with at most `capacity` frames.
struct OracleAnswer {
  uint32_t hresult = 0;
  uint32_t frames = 0;
  uint32_t cycles = 0;
};
using OracleWalk = OracleAnswer (*)(const unwind::Registers& seed, const unwind::PeCodeMap& code,
                                    wire::Frame* frames, uint32_t capacity);

struct CaptureSetup {
  unwind::PeCodeMap code;
  unwind::ReaderGate* gate = nullptr;  // of the code
  const CollectingThread* collecting = nullptr;
  NativeFrames native = NativeFrames::kFull;
  uint32_t depth = 2048;
  OracleWalk oracle = nullptr;
  uint64_t tsc_per_ms = 0;  // of the time stamp counter
};

// From whoever called the agent. REQUIRES: ThreadTable::callback_slot() gave the slot to the calling thread.
Dropped capture_here(ThreadSlot& slot, const Event& event);

// Before the first capture.
void set_capture(const CaptureSetup& setup);
const CaptureSetup& capture_setup();
// From now on all is dropped as kStopping, or is captured (again).
void stop_captures(bool stop);

}  // namespace walkabout::agent
