#include "profile/query/folding.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "profile/names/async_machinery.h"
#include "profile/names/exception_dispatch.h"
#include "profile/names/origin.h"
#include "profile/query/tree.h"

namespace walkabout::profile {
namespace {

constexpr std::string_view kRuntime = "runtime";

// Under every thread's entry: it says nothing.
bool is_system_library(std::string_view module) {
  std::string lower(module.substr(0, sizeof "kernelbase.dll"));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view of_windows : {"ntdll.dll", "kernel32.dll", "kernelbase.dll"}) {
    if (lower == of_windows) return true;
  }
  return module.starts_with("libc.so") || module.starts_with("libc-") || module.starts_with("libpthread") ||
         module.starts_with("ld-linux") || module.starts_with("ld-musl");
}

class Folder {
 public:
  Folder(Profile& profile, Folding folding)
      : profile_(profile),
        folding_(folding),
        runs_(profile.nodes.size()),
        moved_(profile.nodes.size()),
        outside_(profile.nodes.size()) {
    outside_[0] = true;
  }

  void fold() {
    const size_t frames = profile_.frames.size();
    for (uint32_t node = 1; node < moved_.size(); ++node) {
      const Node& here = profile_.nodes[node];
      const bool in_run = folds(profile_.frames[here.frame].origin, folding_);
      outside_[node] = outside_[here.parent] && profile_.frames[here.frame].origin == Origin::kMarker;
      moved_[node] = in_run ? of_run(node) : visible_.child(moved_[here.parent], here.frame);
    }
    // Of what was cut off nobody knows what it hung on: it stays with the frame that stands for it.
    for (size_t frame = 0; frame < std::min(profile_.thinned.self.size(), frames); ++frame) {
      if (folds(profile_.frames[frame].origin, folding_))
        profile_.thinned.self[frame] = profile_.thinned.total[frame] = {};
    }
    for (Sample& sample : profile_.samples) sample.node = moved_[sample.node];
    move_traces();
    profile_.nodes = std::move(visible_).take();
    folded_.resize(profile_.nodes.size());
    profile_.folded = std::move(folded_);
  }

 private:
  void move_traces() {
    for (Traces& traces : profile_.traces) {
      for (TracedNode& node : traces.nodes) node.node = moved_[node.node];
      for (SlowCall& call : traces.calls) call.stack = moved_[call.stack];
    }
  }

  // A node that is part of a run; frames: none.
  struct Run {
    uint32_t hangs_on = 0;  // of the new tree
    uint32_t frames = 0;
    uint32_t frame = 0;  // of the run
    uint8_t rank = 0;
    bool at_root = false;
  };

  uint32_t of_run(uint32_t node) {
    const uint32_t caller = profile_.nodes[node].parent;
    const DisplayFrame& frame = profile_.frames[profile_.nodes[node].frame];
    Run& run = runs_[node];
    run = runs_[caller];
    if (run.frames == 0) {
      run.hangs_on = moved_[caller];
      run.at_root = outside_[caller];
    }
    const RunName name = run_name(frame, run.at_root);
    if (run.frames == 0 || name.rank > run.rank) {
      run.rank = name.rank;
      run.frame = frame_of(name.text, name.text == kRuntime ? Kind::kRuntime : frame.kind);
    }
    ++run.frames;
    const uint32_t place = visible_.child(run.hangs_on, run.frame);
    if (folded_.size() <= place) folded_.resize(visible_.size());
    folded_[place] = std::max(folded_[place], run.frames);
    return place;
  }

  uint32_t frame_of(std::string_view text, Kind kind) {
    const std::string name = "(" + std::string(text) + ")";
    const auto [at, added] = frames_.try_emplace({name, kind}, static_cast<uint32_t>(profile_.frames.size()));
    if (added) {
      DisplayFrame frame{name, name, "", kind, true};
      frame.origin = Origin::kFramework;
      profile_.frames.push_back(std::move(frame));
    }
    return at->second;
  }

  Profile& profile_;
  const Folding folding_;
  std::vector<Run> runs_;        // by node
  std::vector<uint32_t> moved_;  // by node: where it is in the new tree
  std::vector<bool> outside_;  // by node: outside of all code, as the root is, or a marker such as a process
  Tree visible_;
  std::vector<uint32_t> folded_;  // by node of the new tree
  std::map<std::pair<std::string, Kind>, uint32_t> frames_;
};

}  // namespace

bool folds(Origin origin, Folding folding) {
  if (folding == Folding::kMyCode) return origin == Origin::kFramework || origin == Origin::kAsync;
  return folding == Folding::kAsync && origin == Origin::kAsync;
}

RunName run_name(const DisplayFrame& frame, bool at_root) {
  enum Rank : uint8_t { kLeast, kDynamic, kNative, kThreadStart, kAsync, kManaged };
  if (frame.origin == Origin::kAsync) return {"async", kAsync};
  if (frame.kind == Kind::kStub) return {kRuntime, kLeast};
  if (is_runtime(frame.kind) || is_exception_dispatch(frame.name)) return {kRuntime, kNative};
  if (frame.kind == Kind::kManaged) {
    if (frame.module.empty()) return {"dynamic", kDynamic};
    return {without_suffix(frame.module), is_thread_start(frame.name) ? kThreadStart : kManaged};
  }
  return {frame.module, at_root && is_system_library(frame.module) ? kLeast : kNative};
}

Profile folded(Profile profile, Folding folding) {
  if (folding != Folding::kNone) Folder(profile, folding).fold();
  return profile;
}

std::string name_of(const Profile& profile, uint32_t node) {
  const std::string& name = profile.frames[profile.nodes[node].frame].name;
  if (node >= profile.folded.size() || profile.folded[node] == 0) return name;
  return "(+" + std::to_string(profile.folded[node]) + " " + name.substr(1);
}

}  // namespace walkabout::profile
