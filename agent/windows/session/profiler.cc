#include "base/windows/win32.h"
// after win32.h
#include <unistd.h>

#include "agent/entry/make_profiler.h"
#include "agent/shared/error_out.h"
#include "agent/windows/last_error.h"
#include "agent/windows/session/oracle.h"
#include "agent/windows/session/profiler.h"
#include "clr/abi/callback_report.h"
#include "clr/abi/hresults.h"
#include "clr/names/il_size.h"
#include "clr/names/module_info.h"
#include "clr/names/runtime_info.h"
#include "clr/names/utf16.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kEvents = clr::COR_PRF_MONITOR_MODULE_LOADS | clr::COR_PRF_MONITOR_THREADS |
                             clr::COR_PRF_ENABLE_STACK_SNAPSHOT | clr::COR_PRF_MONITOR_JIT_COMPILATION |
                             clr::COR_PRF_MONITOR_SUSPENDS;
constexpr uint32_t kHighEvents = clr::COR_PRF_HIGH_MONITOR_DYNAMIC_FUNCTION_UNLOADS;

// Of an agent that needs no event of the runtime's provider by itself.
RuntimeNeeds all_needs(const Recording& recording) {
  const uint32_t hooks = recording.options.common.trace_all ? Hooks::kEvents : 0;
  RuntimeNeeds needs =
      needs_of(recording.sources, {kEvents | hooks, kHighEvents, 0, 0}, recording.runtime_version);
  if (!needs.keywords.empty()) needs.high_callbacks |= clr::COR_PRF_HIGH_MONITOR_EVENT_PIPE;
  return needs;
}

void report_refusal(const std::string& cause) { report_on_stderr("not profiling this process: " + cause); }

}  // namespace

clr::CallbackBase* make_profiler() { return new clr::Reporting<WindowsProfiler>; }

clr::HRESULT WindowsProfiler::Initialize(clr::IUnknown* info) {
  if (const std::string problem = open(info); !problem.empty()) {
    report_refusal(problem);
    if (recording_ != nullptr) end(*recording_);
    static_cast<void>(recording_.release());  // threads of ours may be in it
    reports_compiles_ = false;
    return clr::CORPROF_E_PROFILER_CANCEL_ACTIVATION;
  }
  if (!recording_->wanted) return clr::CORPROF_E_PROFILER_CANCEL_ACTIVATION;
  return clr::S_OK;
}

std::string WindowsProfiler::open(clr::IUnknown* info) {
  const base::Result<WindowsOptions> options = windows_options();
  if (!options.ok()) return options.message();
  info_ = clr::newest_info(info);
  if (!info_) return "this runtime is too old (.NET 8 or later is needed)";
  recording_ = std::make_unique<Recording>();
  recording_->options = *options;
  recording_->sources = make_sources(options->common.events);
  const std::optional<clr::RuntimeVersion> version = clr::runtime_version(info_.get());
  recording_->runtime_version = version ? version->major : 0;
  if (std::string refusal = refusal_of(recording_->sources, false, false); !refusal.empty()) return refusal;
  reports_callbacks_ = wire::is_on(options->common.events, wire::source_id("callbacks"));
  reports_compiles_ = wire::is_on(options->common.events, wire::source_id("jit"));
  const RuntimeNeeds needs = all_needs(*recording_);
  if (clr::failed(info_->SetEventMask2(needs.callbacks, needs.high_callbacks)))
    return "the runtime refused the events that are needed";
  if (options->common.trace_all) {
    recording_->hooks = new Hooks(info_.get(), options->common.trace);
    if (base::Status s = recording_->hooks->set(); !s.ok()) return s.message();
  }
  jit_ = std::make_unique<JitCode>(info_.get(), recording_->registry);
  if (base::Status s = begin(*recording_, info_.get(), clr::runtime_name(info_.get()));
      !s.ok() || !recording_->wanted)
    return s.message();
  if (std::string problem = events_.start(info_.get(), needs.keywords); !problem.empty())
    recording_->spooler->report(wire::Severity::kWarning, problem);
  return {};
}

void WindowsProfiler::called(clr::Callback which, uintptr_t first, uintptr_t second, uintptr_t third) {
  if (!reports_callbacks_.load(std::memory_order_relaxed) || recording_ == nullptr) return;
  const LastErrorKept kept;
  for (const ChosenSource& chosen : recording_->sources)
    chosen.source->on_callback({which, {first, second, third}});
}

