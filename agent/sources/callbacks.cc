#include "agent/sources/callbacks.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>

#include "agent/sources/table.h"
#include "agent/sources/texts.h"
#include "clr/names/short_name.h"

namespace walkabout::agent {
namespace {

using clr::Callback;

enum class Manner : uint8_t { kFew, kOnce, kMany };  // once: for each method or class

struct Part {
  Manner manner;
  uint32_t callbacks, high = 0;  // what the runtime is asked for
};
// In the order of wire::kCallbackParts, whose names are what part() knows.
constexpr Part kParts[] = {
    {Manner::kFew, 0},                                     // start
    {Manner::kFew, clr::COR_PRF_MONITOR_APPDOMAIN_LOADS},  // appdomains
    {Manner::kFew, clr::COR_PRF_MONITOR_ASSEMBLY_LOADS},   // assemblies
    {Manner::kFew, clr::COR_PRF_MONITOR_MODULE_LOADS,
     clr::COR_PRF_HIGH_IN_MEMORY_SYMBOLS_UPDATED},          // modules
    {Manner::kOnce, clr::COR_PRF_MONITOR_CLASS_LOADS},      // classes
    {Manner::kOnce, clr::COR_PRF_MONITOR_JIT_COMPILATION},  // jit
    {Manner::kOnce, clr::COR_PRF_MONITOR_JIT_COMPILATION,
     clr::COR_PRF_HIGH_MONITOR_DYNAMIC_FUNCTION_UNLOADS},      // dynamic
    {Manner::kFew, clr::COR_PRF_MONITOR_THREADS},              // threads
    {Manner::kMany, clr::COR_PRF_MONITOR_SUSPENDS},            // suspension
    {Manner::kFew, 0, clr::COR_PRF_HIGH_BASIC_GC},             // gc
    {Manner::kMany, 0, clr::COR_PRF_HIGH_MONITOR_EVENT_PIPE},  // eventpipe
    {Manner::kOnce,
     clr::COR_PRF_MONITOR_FUNCTION_UNLOADS | clr::COR_PRF_MONITOR_CACHE_SEARCHES},  // functions
    {Manner::kMany, clr::COR_PRF_MONITOR_EXCEPTIONS},                               // exceptions
    {Manner::kMany, clr::COR_PRF_MONITOR_CODE_TRANSITIONS},                         // transitions
    {Manner::kMany, clr::COR_PRF_MONITOR_OBJECT_ALLOCATED | clr::COR_PRF_ENABLE_OBJECT_ALLOCATED},  // objects
    {Manner::kMany, clr::COR_PRF_MONITOR_GC},                                           // references
    {Manner::kMany, clr::COR_PRF_MONITOR_GC},                                           // handles
    {Manner::kOnce, clr::COR_PRF_ENABLE_REJIT | clr::COR_PRF_MONITOR_JIT_COMPILATION},  // rejit
    {Manner::kFew, clr::COR_PRF_MONITOR_CCW},                                           // com
};
static_assert(std::size(kParts) == std::size(wire::kCallbackParts));

// REQUIRES: there is one.
consteval uint8_t part(std::string_view name) {
  uint8_t at = 0;
  while (wire::kCallbackParts[at].name != name) ++at;  // no constant comes from behind the end
  return at;
}

constexpr uint64_t kIdBits = 47;

}  // namespace

// What a parameter is the id of.
enum class CallbacksSource::Object : uint8_t {
  kNone,
  kClass,
  kObject,
  kFunction,
  kModule,
  kAssembly,
  kMethod,
  kThreadName,
  kProvider
};

struct CallbacksSource::Row {
  Callback callback;
  uint8_t part;
  Object object = Object::kNone;
  uint8_t word = 0;        // which parameter
  bool if_loaded = false;  // where the next one says so: before and otherwise the id may not be asked for
};

const CallbacksSource::Row& CallbacksSource::row_of(Callback callback) {
  static constexpr Row kRows[] = {
      {Callback::kInitialize, part("start")},
      {Callback::kProfilerAttachComplete, part("start")},
      {Callback::kShutdown, part("start")},
      {Callback::kAppDomainCreationStarted, part("appdomains")},
      {Callback::kAppDomainCreationFinished, part("appdomains")},
      {Callback::kAppDomainShutdownStarted, part("appdomains")},
      {Callback::kAppDomainShutdownFinished, part("appdomains")},
      {Callback::kAssemblyLoadStarted, part("assemblies")},
      {Callback::kAssemblyLoadFinished, part("assemblies"), Object::kAssembly, 0, true},
      {Callback::kAssemblyUnloadStarted, part("assemblies"), Object::kAssembly},
      {Callback::kAssemblyUnloadFinished, part("assemblies")},
      {Callback::kModuleLoadStarted, part("modules")},
      {Callback::kModuleLoadFinished, part("modules"), Object::kModule, 0, true},
      {Callback::kModuleUnloadStarted, part("modules"), Object::kModule},
      {Callback::kModuleUnloadFinished, part("modules")},
      {Callback::kModuleAttachedToAssembly, part("modules"), Object::kModule},
      {Callback::kModuleInMemorySymbolsUpdated, part("modules"), Object::kModule},
      {Callback::kClassLoadStarted, part("classes")},
      {Callback::kClassLoadFinished, part("classes"), Object::kClass, 0, true},
      {Callback::kClassUnloadStarted, part("classes"), Object::kClass},
      {Callback::kClassUnloadFinished, part("classes")},
      {Callback::kJITCompilationStarted, part("jit"), Object::kFunction},
      {Callback::kJITCompilationFinished, part("jit"), Object::kFunction},
      {Callback::kJITInlining, part("jit"), Object::kFunction, 1},
      {Callback::kDynamicMethodJITCompilationStarted, part("dynamic"), Object::kFunction},
      {Callback::kDynamicMethodJITCompilationFinished, part("dynamic"), Object::kFunction},
      {Callback::kDynamicMethodUnloaded, part("dynamic")},
      {Callback::kThreadCreated, part("threads")},
      {Callback::kThreadDestroyed, part("threads")},
      {Callback::kThreadAssignedToOSThread, part("threads")},
      {Callback::kThreadNameChanged, part("threads"), Object::kThreadName, 1},
      {Callback::kRuntimeSuspendStarted, part("suspension")},
      {Callback::kRuntimeSuspendFinished, part("suspension")},
      {Callback::kRuntimeSuspendAborted, part("suspension")},
      {Callback::kRuntimeResumeStarted, part("suspension")},
      {Callback::kRuntimeResumeFinished, part("suspension")},
      {Callback::kRuntimeThreadSuspended, part("suspension")},
      {Callback::kRuntimeThreadResumed, part("suspension")},
      {Callback::kGarbageCollectionStarted, part("gc")},
      {Callback::kGarbageCollectionFinished, part("gc")},
      {Callback::kEventPipeEventDelivered, part("eventpipe")},
      {Callback::kEventPipeProviderCreated, part("eventpipe"), Object::kProvider},
      {Callback::kFunctionUnloadStarted, part("functions"), Object::kFunction},
      {Callback::kJITCachedFunctionSearchStarted, part("functions"), Object::kFunction},
      {Callback::kJITCachedFunctionSearchFinished, part("functions"), Object::kFunction},
      {Callback::kExceptionThrown, part("exceptions"), Object::kObject},
      {Callback::kExceptionSearchFunctionEnter, part("exceptions"), Object::kFunction},
      {Callback::kExceptionSearchFunctionLeave, part("exceptions")},
      {Callback::kExceptionSearchFilterEnter, part("exceptions"), Object::kFunction},
      {Callback::kExceptionSearchFilterLeave, part("exceptions")},
      {Callback::kExceptionSearchCatcherFound, part("exceptions"), Object::kFunction},
      {Callback::kExceptionUnwindFunctionEnter, part("exceptions"), Object::kFunction},
      {Callback::kExceptionUnwindFunctionLeave, part("exceptions")},
      {Callback::kExceptionUnwindFinallyEnter, part("exceptions"), Object::kFunction},
      {Callback::kExceptionUnwindFinallyLeave, part("exceptions")},
      {Callback::kExceptionCatcherEnter, part("exceptions"), Object::kFunction},
      {Callback::kExceptionCatcherLeave, part("exceptions")},
      {Callback::kManagedToUnmanagedTransition, part("transitions"), Object::kFunction},
      {Callback::kUnmanagedToManagedTransition, part("transitions"), Object::kFunction},
      {Callback::kObjectAllocated, part("objects"), Object::kClass, 1},
      {Callback::kMovedReferences, part("references")},
      {Callback::kMovedReferences2, part("references")},
      {Callback::kSurvivingReferences, part("references")},
      {Callback::kSurvivingReferences2, part("references")},
      {Callback::kObjectReferences, part("references"), Object::kClass, 1},
      {Callback::kRootReferences, part("references")},
      {Callback::kRootReferences2, part("references")},
      {Callback::kConditionalWeakTableElementReferences, part("references")},
      {Callback::kObjectsAllocatedByClass, part("references")},
      {Callback::kFinalizeableObjectQueued, part("references"), Object::kObject, 1},
      {Callback::kHandleCreated, part("handles"), Object::kObject, 1},
      {Callback::kHandleDestroyed, part("handles")},
      {Callback::kGetReJITParameters, part("rejit"), Object::kMethod},
      {Callback::kReJITCompilationStarted, part("rejit"), Object::kFunction},
      {Callback::kReJITCompilationFinished, part("rejit"), Object::kFunction},
      {Callback::kReJITError, part("rejit"), Object::kFunction, 2},
      {Callback::kCOMClassicVTableCreated, part("com"), Object::kClass},
  };
  static constexpr auto kByCallback = [] {
    std::array<Row, clr::kCallbacks> rows{};
    for (const Row& row : kRows) rows[static_cast<size_t>(row.callback)] = row;
    return rows;
  }();
  static_assert(
      std::size(kRows) == clr::kCallbacks &&
          std::ranges::all_of(
              kRows,
              [](const Row& row) { return &row == std::ranges::find(kRows, row.callback, &Row::callback); }),
      "each has its row, once");
  return kByCallback[static_cast<size_t>(callback)];
}

std::unique_ptr<Source> make_callbacks_source() { return std::make_unique<CallbacksSource>(); }

wire::Source CallbacksSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"callbacks", "count"}},
                  {{"callback", wire::LabelType::kText}, {"object", wire::LabelType::kType}});
}

