// A source of samples: what it declares, what it needs of the runtime, and its life within a recording. Each
// is one file pair here and one row in wire/sources.h.
//
// How a source takes samples: capture_here() in a callback of the runtime's, on the thread the event is
// about (agent/linux/handler/capture.h, agent/windows/capture.h). On Linux also: capture_about() on a thread
// of its own, which add_writer() gave a slot, for threads that stand still; a rider, which the thread's next
// tick takes along (agent/linux/handler/rider.h). These count the attempts, samples and drops, but for events
// that the source sums. What a source leaves out before it calls them it counts with count_drop(). So
// Counters add up for each source (agent/shared/thread_view.h) without a word from it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agent/core/os.h"
#include "agent/core/spooler.h"
#include "agent/core/tally.h"
#include "agent/core/text_table.h"
#include "agent/shared/collecting_thread.h"
#include "base/result.h"
#include "clr/abi/callback_report.h"
#include "clr/abi/enums.h"
#include "clr/abi/info.h"
#include "clr/abi/types.h"
#include "wire/records.h"

namespace walkabout::agent {

// What a source works with. All of it outlives the source's stop().
struct SourceContext {
  ThreadTable& threads;
  Spooler& spooler;
  const CollectingThread& collecting;
  TextTable& texts;
  Tally& tally;
  clr::ICorProfilerInfo12* info = nullptr;
  uint32_t runtime = 0;    // the first number of its version, 10 of .NET 10; 0: not known
  uint64_t period_ns = 0;  // as chosen; 0: it takes none
};

// What the runtime must be asked for.
struct SourceNeeds {
  uint32_t callbacks = 0;       // COR_PRF_MONITOR
  uint32_t high_callbacks = 0;  // COR_PRF_HIGH_MONITOR
  uint64_t keywords = 0;        // of the runtime's event provider
  uint32_t level = 0;           // of these; 1 to 5
};

// An event of the runtime's provider, in the middle of what raised it and on its thread.
struct RuntimeEvent {
  uint32_t id = 0;
  uint32_t version = 0;
  std::span<const uint8_t> payload;
};

class Source {
 public:
  Source() = default;
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // What its samples have. id and name are the row's.
  virtual wire::Source declaration(uint64_t period_ns) const = 0;
  // Of one that has parts (wire/sources.h): which are wanted. Before what follows.
  virtual void choose(uint32_t /*parts*/) {}
  // runtime: the first number of its version, 10 of .NET 10.
  virtual SourceNeeds needs(uint32_t /*runtime*/) const { return {}; }
  // Why it cannot be had by a profiler that is attached, or beside another one; empty: it can.
  virtual std::string refusal(bool /*attached*/, bool /*beside*/) const { return {}; }
  // Before the first thread of the program is armed. Threads of its own it has left out of the thread table
  // (exclude()) and counted (Spooler::add_helper) when this returns.
  virtual base::Status start(const SourceContext& context) = 0;
  // While captures still count; nothing is captured when it returns. Also where start() failed, or was not
  // called.
  virtual void stop() = 0;
  // Any thread, in the middle of the runtime: no wait, no call into the CLR that may wait.
  virtual void on_event(const RuntimeEvent& /*event*/) {}
  // Any thread, in a callback of the runtime's: as on_event(), in any mode of the thread.
  virtual void on_callback(const clr::CallbackCall& /*call*/) {}
  // A method begins to be compiled, and has been, on the thread that does it. Called where the JIT's
  // callbacks are taken (Windows); on Linux the same comes as on_event(). As on_callback().
  virtual void on_compile_begin(clr::FunctionID /*method*/, uint32_t /*il_size*/) {}
  virtual void on_compile_end(clr::FunctionID /*method*/, uint32_t /*code_size*/) {}
  // The runtime stops all managed threads, on the thread that does it and under the lock of its thread store:
  // no thread's object goes away from kStarts to kEnds, and no other thread stops them. As on_event().
  enum class Suspension : uint8_t { kStarts, kAllStand, kEnds };
  virtual void on_suspension(Suspension /*what*/, clr::COR_PRF_SUSPEND_REASON /*of kStarts*/) {}
  // The calling thread, which the runtime knows as this, stands still because of it, from now until it ends.
  virtual void on_thread_stopped(clr::ThreadID /*thread*/) {}
  // A managed thread, shortly before its end, on it.
  virtual void on_thread_end() {}
};

}  // namespace walkabout::agent
