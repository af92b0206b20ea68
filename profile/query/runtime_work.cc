#include "profile/query/runtime_work.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "profile/names/exception_dispatch.h"

namespace walkabout::profile {
namespace {

constexpr std::string_view kHelper = "CORINFO_HELP_";
constexpr std::string_view kThrowing = "throwing", kSuspending = "suspending", kResuming = "resuming";

struct Word {
  std::string_view part;  // of a helper's name, or a whole name
  std::string_view what;
};
// The first that is in the name decides.
constexpr Word kWords[] = {
    {"PROFILE", "PGO counting"},
    {"PATCHPOINT", "replacing running code"},
    {"THROW", kThrowing},
    {"RNGCHKFAIL", kThrowing},
    {"OVERFLOW", kThrowing},
    {"ISINSTANCE", "casting"},
    {"EXCEPTION", kThrowing},
    {"CHKCAST", "casting"},
    {"UNBOX", "casting"},
    {"NEW", "allocating"},
    {"BOX", "allocating"},
    {"STRCNS", "looking up types and methods"},
    {"STATIC", "finding static fields"},
    {"INIT_PINVOKE", kCallingNativeCode},
    {"PINVOKE", kCallingNativeCode},
    {"INIT", "finding static fields"},
    {"ASSIGN", "storing references"},
    {"MON_", "locking"},
    {"_GC", "waiting for collections"},
    {"RUNTIMEHANDLE", "looking up types and methods"},
    {"TYPEHANDLE", "looking up types and methods"},
    {"METHOD", "looking up types and methods"},
    {"VIRTUAL_FUNC", "looking up types and methods"},
    {"MEM", "copying memory"},
};

// What is no helper, by its whole name: what stubs call (symbols/elf/entry_code.h), and functions of managed
// code's that say what it is about.
constexpr Word kFunctions[] = {
    {"ThePreStub", "preparing methods"},
    {"PreStubWorker", "preparing methods"},
    {"DelayLoad_MethodCall", "resolving a call"},
    {"ExternalMethodFixupWorker", "resolving a call"},
    {"DelayLoad_Helper", "resolving types and members"},
    {"DelayLoad_Helper_Obj", "resolving types and members"},
    {"DelayLoad_Helper_ObjObj", "resolving types and members"},
    {"DynamicHelperWorker", "resolving types and members"},
    {"ResolveWorkerAsmStub", "resolving interface calls"},
    {"ResolveWorkerChainLookupAsmStub", "resolving interface calls"},
    {"VSD_ResolveWorker", "resolving interface calls"},
    {"TheUMEntryPrestub", "preparing calls from native code"},
    {"TheUMEntryPrestubWorker", "preparing calls from native code"},
    {"InlinedMemmoveGCRefsHelper", "storing references"},
    {"Buffer.BulkMoveWithWriteBarrierInternal", "storing references"},
    {"Buffer.__BulkMoveWithWriteBarrier", "storing references"},
    {"OnCallCountThresholdReachedStub", "for tiered compilation"},
    {"OnCallCountThresholdReached", "for tiered compilation"},
    {"RhpNewObject", "allocating"},
    {"RhpGcAlloc", "allocating"},
    {"GenericHandleWorker", "looking up types and methods"},
    {"ResolveVirtualFunctionPointer", "looking up types and methods"},
    {"InitClassHelper", "finding static fields"},
    {"GetThreadStaticsByIndex", "finding static fields"},
    {"GetThreadStaticsByMethodTable", "finding static fields"},
    {"ThrowInvalidCastException", kThrowing},
};

// Functions that say what it is about wherever they are called from (symbols/elf/event_functions.h); names of
// symbols have parameters too.
constexpr Word kInner[] = {
    {"ClassLoader::LoadTypeHandleForTypeKey", "type loading"},
    {"ThreadSuspend::SuspendEE", kSuspending},
    {"ThreadSuspend::RestartEE", kResuming},
};

// The collector's phases (symbols/elf/gc_phases.h). Compacting and sweeping have no names of their own.
constexpr Word kPhases[] = {
    {"gc_heap::mark_phase", "marking"},
    {"gc_heap::relocate_phase", "relocating"},
    {"gc_heap::plan_phase", "planning, compacting or sweeping"},
    {"gc_heap::background_mark_phase", "marking in the background"},
    {"gc_heap::background_sweep", "sweeping in the background"},
};

template <size_t kCount>
std::string_view word_of(const Word (&words)[kCount], const DisplayFrame& frame) {
  if (frame.kind != Kind::kRuntime || !frame.exact) return {};
  std::string_view name = frame.name;
  name = name.substr(0, name.find('('));
  for (const std::string_view heaps : {"WKS::", "SVR::"}) {
    if (name.starts_with(heaps)) name.remove_prefix(heaps.size());
  }
  const auto* const word = std::find_if(std::begin(words), std::end(words),
                                        [name](const Word& known) { return name == known.part; });
  return word != std::end(words) ? word->what : std::string_view();
}

// Stubs by their names (frame_namer.cc), where a sample ends in one.
constexpr Word kStubs[] = {
    {"[stub: write barrier", "storing references"},
    {"[stub: helper of precompiled code", "helpers of precompiled code"},
    {"[stub: ", "calls through stubs"},
};

std::string_view work_of_stub(std::string_view name) {
  const auto* const word = std::find_if(std::begin(kStubs), std::end(kStubs),
                                        [name](const Word& known) { return name.starts_with(known.part); });
  return word != std::end(kStubs) ? word->what : kOtherWork;
}

// FCalls have their class's name with them, QCalls an underscore behind it: "GC._CollectionCount",
// "ThreadNative_YieldThread". Names of other functions of the runtime have neither in this form.
bool is_called_by_name(const DisplayFrame& frame) {
  if (frame.kind != Kind::kRuntime || !frame.exact || frame.name.empty()) return false;
  const bool capital = frame.name[0] >= 'A' && frame.name[0] <= 'Z';
  return capital && frame.name.find_first_of(" (:<") == std::string::npos &&
         frame.name.find_first_of("._") != std::string::npos;
}

template <typename What>
std::vector<RuntimeWork> work_of_rows(const Profile& profile, View view, const std::vector<Row>& rows,
                                      Activity activity, What what) {
  const wire::Adding adding = adding_of(profile, view);
  std::map<std::string_view, Amount> found;
  for (const Row& row : rows) {
    if (row.activity == activity) add(row.sum, adding, found[what(row.node)]);
  }
  std::vector<RuntimeWork> work;
  work.reserve(found.size());
  for (const auto& [name, amount] : found) work.push_back({name, amount});
  if (work.empty() || (work.size() == 1 && work[0].what == kOtherWork)) return {};
  std::sort(work.begin(), work.end(), [](const RuntimeWork& a, const RuntimeWork& b) {
    if ((a.what == kOtherWork) != (b.what == kOtherWork)) return b.what == kOtherWork;
    return a.amount.weight != b.amount.weight ? a.amount.weight > b.amount.weight : a.what < b.what;
  });
  return work;
}

}  // namespace

CalledFor called_for(const Profile& profile, uint32_t leaf) {
  CalledFor found{kOtherWork};
  std::string_view inner;
  uint32_t node = leaf;
  for (; node != 0; node = profile.nodes[node].parent) {
    const DisplayFrame& frame = profile.frames[profile.nodes[node].frame];
    if (frame.kind == Kind::kManaged) break;
    if (frame.kind == Kind::kRuntime) found.entry = node;
    if (inner.empty()) inner = word_of(kInner, frame);
  }
  found.method = node;
  if (!inner.empty()) found.what = inner;
  if (node == 0 || !inner.empty()) return found;
  const bool throws = is_exception_dispatch(profile.frames[profile.nodes[node].frame].name);
  if (throws) found.what = kThrowing;
  const DisplayFrame& last = profile.frames[profile.nodes[leaf].frame];
  if (!throws && found.entry == 0 && last.kind == Kind::kStub) found.what = work_of_stub(last.name);
  if (throws || found.entry == 0) return found;
  const DisplayFrame& first = profile.frames[profile.nodes[found.entry].frame];
  if (const std::string_view what = work_of(first.name); !what.empty()) {
    found.what = what;
  } else if (first.module.starts_with("libSystem.")) {
    found.what = kFrameworksNativeCode;
  } else if (is_called_by_name(first)) {
    found.what = kCalledByName;
  }
  return found;
}

std::string_view work_of(std::string_view function) {
  if (!function.starts_with(kHelper)) {
    const auto* const whole = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                           [function](const Word& known) { return function == known.part; });
    return whole != std::end(kFunctions) ? whole->what : std::string_view();
  }
  const std::string_view name = function.substr(kHelper.size());
  const auto* const word = std::find_if(std::begin(kWords), std::end(kWords), [name](const Word& known) {
    return name.find(known.part) != std::string_view::npos;
  });
  return word != std::end(kWords) ? word->what : kOtherWork;
}

bool is_suspending(const DisplayFrame& frame) {
  const std::string_view what = word_of(kInner, frame);
  return what == kSuspending || what == kResuming;
}

std::string_view collectors_phase(const Profile& profile, uint32_t leaf) {
  std::string_view phase;
  for (uint32_t node = leaf; node != 0 && phase.empty(); node = profile.nodes[node].parent)
    phase = word_of(kPhases, profile.frames[profile.nodes[node].frame]);
  return phase;
}

std::vector<RuntimeWork> runtime_work(const Profile& profile, View view, const std::vector<Row>& rows) {
  return work_of_rows(profile, view, rows, Activity::kRuntime,
                      [&profile](uint32_t node) { return called_for(profile, node).what; });
}

std::vector<RuntimeWork> collectors_work(const Profile& profile, View view, const std::vector<Row>& rows) {
  return work_of_rows(profile, view, rows, Activity::kGc, [&profile](uint32_t node) {
    const std::string_view phase = collectors_phase(profile, node);
    return phase.empty() ? kOtherWork : phase;
  });
}

}  // namespace walkabout::profile
