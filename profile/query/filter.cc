#include "profile/query/filter.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "profile/query/intervals.h"
#include "profile/query/tree.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string list_of_threads(const Profile& profile) {
  constexpr size_t kShown = 12;
  std::vector<const Thread*> threads;
  for (const Thread& thread : profile.threads) {
    if (thread.samples > 0) threads.push_back(&thread);
  }
  std::stable_sort(threads.begin(), threads.end(), [](auto* a, auto* b) { return a->weight > b->weight; });
  std::string out;
  for (size_t i = 0; i < std::min(threads.size(), kShown); ++i) {
    out += (i == 0 ? "" : ", ") + threads[i]->name + " (" + std::to_string(threads[i]->tid) + ")";
  }
  return threads.size() > kShown ? out + ", …" : out;
}

// By index of thread.
std::vector<bool> wanted_threads(const Profile& profile, const Filter& filter) {
  std::vector<bool> keep;
  for (const Thread& thread : profile.threads) keep.push_back(is_wanted(thread.name, thread.tid, filter));
  return keep;
}

// profile: in its view.
base::Status no_such_thread(const Profile& profile, const std::string& wanted) {
  return base::Status::error("no thread has '" + wanted +
                             "' in its name or as its TID; with samples are: " + list_of_threads(profile));
}

// By node: it or a node below it (towards the root) has a frame that matches.
std::vector<bool> focused_nodes(const Profile& profile, const Focus& focus) {
  std::vector<bool> frames(profile.frames.size(), false);
  for (size_t i = 0; i < frames.size(); ++i) frames[i] = focus.has(profile.frames[i].name);
  std::vector<bool> nodes(profile.nodes.size(), false);
  for (size_t i = 1; i < nodes.size(); ++i)
    nodes[i] = nodes[profile.nodes[i].parent] || frames[profile.nodes[i].frame];
  return nodes;
}

// Time in the runtime is its caller's. Native code that is not the runtime's has not called for it: a
// thread's entry, or a library that calls back into managed code; what the runtime does there is a row of
// its own.
void hide_runtime(Profile& profile) {
  Tree visible;
  const auto runtime = static_cast<uint32_t>(profile.frames.size());
  profile.frames.push_back({"[runtime]", "[runtime]", "", Kind::kOther, true});
  std::vector<uint32_t> moved(profile.nodes.size(), 0);
  for (size_t i = 1; i < moved.size(); ++i) {
    const Node& node = profile.nodes[i];
    const uint32_t parent = moved[node.parent];
    moved[i] = is_runtime(profile.frames[node.frame].kind) ? parent : visible.child(parent, node.frame);
  }
  // Of what was cut off nobody knows who called it: it stays with the frame that stands for it.
  for (size_t frame = 0; frame < profile.thinned.self.size(); ++frame) {
    if (!is_runtime(profile.frames[frame].kind)) continue;
    profile.thinned.self[frame] = profile.thinned.total[frame] = {};
  }
  for (Sample& sample : profile.samples) {
    const bool hidden = sample.node != 0 && is_runtime(profile.frames[profile.nodes[sample.node].frame].kind);
    const uint32_t node = moved[sample.node];
    const bool called = node != 0 && profile.frames[visible.nodes()[node].frame].kind == Kind::kManaged;
    sample.node = hidden && !called ? visible.child(node, runtime) : node;
  }
  profile.nodes = std::move(visible).take();
}

void count_again(Profile& profile, const std::vector<bool>& threads) {
  for (size_t i = 0; i < profile.threads.size(); ++i) {
    if (!threads[i]) profile.threads[i].unsampled_ns = 0;
  }
  count_samples(profile);
}

// What --during and --not-during ask for.
struct Choice {
  std::string event;
  bool within;
  Intervals intervals;
};

base::Result<std::vector<Choice>> choices(const Profile& profile, const Filter& filter) {
  std::vector<Choice> out;
  for (const bool within : {true, false}) {
    for (const std::string& event : within ? filter.during : filter.not_during) {
      base::Result<Intervals> intervals = Intervals::of(profile, event);
      if (!intervals.ok()) return intervals.status();
      out.push_back({event, within, std::move(*intervals)});
    }
  }
  return out;
}

