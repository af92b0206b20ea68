// Everything that exists while samples are taken, in the order it is built; taken down in the order that
// keeps a handler that is still running from touching what is gone. Made by Profiler::Initialize or
// InitializeForAttach, ended by Shutdown or, when the agent leaves, by the detach watch.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "agent/core/callback_time.h"
#include "agent/core/code_registry.h"
#include "agent/core/spooler.h"
#include "agent/linux/calls/call_counters.h"
#include "agent/linux/calls/caller_counts.h"
#include "agent/linux/calls/method_probe.h"
#include "agent/linux/calls/method_probing.h"
#include "agent/linux/descriptor_host.h"
#include "agent/linux/handler/fork_mark.h"
#include "agent/linux/handler/handler.h"
#include "agent/linux/handler/self_memory.h"
#include "agent/linux/ring_memory.h"
#include "agent/linux/session/async_stacks.h"
#include "agent/linux/session/detach_watch.h"
#include "agent/linux/session/hooked_calls.h"
#include "agent/linux/session/images.h"
#include "agent/linux/session/sampler.h"
#include "agent/linux/session/traced_calls.h"
#include "agent/linux/stream_out.h"
#include "agent/linux/thread_table.h"
#include "agent/shared/collecting_thread.h"
#include "agent/shared/options.h"
#include "agent/sources/chosen_sources.h"
#include "base/mutex.h"
#include "unwind/code/reader_gate.h"

namespace walkabout::agent {

struct Recording {
  Recording() : registry(gate), images(registry, host), rings(host), out(host) {}

  // Compiled code has to be known: for stacks of samples, or for callers.
  bool needs_code() const { return walks_stacks() || options.count_by_caller; }
  // Some event that is on has samples of stacks.
  bool walks_stacks() const {
    return std::any_of(options.events.begin(), options.events.end(),
                       [](const wire::SourceChoice& choice) { return choice.id != wire::kAsyncRow.id; });
  }

  Options options;
  clr::ICorProfilerInfo12* info = nullptr;  // as prepare() was given it
  bool attached = false;                    // the program ran already
  uint32_t runtime_version = 0;             // 10 of .NET 10; 0: not known
  const ForkMark mark;
  const OwnProcess process{mark};
  DescriptorHost host;  // goes last: the others have descriptors there
  unwind::ReaderGate& gate = tick_gate();
  CodeRegistry registry;
  CollectingThread collecting;
  CallbackTime callbacks;
  Images images;
  RingMemory rings;
  StreamOut out;
  TextTable texts;
  Tally tally;
  std::unique_ptr<AsyncStacks> async;  // null: not asked for
  std::unique_ptr<CallCounters> call_counters;
  std::unique_ptr<CallerCounts> callers;  // null: not asked for
  std::unique_ptr<TracedCalls> traced;    // null: not asked for
  std::unique_ptr<MethodProbe> probe;
  std::unique_ptr<MethodProbing> calls;  // null: not asked for
  HookedCalls* hooked = nullptr;         // null: not asked for
  std::vector<clr::ModuleID> modules;    // of an attach that counts calls: that were there, and stay
  std::atomic<pid_t> count_tid{0};
  std::unique_ptr<ThreadTable> threads;
  std::unique_ptr<Spooler> spooler;
  std::unique_ptr<Sampler> sampler;
  std::vector<ChosenSource> sources;   // that are on
  std::unique_ptr<DetachWatch> watch;  // of an agent that was attached
  std::atomic<bool> sampling{false};   // threads are armed, and new ones arm themselves
  bool wanted = true;                  // the collector wants this process
  base::Mutex ending;
  bool ended WALKABOUT_GUARDED_BY(ending) = false;
  bool left_hanging WALKABOUT_GUARDED_BY(ending) = false;  // the spooler could not be joined
};

// Makes all of it; nothing ticks yet. On an error nothing is left behind.
base::Status prepare(Recording& recording, clr::ICorProfilerInfo12* info, const std::string& runtime);
// From here on the calling thread and all others are sampled. On an error nothing runs, end() still cleans
// up.
base::Status begin_sampling(Recording& recording);
// Clocks off, last samples written. Once; a second caller waits until it is done. process_ends: nothing of
// the process comes behind it.
void end(Recording& recording, bool process_ends);
// After end(): puts the signal's handler back and waits until nothing of the process can be at work in the
// recording. False if something still may be: then it must not be freed.
bool dismantle(Recording& recording);

}  // namespace walkabout::agent