SourceNeeds CallbacksSource::needs(uint32_t /*runtime*/) const {
  SourceNeeds needs;
  for (size_t i = 0; i < std::size(kParts); ++i) {
    if ((parts_ >> i & 1) == 0) continue;
    needs.callbacks |= kParts[i].callbacks;
    needs.high_callbacks |= kParts[i].high;
  }
  return needs;
}

[[gnu::cold]] std::string CallbacksSource::refusal(bool attached, bool beside) const {
  using namespace clr;
#ifndef _WIN32
  if ((parts_ >> part("com") & 1) != 0) return "callbacks=com: the runtime knows COM on Windows alone";
#endif
  const uint32_t callbacks = (attached ? COR_PRF_ALLOWABLE_AFTER_ATTACH : ~0u) &
                             (beside ? COR_PRF_ALLOWABLE_NOTIFICATION_PROFILER : ~0u);
  const uint32_t high = (attached ? COR_PRF_HIGH_ALLOWABLE_AFTER_ATTACH : ~0u) &
                        (beside ? COR_PRF_HIGH_ALLOWABLE_NOTIFICATION_PROFILER : ~0u);
  std::string refused;
  for (size_t i = 0; i < std::size(kParts); ++i) {
    const bool allowed = (kParts[i].callbacks & ~callbacks) == 0 && (kParts[i].high & ~high) == 0;
    if ((parts_ >> i & 1) == 0 || allowed) continue;
    refused += refused.empty() ? "callbacks=" : "+";
    refused += wire::kCallbackParts[i].name;
  }
  if (refused.empty()) return {};
  refused += ": the runtime allows that only to a profiler that ";
  refused += attached ? "started with the program" : "";
  refused += attached && beside ? " and " : "";
  refused += beside ? "has no other one beside it" : "";
  return refused;
}

