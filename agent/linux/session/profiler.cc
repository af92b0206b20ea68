#include "agent/linux/session/profiler.h"

#include <string.h>

#include <string>
#include <utility>
#include <vector>

#include "agent/linux/handler/alternate_stack.h"
#include "agent/linux/own_stack.h"
#include "agent/linux/own_thread.h"
#include "agent/linux/proc_self.h"
#include "agent/linux/session/oracle.h"
#include "agent/linux/session/recording.h"
#include "agent/shared/error_out.h"
#include "base/clock.h"
#include "clr/abi/hresults.h"
#include "clr/events/event_name.h"
#include "clr/events/eventpipe_method.h"
#include "clr/events/inlining.h"
#include "clr/events/keywords.h"
#include "clr/names/module_info.h"
#include "clr/names/runtime_info.h"
#include "clr/names/utf16.h"

namespace walkabout::agent {
namespace {

// CodeId of the method that this thread compiled last; 0: it compiles, or has not yet. A thread's slot is no
// place for it: a thread that has just begun may have none.
constinit thread_local uint32_t t_compiled = 0;

// ProcessInfo of Microsoft-DotNETCore-EventPipe, which every session gets: sent when one of them begins to
// end. (The runtime provider's event 1 is GCStart.)
constexpr uint32_t kProcessInfo = 1;
// What is always asked for, and what more with the oracle or at an attach.
constexpr uint32_t kEvents =
    clr::COR_PRF_MONITOR_MODULE_LOADS | clr::COR_PRF_MONITOR_THREADS | clr::COR_PRF_MONITOR_SUSPENDS;
constexpr uint32_t kOracleEvents = clr::COR_PRF_ENABLE_STACK_SNAPSHOT;
constexpr uint32_t kAsyncEvents = clr::COR_PRF_MONITOR_CLASS_LOADS;
constexpr uint32_t kHighEvents = clr::COR_PRF_HIGH_MONITOR_EVENT_PIPE;
// Collections; with them the runtime keeps account of the heap's regions.
constexpr uint32_t kHighAsyncEvents = clr::COR_PRF_HIGH_BASIC_GC;
constexpr uint32_t kHighAttachEvents = clr::COR_PRF_HIGH_MONITOR_DYNAMIC_FUNCTION_UNLOADS;
// Beside another profiler the runtime refuses a mask with anything else in it as a whole.
static_assert(((kEvents | kOracleEvents | kAsyncEvents) & ~clr::COR_PRF_ALLOWABLE_NOTIFICATION_PROFILER) ==
              0);
static_assert(((kHighEvents | kHighAttachEvents | kHighAsyncEvents) &
               ~clr::COR_PRF_HIGH_ALLOWABLE_NOTIFICATION_PROFILER) == 0);

// What the agent itself needs.
SourceNeeds own_needs(const Recording& recording, bool attached) {
  const bool async = recording.options.async;
  return {kEvents | (recording.options.oracle && !recording.options.shadow_oracle ? kOracleEvents : 0) |
              (async ? kAsyncEvents : 0) | (recording.options.trace_all ? Hooks::kEvents : 0),
          kHighEvents | (attached ? kHighAttachEvents : 0) | (async ? kHighAsyncEvents : 0),
          recording.options.count.empty() || recording.options.count_by_caller ? clr::kJitKeyword : 0,
          clr::kVerbose};
}

constexpr char kNoHooksNow[] =
    "every method's calls are seen only in a program that walkabout starts, and beside no other profiler; "
    "trace -m PATTERN traces chosen methods of this one";

// The main slot is another profiler's, or that of ours which changes methods.
bool is_notified_only() { return beside_another_profiler() || code_port() != nullptr; }

// The one line a person sees when profiling cannot begin; the program goes on without it.
void report_refusal(const std::string& cause) { report_on_stderr("not profiling this process: " + cause); }

}  // namespace

Profiler::Profiler() = default;
Profiler::~Profiler() = default;

// Asked before everything else. With TRUE the main slot stays another's, and the runtime refuses the event
// masks of ReJIT (which our other one has, code_port.h), of enter and leave hooks and of the collector's work
// (measured on .NET 8, 9 and 10): nothing that we ask for.
clr::HRESULT Profiler::LoadAsNotificationOnly(clr::BOOL* only) {
  *only = is_notified_only() ? 1 : 0;
  return clr::S_OK;
}

clr::HRESULT Profiler::Initialize(clr::IUnknown* info) {
  const base::Lock lock(attaching_);
  remember_stderr();
  std::string problem = open(info, options_from_environment(), false);
  if (problem.empty() && recording_->wanted) {
    enlarge_alternate_stack();  // the main thread's: it will run managed code
    leave_when_let_go();
    problem = begin_sampling(*recording_).message();
  }
  if (!problem.empty()) report_refusal(problem);
  if (!problem.empty() || !recording_->wanted) {
    reset();
    return clr::CORPROF_E_PROFILER_CANCEL_ACTIVATION;
  }
  started_with_program_ = true;
  if (recording_->calls != nullptr)
    problem = recording_->calls->start({}, &recording_->count_tid).message();
  else if (beside_another_profiler())
    recording_->spooler->report(wire::Severity::kInfo, "loaded as a notification profiler (--beside)");
  if (problem = start_events(); !problem.empty())
    recording_->spooler->report(wire::Severity::kWarning, problem);
  return clr::S_OK;
}

std::string Profiler::open(clr::IUnknown* info, const base::Result<Options>& options, bool attached) {
  if (!options.ok()) return options.message();
  info_ = clr::newest_info(info);
  if (!info_) return "this runtime is too old (.NET 8 or later is needed)";
  recording_ = std::make_unique<Recording>();
  recording_->options = *options;
  recording_->attached = attached;
  recording_->sources = make_sources(options->events);
  const std::optional<clr::RuntimeVersion> version = clr::runtime_version(info_.get());
  recording_->runtime_version = version ? version->major : 0;
  if (std::string refusal = refusal_of(recording_->sources, attached, is_notified_only()); !refusal.empty()) {
    recording_.reset();
    return refusal;
  }
  if (options->trace_all && (attached || is_notified_only())) {
    recording_.reset();
    return kNoHooksNow;
  }
  needs_ = needs_of(recording_->sources, own_needs(*recording_, attached), recording_->runtime_version);
  reports_callbacks_ = wire::is_on(options->events, wire::source_id("callbacks"));
  if (clr::failed(info_->SetEventMask2(needs_.callbacks, needs_.high_callbacks))) {
    recording_.reset();
    return "the runtime refused the events that are needed";
  }
  if (options->trace_all) {
    recording_->hooked = new HookedCalls(info_.get(), *options);
    if (base::Status s = recording_->hooked->hooks().set(); !s.ok()) {
      recording_.reset();
      return s.message();
    }
  }
  return prepare(*recording_, info_.get(), clr::runtime_name(info_.get())).message();
}

void Profiler::drop_recording() {
  if (recording_ == nullptr) return;
  const bool prepared = recording_->sampler != nullptr;
  if (prepared) end(*recording_, false);
  if (!prepared || dismantle(*recording_)) {
    recording_.reset();
    return;
  }
  static_cast<void>(recording_.release());  // stays, once
}

void Profiler::reset() {
  if (info_) info_->SetEventMask2(0, 0);
  drop_recording();
  info_.reset();
}

std::string Profiler::start_events() {
  if (!recording_->options.count.empty() && recording_->callers == nullptr) return {};  // of no use
  const CallbackTime::Scope counted(recording_->callbacks);
  return events_.start(info_.get(), needs_.keywords,
                       recording_->options.lines ? clr::kRichDebugInfoKeyword : 0);
}

// Not in a child that the program forked: it has none of our threads, and locks of ours may be held there by
// nobody.
AsyncStacks* Profiler::async_stacks() const {
  return recording_ != nullptr ? recording_->async.get() : nullptr;
}
bool Profiler::is_recording() const { return recording_ != nullptr && recording_->mark.is_own_process(); }

void Profiler::called(clr::Callback which, uintptr_t first, uintptr_t second, uintptr_t third) {
  if (!reports_callbacks_.load(std::memory_order_relaxed) || !is_recording()) return;
  for (const ChosenSource& chosen : recording_->sources)
    chosen.source->on_callback({which, {first, second, third}});
}

clr::HRESULT Profiler::Shutdown() {
  if (!is_recording()) return clr::S_OK;
  if (recording_->watch != nullptr) recording_->watch->cancel();
  end(*recording_, true);
  return clr::S_OK;
}

clr::HRESULT Profiler::ModuleLoadFinished(clr::ModuleID module, clr::HRESULT status) {
  if (!is_recording() || clr::failed(status)) return clr::S_OK;
  const CallbackTime::Scope counted(recording_->callbacks);
  const std::optional<clr::ModuleInfo> loaded = clr::module_info(info_.get(), module);
  if (!loaded) return clr::S_OK;
  if ((loaded->flags & clr::COR_PRF_MODULE_COLLECTIBLE) != 0) recording_->registry.collectible_module(module);
  recording_->registry.module_loaded(module, loaded->path);
  recording_->images.module_loaded(module, loaded->base,
                                   (loaded->flags & clr::COR_PRF_MODULE_FLAT_LAYOUT) != 0, loaded->path);
  if (recording_->calls == nullptr) return clr::S_OK;
  if ((loaded->flags & clr::COR_PRF_MODULE_COLLECTIBLE) != 0)
    recording_->calls->leave_out(loaded->path);  // it may be gone at any later time
  else if (OwnThread::is_current())
    recording_->modules.push_back(module);  // of an attach: it stays
  else
    recording_->calls->module_loaded(module);
  return clr::S_OK;
}

clr::HRESULT Profiler::ModuleUnloadStarted(clr::ModuleID module) {
  if (is_recording()) {
    catch_up_gate_.unloads(module);
    const CallbackTime::Scope counted(recording_->callbacks);
    recording_->images.module_unloaded(module);
    if (Hooks* all = hooks(); all != nullptr) all->methods().module_unloads(module);
    if (recording_->registry.module_unloaded(module) && recording_->async != nullptr)
      recording_->async->learner.module_unloads(module);
  }
  return clr::S_OK;
}

// Asked for with async stacks, or for the source `callbacks`.
clr::HRESULT Profiler::ClassLoadFinished(clr::ClassID type, clr::HRESULT status) {
  if (!is_recording() || recording_->async == nullptr || clr::failed(status)) return clr::S_OK;
  const CallbackTime::Scope counted(recording_->callbacks);
  recording_->async->learner.class_loaded(type);
  return clr::S_OK;
}

clr::HRESULT Profiler::ClassUnloadStarted(clr::ClassID type) {
  if (is_recording() && recording_->async != nullptr) recording_->async->learner.class_unloaded(type);
  return clr::S_OK;
}

// Asked for at an attach only.
clr::HRESULT Profiler::DynamicMethodUnloaded(clr::FunctionID method) {
  if (is_recording()) catch_up_gate_.frees(method);
  return clr::S_OK;
}

clr::HRESULT Profiler::ThreadAssignedToOSThread(clr::ThreadID thread, uint32_t os_thread) {
  if (!is_recording()) return clr::S_OK;
  const CallbackTime::Scope counted(recording_->callbacks);
  const bool own = static_cast<pid_t>(os_thread) == current_tid();
  if (own) enlarge_alternate_stack();  // before its first tick
  if (own && recording_->traced != nullptr) recording_->traced->thread_begins();
  ended_threads_.began(thread);
  if (!recording_->sampling.load()) return clr::S_OK;
  recording_->threads->arm(static_cast<pid_t>(os_thread), thread, true);
  early_names_.began(thread, static_cast<pid_t>(os_thread), *recording_->threads);
  if (own) measure_own_stack(*recording_->threads);
  return clr::S_OK;
}

clr::HRESULT Profiler::ThreadDestroyed(clr::ThreadID thread) {
  if (!is_recording()) return clr::S_OK;
  ended_threads_.ended(thread);
  if (recording_->threads == nullptr) return clr::S_OK;
  // The runtime reports the end of some threads that were not its own on another one.
  const ThreadSlot* slot = current_slot();
  if (slot != nullptr && slot->clr_thread.load(std::memory_order_relaxed) == thread) {
    for (const ChosenSource& chosen : recording_->sources) chosen.source->on_thread_end();
    if (recording_->traced != nullptr) recording_->traced->thread_ends();
  }
  const CallbackTime::Scope counted(recording_->callbacks);
  (void)early_names_.take(thread);
  recording_->threads->clear_clr_thread(thread);
  recording_->threads->note_cpu(current_tid(), base::thread_cpu_ns());
  return clr::S_OK;
}

clr::HRESULT Profiler::ThreadNameChanged(clr::ThreadID thread, uint32_t length, clr::WCHAR* name) {
  if (!is_recording() || recording_->threads == nullptr || name == nullptr) return clr::S_OK;
  const CallbackTime::Scope counted(recording_->callbacks);
  early_names_.name_changed(info_.get(), thread, clr::to_utf8({name, length}), *recording_->threads);
  return clr::S_OK;
}

void Profiler::on_suspension(Source::Suspension what, clr::COR_PRF_SUSPEND_REASON reason) {
  if (!is_recording()) return;
  for (const ChosenSource& chosen : recording_->sources) chosen.source->on_suspension(what, reason);
}

clr::HRESULT Profiler::RuntimeSuspendStarted(clr::COR_PRF_SUSPEND_REASON reason) {
  if (recording_ == nullptr) return clr::S_OK;
  if (is_recording()) catch_up_gate_.suspends();
  recording_->collecting.suspends(reason, current_tid());
  if (is_recording() && recording_->async != nullptr) recording_->async->suspends(reason, current_slot());
  if (recording_->options.oracle) runtime_suspends();
  on_suspension(Source::Suspension::kStarts, reason);
  return clr::S_OK;
}

clr::HRESULT Profiler::RuntimeSuspendFinished() {
  if (AsyncStacks* async = async_stacks(); async != nullptr) async->all_stand();
  on_suspension(Source::Suspension::kAllStand);
  return clr::S_OK;
}

clr::HRESULT Profiler::RuntimeSuspendAborted() {
  if (is_recording()) catch_up_gate_.resumes();
  if (AsyncStacks* async = async_stacks(); async != nullptr) async->resumes();
  on_suspension(Source::Suspension::kEnds);
  return clr::S_OK;
}

clr::HRESULT Profiler::RuntimeResumeStarted() {
  if (is_recording()) catch_up_gate_.resumes();
  if (AsyncStacks* async = async_stacks(); async != nullptr) async->resumes();
  on_suspension(Source::Suspension::kEnds);
  if (recording_ != nullptr) recording_->collecting.resumes();
  return clr::S_OK;
}

clr::HRESULT Profiler::RuntimeResumeFinished() {
  if (recording_ != nullptr && recording_->options.oracle) runtime_resumed();
  return clr::S_OK;
}

// Asked for with async stacks, or for the source `callbacks`.
clr::HRESULT Profiler::GarbageCollectionStarted(int generations, clr::BOOL* collected,
                                                clr::COR_PRF_GC_REASON) {
  constexpr int kFull = clr::COR_PRF_GC_GEN_2;
  if (AsyncStacks* async = async_stacks(); async != nullptr)
    async->collections.started(generations > kFull && collected[kFull] != 0);
  return clr::S_OK;
}

clr::HRESULT Profiler::GarbageCollectionFinished() {
  if (AsyncStacks* async = async_stacks(); async != nullptr) async->collection_finished();
  return clr::S_OK;
}

clr::HRESULT Profiler::RuntimeThreadSuspended(clr::ThreadID thread) {
  if (!is_recording()) return clr::S_OK;
  for (const ChosenSource& chosen : recording_->sources) chosen.source->on_thread_stopped(thread);
  return clr::S_OK;
}

// Asked for with the hooks, or for the source `callbacks`.
Hooks* Profiler::hooks() const {
  return is_recording() && recording_->hooked != nullptr ? &recording_->hooked->hooks() : nullptr;
}

clr::HRESULT Profiler::ExceptionSearchFilterEnter(clr::FunctionID) {
  if (Hooks* all = hooks(); all != nullptr) all->filter_begins();
  return clr::S_OK;
}

clr::HRESULT Profiler::ExceptionSearchFilterLeave() {
  if (Hooks* all = hooks(); all != nullptr) all->filter_ends();
  return clr::S_OK;
}

clr::HRESULT Profiler::ExceptionUnwindFunctionEnter(clr::FunctionID function) {
  if (Hooks* all = hooks(); all != nullptr) all->unwind_begins(function);
  return clr::S_OK;
}

clr::HRESULT Profiler::ExceptionUnwindFunctionLeave() {
  if (Hooks* all = hooks(); all != nullptr) all->unwind_ends();
  return clr::S_OK;
}

clr::HRESULT Profiler::ExceptionCatcherEnter(clr::FunctionID function, clr::ObjectID) {
  if (Hooks* all = hooks(); all != nullptr) all->is_caught_by(function);
  return clr::S_OK;
}

clr::HRESULT Profiler::EventPipeEventDelivered(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id,
                                               uint32_t event_version, uint32_t, const uint8_t*,
                                               uint32_t data_size, const uint8_t* data, const clr::GUID*,
                                               const clr::GUID*, clr::ThreadID, uint32_t, uintptr_t*) {
  if (!is_recording()) return clr::S_OK;
  const RuntimeEvent event{event_id, event_version, {data, data_size}};
  const bool of_runtime = events_.is_of_runtime(provider, event_id);
  note_code(event, of_runtime);
  if (event.id == clr::kJittedMethodRichDebugInfo && !of_runtime && recording_->options.lines &&
      events_.is_private(provider))
    note_inlined(event);
  if (of_runtime) {
    for (const ChosenSource& chosen : recording_->sources) chosen.source->on_event(event);
  }
  return clr::S_OK;
}

// Its stack is not there while sources walk.
__attribute__((noinline)) void Profiler::note_code(const RuntimeEvent& event, bool of_runtime) {
  ThreadSlot* slot = current_slot();
  if (event.id == clr::kMethodJittingStarted) {
    const bool seen = recording_->images.knows_jit_compiler();
    if (slot != nullptr)
      slot->in_jit.store(seen ? kTicksAroundCompiler : kAnyNumberOfTicks, std::memory_order_relaxed);
    t_compiled = 0;
  } else if (event.id == clr::kMethodLoadVerbose) {
    const CallbackTime::Scope counted(recording_->callbacks);
    clr::MethodLoad load;
    // Of dynamic methods: other events name their types.
    clr::LoadedTypes types(*info());
    base::CodeId code;
    if (clr::parse_method_load(event.payload, event.version, &load))
      code = recording_->registry.jitted(load, load.dynamic ? &types : nullptr);
    if (slot != nullptr) slot->in_jit.store(0, std::memory_order_relaxed);
    t_compiled = code.value;
  } else if (event.id == clr::kMethodUnloadVerbose) {
    const CallbackTime::Scope counted(recording_->callbacks);
    clr::MethodUnload unload;
    if (clr::parse_method_unload(event.payload, event.version, &unload))
      recording_->registry.unloaded(unload);
  } else if (event.id == kProcessInfo && !of_runtime) {
    recording_->registry.session_ended(base::monotonic_ns());
  }
}

__attribute__((noinline)) void Profiler::note_inlined(const RuntimeEvent& event) {
  const CallbackTime::Scope counted(recording_->callbacks);
  clr::RichDebugInfo said;
  const bool whole = clr::parse_rich_debug_info(event.payload, event.version, &said);
  const base::CodeId code(whole ? t_compiled : 0);
  recording_->registry.inlined(code, said.method_id, said.data);
}

}  // namespace walkabout::agent