clr::HRESULT WindowsProfiler::Shutdown() {
  if (recording_ != nullptr) end(*recording_);
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::ModuleLoadFinished(clr::ModuleID module, clr::HRESULT status) {
  if (recording_ == nullptr || clr::failed(status)) return clr::S_OK;
  const std::optional<clr::ModuleInfo> loaded = clr::module_info(info_.get(), module);
  if (!loaded) return clr::S_OK;
  if ((loaded->flags & clr::COR_PRF_MODULE_COLLECTIBLE) != 0) recording_->registry.collectible_module(module);
  recording_->registry.module_loaded(module, loaded->path);
  if ((loaded->flags & clr::COR_PRF_MODULE_FLAT_LAYOUT) == 0)
    recording_->images.module_loaded(loaded->base, loaded->path);
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::ModuleUnloadStarted(clr::ModuleID module) {
  const uint8_t* base = nullptr;
  uint32_t length = 0;
  clr::AssemblyID assembly = 0;
  if (recording_ == nullptr) return clr::S_OK;
  if (Hooks* all = hooks(); all != nullptr) all->methods().module_unloads(module);
  recording_->registry.module_unloaded(module);
  if (!clr::failed(info_->GetModuleInfo(module, &base, 0, &length, nullptr, &assembly)))
    recording_->images.module_unloaded(reinterpret_cast<uint64_t>(base));
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::ThreadAssignedToOSThread(clr::ThreadID thread, uint32_t os_thread) {
  if (recording_ == nullptr || !recording_->sampling.load()) return clr::S_OK;
  recording_->threads.arm(static_cast<pid_t>(os_thread), thread, true);
  early_names_.began(thread, static_cast<pid_t>(os_thread), recording_->threads);
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::ThreadDestroyed(clr::ThreadID thread) {
  if (recording_ == nullptr) return clr::S_OK;
  // The runtime reports the end of some threads that were not its own on another one.
  const ThreadSlot* slot = recording_->threads.current_slot();
  if (slot != nullptr && slot->clr_thread.load(std::memory_order_relaxed) == thread) {
    for (const ChosenSource& chosen : recording_->sources) chosen.source->on_thread_end();
  }
  (void)early_names_.take(thread);
  recording_->threads.destroyed(thread);
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::ThreadNameChanged(clr::ThreadID thread, uint32_t length, clr::WCHAR* name) {
  if (recording_ == nullptr || name == nullptr) return clr::S_OK;
  early_names_.name_changed(info_.get(), thread, clr::to_utf8({name, length}), recording_->threads);
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::RuntimeSuspendStarted(clr::COR_PRF_SUSPEND_REASON reason) {
  if (recording_ == nullptr) return clr::S_OK;
  recording_->collecting.suspends(reason, current_tid());
  if (recording_->options.common.oracle) runtime_suspends();
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::RuntimeResumeStarted() {
  if (recording_ != nullptr) recording_->collecting.resumes();
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::RuntimeResumeFinished() {
  if (recording_ != nullptr && recording_->options.common.oracle) runtime_resumed();
  return clr::S_OK;
}

// Asked for with the hooks, or for the source `callbacks`.
clr::HRESULT WindowsProfiler::ExceptionSearchFilterEnter(clr::FunctionID) {
  const LastErrorKept kept;
  if (Hooks* all = hooks(); all != nullptr) all->filter_begins();
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::ExceptionSearchFilterLeave() {
  const LastErrorKept kept;
  if (Hooks* all = hooks(); all != nullptr) all->filter_ends();
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::ExceptionUnwindFunctionEnter(clr::FunctionID function) {
  const LastErrorKept kept;
  if (Hooks* all = hooks(); all != nullptr) all->unwind_begins(function);
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::ExceptionUnwindFunctionLeave() {
  const LastErrorKept kept;
  if (Hooks* all = hooks(); all != nullptr) all->unwind_ends();
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::ExceptionCatcherEnter(clr::FunctionID function, clr::ObjectID) {
  const LastErrorKept kept;
  if (Hooks* all = hooks(); all != nullptr) all->is_caught_by(function);
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::EventPipeEventDelivered(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id,
                                                      uint32_t event_version, uint32_t, const uint8_t*,
                                                      uint32_t data_size, const uint8_t* data,
                                                      const clr::GUID*, const clr::GUID*, clr::ThreadID,
                                                      uint32_t, uintptr_t*) {
  if (recording_ == nullptr) return clr::S_OK;
  const LastErrorKept kept;
  if (!events_.is_of_runtime(provider, event_id)) return clr::S_OK;
  for (const ChosenSource& chosen : recording_->sources)
    chosen.source->on_event({event_id, event_version, {data, data_size}});
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::JITCompilationStarted(clr::FunctionID function, clr::BOOL) {
  if (reports_compiles_.load(std::memory_order_relaxed))
    compile_begins(function, clr::il_size(*info_.get(), function));
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::DynamicMethodJITCompilationStarted(clr::FunctionID function, clr::BOOL,
                                                                 const uint8_t*, uint32_t il_size) {
  if (reports_compiles_.load(std::memory_order_relaxed)) compile_begins(function, il_size);
  return clr::S_OK;
}

void WindowsProfiler::compile_begins(clr::FunctionID function, uint32_t il_size) {
  const LastErrorKept kept;
  for (const ChosenSource& chosen : recording_->sources) chosen.source->on_compile_begin(function, il_size);
}

clr::HRESULT WindowsProfiler::JITCompilationFinished(clr::FunctionID function, clr::HRESULT status,
                                                     clr::BOOL) {
  compiled(function, status, false);
  return clr::S_OK;
}

clr::HRESULT WindowsProfiler::DynamicMethodJITCompilationFinished(clr::FunctionID function,
                                                                  clr::HRESULT status, clr::BOOL) {
  compiled(function, status, true);
  return clr::S_OK;
}

void WindowsProfiler::compiled(clr::FunctionID function, clr::HRESULT status, bool dynamic) {
  if (jit_ == nullptr || clr::failed(status)) return;
  const uint32_t size = jit_->compiled(function, dynamic);
  if (!reports_compiles_.load(std::memory_order_relaxed)) return;
  const LastErrorKept kept;
  for (const ChosenSource& chosen : recording_->sources) chosen.source->on_compile_end(function, size);
}

clr::HRESULT WindowsProfiler::DynamicMethodUnloaded(clr::FunctionID function) {
  if (jit_ != nullptr) jit_->unloaded(function);
  return clr::S_OK;
}

}  // namespace walkabout::agent