base::Status CallbacksSource::start(const SourceContext& context) {
  info_ = context.info;
  const char* name = clr::kCallbackNames;
  for (uint64_t& text : names_) {
    clr::ShortName wide;
    wide.append({name, std::strlen(name)});
    text = label(context.texts, wide.text());
    name += wide.text().size() + 1;
  }
  forget();
  base::Status started = EventSource::start(context);
  once_.begin(context);
  many_.begin(context);
  return started;
}

void CallbacksSource::on_callback(const clr::CallbackCall& call) {
  if (call.which == Callback::kModuleUnloadStarted || call.which == Callback::kModuleUnloadFinished) forget();
  const Row& row = row_of(call.which);
  if ((parts_ >> row.part & 1) == 0) return;
  const Manner manner = kParts[row.part].manner;
  EventCapture& capture = manner == Manner::kFew ? capture_ : manner == Manner::kOnce ? once_ : many_;
  if (!capture.is_on()) return;
  if (call.which == Callback::kThreadCreated) capture.thread_begins();
  const std::array<uint64_t, 1> values{1};
  std::array<uint64_t, 2> labels{names_[static_cast<size_t>(call.which)], 0};
  Room* room = row.object == Object::kNone ? nullptr : capture.mine(rooms_);
  if (room == nullptr) return capture.event(values, labels);
  if (manner == Manner::kOnce)
    return capture.event(values, labels, [&] { labels[1] = object(row, call, *room); });
  labels[1] = object(row, call, *room);
  capture.event(values, labels);
}

