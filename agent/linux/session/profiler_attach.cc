// The profiler's way into a process that runs already, and out again.
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/linux/calls/ballast.h"
#include "agent/linux/own_thread.h"
#include "agent/linux/session/catch_up.h"
#include "agent/linux/session/profiler.h"
#include "agent/linux/session/recording.h"
#include "clr/abi/enumerate.h"
#include "clr/abi/hresults.h"
#include "clr/abi/info_helpers.h"
#include "wire/agent_id.h"
#include "wire/client_data.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

// When the CLR first looks whether its threads have left the profiler's callbacks. It rounds up to 300 and
// looks again after twice as long, then every five seconds (profdetach.cpp).
constexpr uint32_t kEvacuationMs = 300;

constexpr useconds_t kBetweenTriesUs = 1'000'000;
constexpr uint32_t kMostTries = 600;

// The collector's user reads it; the program's does not.
void report_to_collector(Recording& recording, const std::string& problem) {
  if (!recording.out.is_open()) return;
  if (recording.spooler != nullptr && recording.spooler->tid() != 0)  // it writes already
    return recording.spooler->report(wire::Severity::kWarning, problem);
  std::string record;
  wire::encode(wire::Message{0, wire::Severity::kWarning, problem}, record);
  const base::Status ignored = recording.out.write(record);
}

// The runtime refuses where it lacks memory.
bool lets_go(clr::HRESULT hresult) {
  return !clr::failed(hresult) || hresult == clr::CORPROF_E_PROFILER_DETACHING;
}

// The diagnostics server's thread becomes one of the CLR's own by starting the event session in the middle of
// a callback, and from then on the enumerations are refused it (CORPROF_E_UNSUPPORTED_CALL_SEQUENCE). A
// thread the CLR does not know may enumerate.
base::Status unknown_to_clr(std::function<void()> enumerate) {
  OwnThread thread;
  std::atomic<pid_t> tid{0};
  base::Status started = thread.start("walkabout-catch", &tid, std::move(enumerate));
  thread.join();
  return started;
}

}  // namespace

// Runs on the diagnostics server's thread; the attaching CLI gets the result.
clr::HRESULT Profiler::InitializeForAttach(clr::IUnknown* info, void* data, uint32_t size) {
  // Beside another profiler the runtime lets us be attached to a process that we were started with.
  if (started_with_program_) return clr::CORPROF_E_PROFILER_ALREADY_ACTIVE;
  const std::unique_lock lock(attaching_, std::try_to_lock);
  if (!lock || recording_ != nullptr) return clr::CORPROF_E_PROFILER_DETACHING;
  const std::string_view client_data(static_cast<const char*>(data), data != nullptr ? size : 0);
  leaving_.store(false);
  catch_up_gate_.reset();
  if (code_port() != nullptr && !are_notified_profilers_called())
    return static_cast<clr::HRESULT>(wire::kUnheard);
  const std::string problem = open(info, options_from_client_data(client_data), true);
  if (problem.empty() && recording_->wanted) return clr::S_OK;
  if (recording_ != nullptr && recording_->out.is_open())
    report_to_collector(*recording_, problem);
  else if (!problem.empty())
    StreamOut::refuse(wire::client_value(client_data, "WALKABOUT_SOCKET"), problem);
  reset();
  return clr::CORPROF_E_PROFILER_CANCEL_ACTIVATION;
}

// Events first, so that no method falls between them and what is found.
clr::HRESULT Profiler::ProfilerAttachComplete() {
  const base::Lock lock(attaching_);
  if (recording_ == nullptr) return clr::S_OK;
  const std::string no_events = start_events();
  std::vector<ManagedThread> managed;
  ended_threads_.begin();
  base::Status begun = unknown_to_clr([this, &managed] {
    catch_up_gate_.run([this] { catch_up(); });
    managed = managed_threads();
  });
  recording_->watch = std::make_unique<DetachWatch>(recording_->out);
  if (begun.ok()) begun = recording_->watch->start([this] { leave(); });
  if (begun.ok()) begun = begin_sampling(*recording_);
  if (begun.ok() && recording_->calls != nullptr) {
    begun = recording_->calls->start(std::move(recording_->modules), &recording_->count_tid);
    recording_->threads->exclude(recording_->count_tid);
  }
  if (!begun.ok()) {
    ended_threads_.end();
    report_to_collector(*recording_, begun.message());
    leave();
    return clr::S_OK;
  }
  for (const ManagedThread& thread : managed) {  // armed already: now known as managed
    ended_threads_.unless_ended(thread.id, [&] { recording_->threads->arm(thread.tid, thread.id, false); });
  }
  ended_threads_.end();
  if (!no_events.empty()) recording_->spooler->report(wire::Severity::kWarning, no_events);
  if (catch_up_gate_.gave_up())
    recording_->spooler->report(
        wire::Severity::kWarning,
        "the runtime was too slow to tell what it had compiled before: some methods stay unnamed");
  return clr::S_OK;
}