void note(Profile& profile, std::string text) {
  profile.messages.push_back({profile.duration_us, wire::Severity::kInfo, std::move(text)});
}

// Of sums of events it is not known when they happened.
void note_unplaced(Profile& profile, const std::vector<Choice>& choices, uint64_t sums) {
  for (const Choice& choice : choices) {
    if (choice.intervals.unplaced_ns() == 0) continue;
    const uint64_t percent =
        std::max<uint64_t>(choice.intervals.unplaced_ns() * 100 / choice.intervals.all_ns(), 1);
    note(profile,
         std::to_string(percent) + "% of the time of " + choice.event +
             " is of events that were not walked; when they happened is not known, and they are taken "
             "for no " +
             choice.event);
  }
  if (sums != 0)
    note(profile, "sums of events that were not walked: " + std::to_string(sums) +
                      "; when those happened is not known, and they are left out");
}

bool is_chosen(const Sample& sample, const std::vector<Choice>& choices) {
  return std::all_of(choices.begin(), choices.end(), [&sample](const Choice& choice) {
    return choice.intervals.has(sample.thread, sample.time_us) == choice.within;
  });
}

// Samples of the view that the filter wants. Returns how many were left out only because they are sums of
// events.
uint64_t keep_wanted(const Filter& filter, View view, const std::vector<bool>& threads,
                     const std::vector<Choice>& events, Profile& profile) {
  const Focus focus(filter.focus);
  std::vector<bool> nodes;
  if (!focus.all()) nodes = focused_nodes(profile, focus);
  uint64_t sums = 0;
  const auto unwanted = [&](const Sample& s) {
    if (!is_in(profile, view, s)) return true;
    if (!events.empty()) {
      const bool is_sum = s.end == wire::WalkEnd::kNotWalked;
      sums += is_sum ? s.count : 0;
      if (is_sum || !is_chosen(s, events)) return true;
    }
    return !threads[s.thread] || s.time_us < filter.from_us || s.time_us >= filter.to_us ||
           (!focus.all() && !nodes[s.node]);
  };
  profile.samples.erase(std::remove_if(profile.samples.begin(), profile.samples.end(), unwanted),
                        profile.samples.end());
  return sums;
}

}  // namespace

base::Status check(const Filter& filter) { return check_focus(filter.focus); }

bool leaves_all(const Filter& filter) {
  const Filter all;
  return filter.thread.empty() && filter.from_us == all.from_us && filter.to_us == all.to_us &&
         filter.focus.empty() && !filter.by_events();
}

bool is_wanted(const std::string& thread_name, uint32_t tid, const Filter& filter) {
  return filter.thread.empty() || std::to_string(tid) == filter.thread ||
         lower(thread_name).find(lower(filter.thread)) != std::string::npos;
}

base::Result<Profile> filtered(Profile all, const Filter& filter) {
  const base::Result<View> view = find_view(all, filter.event, filter.value);
  if (!view.ok()) return view.status();
  const base::Result<std::vector<Choice>> events = choices(all, filter);
  if (!events.ok()) return events.status();
  const std::vector<bool> threads = wanted_threads(all, filter);
  const bool no_thread = std::find(threads.begin(), threads.end(), true) == threads.end();
  if (no_thread && !filter.thread.empty())
    return no_such_thread(viewed(std::move(all), *view), filter.thread);
  if (base::Status valid = check(filter); !valid.ok()) return valid;
  const bool some = !leaves_all(filter);
  // Before there is a view, so that also what is measured beside its value is chosen.
  const uint64_t sums = some ? keep_wanted(filter, *view, threads, *events, all) : 0;
  Profile profile = viewed(std::move(all), *view);
  if (some) {
    note_unplaced(profile, *events, sums);
    count_again(profile, threads);
  }
  if (filter.hide_runtime) hide_runtime(profile);
  return profile;
}

}  // namespace walkabout::profile
