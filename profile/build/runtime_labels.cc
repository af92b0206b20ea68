#include "profile/build/runtime_labels.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/names/runtime_library.h"
#include "profile/query/runtime_work.h"

namespace walkabout::profile {
namespace {

bool has_names(const Profile& profile) {
  return std::any_of(profile.frames.begin(), profile.frames.end(), [](const DisplayFrame& frame) {
    return frame.kind == Kind::kRuntime && !work_of(frame.name).empty();
  });
}

bool is_unnamed(const DisplayFrame& frame) {
  return (frame.kind == Kind::kRuntime || frame.kind == Kind::kNative) && !frame.exact &&
         frame.name.starts_with('[');
}

// Threads of the runtime's own, by the name that it gives them, as far as the kernel keeps it. Sources:
// tieredcompilation.cpp, finalizerthread.cpp, ds-server.c, pal_signal.c, synchmanager.cpp, gcenv.ee.cpp.
struct ThreadRole {
  std::string_view thread;
  std::string_view label;
};
constexpr ThreadRole kThreadRoles[] = {
    {".NET Tiered Com", "for tiered compilation"},
    {".NET Finalizer", "for finalizers"},
    {".NET EventPipe", "for diagnostics"},
    {".NET SigHandler", "for signals"},
    {".NET SynchManag", "for waits"},
};

std::string_view role_of(const Profile& profile, const Sample& sample) {
  const std::string& name = profile.threads[sample.thread].name;
  const auto* const role =
      std::find_if(std::begin(kThreadRoles), std::end(kThreadRoles),
                   [&name](const ThreadRole& known) { return name.starts_with(known.thread); });
  return role != std::end(kThreadRoles) ? role->label : std::string_view();
}

// Of code that a function of the runtime calls; "": the function has no name either.
std::string label_below(const DisplayFrame& function) {
  if (function.kind != Kind::kRuntime || is_unnamed(function)) return "";
  const std::string_view what = work_of(function.name);
  return what.empty() || what == kOtherWork ? "in " + function.name : std::string(what);
}

// The runtime's function nearest to the leaf that has a name; the outermost frame where there is none.
const DisplayFrame& nearest_named(const Profile& profile, uint32_t leaf) {
  const DisplayFrame* frame = &profile.frames[profile.nodes[leaf].frame];
  for (uint32_t node = leaf; node != 0; node = profile.nodes[node].parent) {
    frame = &profile.frames[profile.nodes[node].frame];
    if (frame->kind == Kind::kRuntime && !is_unnamed(*frame)) break;
  }
  return *frame;
}

bool is_work(std::string_view what) {
  return what != kOtherWork && what != kCalledByName && what != kFrameworksNativeCode &&
         what != kCallingNativeCode;
}

// "": nothing is known.
std::string label(const Profile& profile, const Sample& sample) {
  const DisplayFrame& leaf = profile.frames[profile.nodes[sample.node].frame];
  if (sample.activity == Activity::kGc) {
    const std::string_view phase = collectors_phase(profile, sample.node);
    return phase.empty() ? "collecting" : std::string(phase);
  }
  if (sample.activity == Activity::kJit)
    return runtime_part(leaf.module) == RuntimePart::kJit ? "compiling" : "JIT interface";
  const CalledFor called = called_for(profile, sample.node);
  // What helps the runtime, as libgcc_s does when it throws; other native code is the program's.
  if (leaf.kind == Kind::kNative) return is_work(called.what) ? std::string(called.what) : "";
  if (sample.activity != Activity::kRuntime) return "";
  if (called.what != kOtherWork && called.what != kCalledByName) return std::string(called.what);
  if (called.method == 0) {
    const std::string_view role = role_of(profile, sample);
    return role.empty() ? label_below(nearest_named(profile, sample.node)) : std::string(role);
  }
  return called.entry == 0 ? "" : label_below(profile.frames[profile.nodes[called.entry].frame]);
}

// Frames and nodes with labels, each made once.
class Labels {
 public:
  explicit Labels(Profile& profile) : profile_(profile) {}
  uint32_t node(uint32_t leaf, const std::string& label) {
    const auto [known, added] = nodes_.try_emplace({leaf, label}, 0);
    if (added) {
      known->second = static_cast<uint32_t>(profile_.nodes.size());
      const Node& before = profile_.nodes[leaf];
      profile_.nodes.push_back({before.parent, frame(before.frame, label)});
    }
    return known->second;
  }

 private:
  uint32_t frame(uint32_t unnamed, const std::string& label) {
    const auto [known, added] = frames_.try_emplace({unnamed, label}, 0);
    if (added) {
      known->second = static_cast<uint32_t>(profile_.frames.size());
      DisplayFrame named = profile_.frames[unnamed];
      named.name += " " + label;
      profile_.frames.push_back(std::move(named));
    }
    return known->second;
  }

  Profile& profile_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> nodes_, frames_;
};

// Who stops all threads for a collection, or lets them go on, does not collect.
void tell_suspensions(Profile& profile) {
  std::vector<bool> suspends(profile.frames.size());
  std::transform(profile.frames.begin(), profile.frames.end(), suspends.begin(), is_suspending);
  if (std::find(suspends.begin(), suspends.end(), true) == suspends.end()) return;
  std::vector<bool> within(profile.nodes.size());
  for (size_t node = 1; node < within.size(); ++node) {
    const Node& at = profile.nodes[node];
    const bool called = profile.frames[at.frame].kind != Kind::kManaged && within[at.parent];
    within[node] = suspends[at.frame] || called;
  }
  constexpr auto kEvent = static_cast<uint32_t>(wire::Clock::kEvent);
  for (Sample& sample : profile.samples) {
    const bool of_time =
        sample.source < profile.sources.size() && profile.sources[sample.source].clock != kEvent;
    if (within[sample.node] && of_time) sample.activity = Activity::kRuntime;
  }
}

}  // namespace

void label_runtime(Profile& profile) {
  if (!has_names(profile)) return;
  tell_suspensions(profile);
  Labels labels(profile);
  for (Sample& sample : profile.samples) {
    if (!is_unnamed(profile.frames[profile.nodes[sample.node].frame])) continue;
    if (const std::string text = label(profile, sample); !text.empty())
      sample.node = labels.node(sample.node, text);
  }
}

}  // namespace walkabout::profile
