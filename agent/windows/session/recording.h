// Everything that exists while samples are taken, in the order it is built. Made by the profiler's
// Initialize, ended by Shutdown.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/core/code_registry.h"
#include "agent/core/spooler.h"
#include "agent/hooks/method_hooks.h"
#include "agent/shared/collecting_thread.h"
#include "agent/sources/table.h"
#include "agent/trace/call_tracing.h"
#include "agent/windows/ring_memory.h"
#include "agent/windows/session/images.h"
#include "agent/windows/session/sampler.h"
#include "agent/windows/session/windows_options.h"
#include "agent/windows/stream_out.h"
#include "agent/windows/thread_table.h"
#include "agent/windows/watchdog.h"
#include "base/mutex.h"
#include "unwind/code/reader_gate.h"

namespace walkabout::agent {

struct Recording {
  Recording() : registry(gate), images(registry), threads(rings) {}

  WindowsOptions options;
  uint32_t runtime_version = 0;  // 10 of .NET 10; 0: not known
  unwind::ReaderGate gate;
  CodeRegistry registry;
  CollectingThread collecting;
  Images images;
  RingMemory rings;
  StreamOut out;
  TextTable texts;
  Tally tally;
  ThreadTable threads;
  Watchdog watchdog;
  std::unique_ptr<TraceReader> trace_reader;
  std::unique_ptr<CallTracing> tracing;  // null: not asked for
  uint64_t monotonic_start_ns = 0;       // of it
  base::Mutex tracing_lock;
  std::string last_traced WALKABOUT_GUARDED_BY(tracing_lock);  // records of the end
  Hooks* hooks = nullptr;  // null: not asked for. The runtime asks it as long as the process lives
  std::unique_ptr<Spooler> spooler;
  std::unique_ptr<Sampler> sampler;
  std::vector<ChosenSource> sources;  // that are on
  std::atomic<bool> sampling{false};
  bool wanted = true;  // the collector wants this process
  base::Mutex ending;
  bool ended WALKABOUT_GUARDED_BY(ending) = false;
};

// Makes all of it and starts to sample.
base::Status begin(Recording& recording, clr::ICorProfilerInfo12* info, const std::string& runtime);
// Last samples written. Once; a second caller waits until it is done.
void end(Recording& recording);

}  // namespace walkabout::agent
