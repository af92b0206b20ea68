#include "profile/query/totals.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "profile/names/exception_dispatch.h"
#include "profile/query/rows.h"
#include "profile/query/tree.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

// What the runtime does to raise an event.
bool is_raising(const DisplayFrame& frame) {
  return is_runtime(frame.kind) || is_exception_dispatch(frame.name);
}

// By node: the one whose frame has its self. Of an event the frames that raise it have none, where a method
// called them: it has it. Not where stacks were cut off: what was is summed by the frame that had it.
std::vector<uint32_t> self_nodes(const Profile& profile, View view) {
  std::vector<uint32_t> own(profile.nodes.size());
  std::iota(own.begin(), own.end(), 0);
  if (source_of(profile, view).clock != static_cast<uint32_t>(wire::Clock::kEvent) || profile.thinned.stacks)
    return own;
  const auto frame = [&profile](uint32_t node) -> const DisplayFrame& {
    return profile.frames[profile.nodes[node].frame];
  };
  for (uint32_t node = 1; node < own.size(); ++node) {
    const uint32_t caller = profile.nodes[node].parent;
    if (caller == 0 || !is_raising(frame(node))) continue;
    const DisplayFrame& method = frame(own[caller]);
    if (method.kind == Kind::kManaged && !is_raising(method)) own[node] = own[caller];
  }
  return own;
}

void sum_selves(const Profile& profile, View view, Totals& totals) {
  const std::vector<uint32_t> own = self_nodes(profile, view);
  for (size_t node = 1; node < own.size(); ++node)
    add(totals.node_self[node], totals.adding, totals.frame_self[profile.nodes[own[node]].frame]);
}

// Adds each node's total to its frame's, unless the frame is already on the way to the root. Walks the tree
// depth first without recursion: recordings decide how deep it is.
void sum_frames(const Profile& profile, Totals& totals) {
  const ChildLists children(profile.nodes);
  std::vector<uint32_t> on_path(profile.frames.size(),
                                0);  // how often a frame is on the path to the current node
  uint32_t node = children.first(0);
  while (node != 0) {
    const uint32_t frame = profile.nodes[node].frame;
    if (on_path[frame]++ == 0) add(totals.node_total[node], totals.adding, totals.frame_total[frame]);
    uint32_t next = children.first(node);
    while (next == 0 && node != 0) {
      --on_path[profile.nodes[node].frame];
      next = children.next(node);
      node = profile.nodes[node].parent;
      if (node == 0 && next == 0) return;
    }
    node = next;
  }
}

// To each frame what was cut off; the frame that stands for it keeps what is nobody's.
void add_cut_off(const Thinned& thinned, Totals& totals) {
  Amount& rest = totals.frame_self[thinned.rest];
  for (size_t frame = 0; frame < thinned.self.size(); ++frame) {
    const Amount& self = thinned.self[frame];
    totals.frame_self[frame] += self;
    totals.frame_total[frame] += thinned.total[frame];
    rest.weight -= std::min(rest.weight, self.weight);
    rest.samples -= std::min(rest.samples, self.samples);
  }
  totals.frame_total[thinned.rest] = rest;
}

// How the walks of the samples ended.
void count_walks(const Profile& profile, View view, Totals& totals) {
  for (const Sample& sample : profile.samples) {
    if (!is_in(profile, view, sample)) continue;
    totals.walk_end[static_cast<size_t>(sample.end)] += sample.count;
    if (sample.end == wire::WalkEnd::kNotWalked) totals.not_walked += weight_of(profile, view, sample);
    if (sample.shortened) totals.shortened += sample.count;
    if (!sample.shortened && sample.end == wire::WalkEnd::kRooted) totals.whole += sample.count;
  }
}

}  // namespace

Totals sum_up(const Profile& profile) {
  const View view = view_of(profile);
  Totals totals;
  totals.adding = adding_of(profile, view);
  totals.node_self.resize(profile.nodes.size());
  totals.frame_self.resize(profile.frames.size());
  totals.frame_total.resize(profile.frames.size());
  for (const Row& row : activity_rows(profile, view)) {
    add(row.sum, totals.adding, totals.node_self[row.node]);
    add(row.sum, totals.adding, totals.activity[static_cast<size_t>(row.activity)]);
    add(row.sum, totals.adding, totals.all);
  }
  count_walks(profile, view, totals);
  totals.node_total = totals.node_self;
  for (size_t i = profile.nodes.size(); i-- > 1;)
    add(totals.node_total[i], totals.adding, totals.node_total[profile.nodes[i].parent]);
  sum_selves(profile, view, totals);
  sum_frames(profile, totals);
  if (profile.thinned.stacks) add_cut_off(profile.thinned, totals);
  return totals;
}

std::vector<uint32_t> heaviest(const std::vector<Amount>& amounts, size_t count) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i].samples > 0 || amounts[i].weight > 0) order.push_back(i);
  }
  count = std::min(count, order.size());
  const auto heavier = [&amounts](uint32_t a, uint32_t b) {
    if (amounts[a].weight != amounts[b].weight) return amounts[a].weight > amounts[b].weight;
    return amounts[a].samples != amounts[b].samples ? amounts[a].samples > amounts[b].samples : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(count), order.end(), heavier);
  order.resize(count);
  return order;
}

}  // namespace walkabout::profile