// Its stack is not there during the walk.
__attribute__((noinline)) uint64_t CallbacksSource::object(const Row& row, const clr::CallbackCall& call,
                                                           Room& room) {
  uint64_t id = call.words[row.word];
  if (row.if_loaded && clr::failed(static_cast<clr::HRESULT>(call.words[row.word + 1]))) return 0;
  if (info_ == nullptr || id == 0) return 0;
  if (row.object == Object::kThreadName) {
    const auto* text = reinterpret_cast<const uint8_t*>(call.words[2]);
    return text == nullptr ? 0 : texts_->id_of_many({text, id * sizeof(clr::WCHAR)}).value;
  }
  if (row.object == Object::kObject && (clr::failed(info_->GetClassFromObject(id, &id)) || id == 0)) return 0;
  const bool lasts =
      row.object == Object::kClass || row.object == Object::kObject || row.object == Object::kFunction;
  if (const uint64_t text = lasts ? known(id) : 0; text != 0) return text;
  if (room.used) return 0;
  room.used = true;
  room.name.clear();
  const bool keep = find_name(row, call, id, room.name);
  const uint64_t label = label_of_many(*texts_, room.name.text());
  if (keep && label != 0) know(id, label);
  room.used = false;
  return label;
}

bool CallbacksSource::find_name(const Row& row, const clr::CallbackCall& call, uint64_t id,
                                clr::ShortName& name) const {
  switch (row.object) {
    case Object::kClass:
    case Object::kObject:
      name.of_class(*info_, id);
      return true;
    case Object::kFunction:
      return name.of_function(*info_, id);
    case Object::kModule:
      name.of_module(*info_, id);
      return false;
    case Object::kAssembly:
      name.of_assembly(*info_, id);
      return false;
    case Object::kMethod:
      name.of_method(*info_, id, static_cast<clr::mdMethodDef>(call.words[row.word + 1]));
      return false;
    case Object::kProvider:
      name.of_provider(*info_, id);
      return false;
    case Object::kNone:
    case Object::kThreadName:
      return false;
  }
  return false;
}

uint64_t CallbacksSource::known(uint64_t id) const {
  const uint64_t entry = known_[(id >> 3 ^ id >> 16) % kKnown].load(std::memory_order_relaxed);
  return entry >> kTextBits == id ? entry & ((uint64_t{1} << kTextBits) - 1) : 0;
}

void CallbacksSource::know(uint64_t id, uint64_t text) {
  if (id >> kIdBits == 0)
    known_[(id >> 3 ^ id >> 16) % kKnown].store(id << kTextBits | text, std::memory_order_relaxed);
}

// Other things may have the ids of what goes.
void CallbacksSource::forget() {
  for (std::atomic<uint64_t>& entry : known_) entry.store(0, std::memory_order_relaxed);
}

}  // namespace walkabout::agent
