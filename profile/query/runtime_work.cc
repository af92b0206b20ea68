#include "profile/query/runtime_work.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "profile/names/exception_dispatch.h"
#include "profile/query/rows.h"

namespace walkabout::profile {
namespace {

constexpr std::string_view kHelper = "CORINFO_HELP_";
constexpr std::string_view kThrowing = "throwing";
constexpr std::string_view kOther = "other";

struct Word {
  std::string_view part;  // of a helper's name
  std::string_view what;
};
// The first that is in the name decides.
constexpr Word kWords[] = {
    {"PROFILE", "counting for PGO"},
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
    {"INIT_PINVOKE", "calling native code"},
    {"PINVOKE", "calling native code"},
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

// FCalls have their class's name with them, QCalls an underscore behind it: "GC._CollectionCount",
// "ThreadNative_YieldThread". Names of other functions of the runtime have neither in this form.
bool is_called_by_name(const DisplayFrame& frame) {
  if (frame.kind != Kind::kRuntime || !frame.exact || frame.name.empty()) return false;
  const bool capital = frame.name[0] >= 'A' && frame.name[0] <= 'Z';
  return capital && frame.name.find_first_of(" (:<") == std::string::npos &&
         frame.name.find_first_of("._") != std::string::npos;
}

std::string_view work_at(const Profile& profile, uint32_t leaf) {
  uint32_t entry = 0;
  uint32_t node = leaf;
  for (; node != 0; node = profile.nodes[node].parent) {
    const DisplayFrame& frame = profile.frames[profile.nodes[node].frame];
    if (frame.kind == Kind::kManaged) break;
    if (frame.kind == Kind::kRuntime) entry = node;
  }
  if (node != 0 && is_exception_dispatch(profile.frames[profile.nodes[node].frame].name)) return kThrowing;
  if (node == 0 || entry == 0) return kOther;
  const DisplayFrame& first = profile.frames[profile.nodes[entry].frame];
  const std::string_view what = work_of(first.name);
  if (!what.empty()) return what;
  if (first.module.starts_with("libSystem.")) return "native code of the framework";
  return is_called_by_name(first) ? "calls of the runtime by name" : kOther;
}

}  // namespace

std::string_view work_of(std::string_view function) {
  if (!function.starts_with(kHelper)) return {};
  const std::string_view name = function.substr(kHelper.size());
  const auto* const word = std::find_if(std::begin(kWords), std::end(kWords), [name](const Word& known) {
    return name.find(known.part) != std::string_view::npos;
  });
  return word != std::end(kWords) ? word->what : kOther;
}

std::vector<RuntimeWork> runtime_work(const Profile& profile, View view) {
  const wire::Adding adding = adding_of(profile, view);
  std::map<std::string_view, Amount> found;
  for (const Row& row : rows(profile, {.activity = true}, view)) {
    if (row.activity == Activity::kRuntime) add(row.sum, adding, found[work_at(profile, row.node)]);
  }
  std::vector<RuntimeWork> work;
  for (const auto& [what, amount] : found) work.push_back({what, amount});
  if (work.empty() || (work.size() == 1 && work[0].what == kOther)) return {};
  std::sort(work.begin(), work.end(), [](const RuntimeWork& a, const RuntimeWork& b) {
    if ((a.what == kOther) != (b.what == kOther)) return b.what == kOther;
    return a.amount.weight != b.amount.weight ? a.amount.weight > b.amount.weight : a.what < b.what;
  });
  return work;
}

}  // namespace walkabout::profile