void Profiler::catch_up() {
  catch_up_with_modules();
  if (!recording_->needs_code()) return recording_->registry.maintain();
  find_compiled_methods(info_.get(), recording_->runtime_version, recording_->registry, catch_up_gate_,
                        [this] {
                          std::vector<Mapping> memory;
                          recording_->host.call([&memory] { memory = mappings(); });
                          return memory;
                        });
  recording_->registry.maintain();
}

void Profiler::catch_up_with_modules() {
  recording_->modules.clear();
  recording_->images.search_later();  // callbacks wait for a question
  std::vector<clr::ModuleID> all;
  {
    const CatchUpGate::Question question(catch_up_gate_);
    clr::ComPtr<clr::ICorProfilerModuleEnum> modules;
    if (clr::failed(info_->EnumModules(modules.put()))) return;
    clr::for_each(*modules.get(), [this, &all](clr::ModuleID module) {
      catch_up_gate_.listed(module);
      all.push_back(module);
    });
  }
  for (const clr::ModuleID module : all) {
    const CatchUpGate::Question question(catch_up_gate_);
    if (question.may_ask() && question.is_loaded(module)) ModuleLoadFinished(module, clr::S_OK);
  }
  recording_->images.find_wanted_pe();
}

// The list is made under the lock of the runtime's threads: not within a question (catch_up_gate.h).
std::vector<Profiler::ManagedThread> Profiler::managed_threads() {
  std::vector<ManagedThread> found;
  clr::ComPtr<clr::ICorProfilerThreadEnum> threads;
  if (clr::failed(info_->EnumThreads(threads.put()))) return found;
  clr::for_each(*threads.get(), [this, &found](clr::ThreadID thread) {
    ended_threads_.unless_ended(thread, [&] {
      uint32_t os_thread = 0;
      if (!clr::failed(info_->GetThreadInfo(thread, &os_thread)) && os_thread != 0)
        found.push_back({static_cast<pid_t>(os_thread), thread});
    });
  });
  return found;
}

// On the detach watch's thread, or where no thread was to be had. Afterwards no callback comes any more, and
// the CLR waits for those under way.
void Profiler::leave() {
  if (leaving_.exchange(true)) return;
  end(*recording_, false);
  events_.stop();
  // What hangs in a call into the runtime must come out of it before info_'s object is gone.
  for (uint32_t i = 0; i < kMostTries; ++i) {
    if (recording_->spooler->at_rest()) {
      const clr::HRESULT answer = info_->RequestProfilerDetach(kEvacuationMs);
      if (lets_go(answer)) return;
      // With some callbacks it keeps a profiler to the end: without the others at least.
      if (answer == clr::CORPROF_E_IMMUTABLE_FLAGS_SET) {
        info_->SetEventMask2(needs_.callbacks & clr::COR_PRF_MONITOR_IMMUTABLE, 0);
        return;
      }
    }
    ::usleep(kBetweenTriesUs);
  }
}

// A process that outlives the command of `walkabout run`: the collector says when it has enough. On a thread
// of its own, because the spooler's is waited for.
void Profiler::leave_when_let_go() {
  if (recording_->options.socket.empty()) return;
  recording_->spooler->when_done([this] {
    OwnThread thread;
    const base::Status started = thread.start("walkabout-leave", &leaving_tid_, [this] {
      {
        const base::Lock begun(attaching_);
        if (recording_ == nullptr) return;  // it did not begin
      }
      recording_->threads->exclude(leaving_tid_.load());
      leave();
    });
    if (started.ok()) thread.detach();
  });
}

// On the CLR's detach thread: nothing of the runtime is in here any more.
clr::HRESULT Profiler::ProfilerDetachSucceeded() {
  const base::Lock lock(attaching_);
  drop_recording();
  // Our threads came and went, and took other arenas each time: without this every arena of the process would
  // end up with pages that only we needed.
  ::malloc_trim(0);
  info_.reset();
  started_with_program_.store(false);
  return clr::S_OK;
}

}  // namespace walkabout::agent
