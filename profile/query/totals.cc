#include "profile/query/totals.h"

#include <algorithm>

#include "profile/query/tree.h"

namespace walkabout::profile {
namespace {

// Adds each node's total to its frame's, unless the frame is already on the way to the root. Walks the tree
// depth first without recursion: recordings decide how deep it is.
void sum_frames(const Profile& profile, Totals& totals) {
  const ChildLists children(profile.nodes);
  std::vector<uint32_t> on_path(profile.frames.size(),
                                0);  // how often a frame is on the path to the current node
  uint32_t node = children.first(0);
  while (node != 0) {
    const uint32_t frame = profile.nodes[node].frame;
    totals.frame_self[frame] += totals.node_self[node];
    if (on_path[frame]++ == 0) totals.frame_total[frame] += totals.node_total[node];
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

}  // namespace

Totals sum_up(const Profile& profile) {
  Totals totals;
  totals.node_self.resize(profile.nodes.size());
  totals.frame_self.resize(profile.frames.size());
  totals.frame_total.resize(profile.frames.size());
  for (const Sample& sample : profile.samples) {
    const Amount amount{sample.weight, sample.count};
    totals.node_self[sample.node] += amount;
    totals.activity[static_cast<size_t>(sample.activity)] += amount;
    totals.walk_end[static_cast<size_t>(sample.end)] += sample.count;
    if (sample.shortened) totals.shortened += sample.count;
    if (!sample.shortened && sample.end == wire::WalkEnd::kRooted) totals.whole += sample.count;
    totals.all += amount;
  }
  totals.node_total = totals.node_self;
  for (size_t i = profile.nodes.size(); i-- > 1;)
    totals.node_total[profile.nodes[i].parent] += totals.node_total[i];
  sum_frames(profile, totals);
  if (profile.thinned.stacks) add_cut_off(profile.thinned, totals);
  return totals;
}

std::vector<uint32_t> heaviest(const std::vector<Amount>& amounts, size_t count) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i].samples > 0) order.push_back(i);
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
