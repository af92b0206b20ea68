#include "profile/build/thinner.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace walkabout::profile {
namespace {

auto key(const Sample& s, uint64_t span_us) {
  return std::tuple(s.time_us / span_us, s.thread, s.node, s.activity, s.end, s.shortened, s.source,
                    s.labels);
}

void add_value(wire::Adding adding, uint64_t value, uint64_t& to) {
  to = adding == wire::Adding::kMax ? std::max(to, value) : to + value;
}

// The values of a sample that becomes one with `to`.
void add_values(const Sample& from, Sample& to, Profile& profile) {
  const std::vector<wire::SourceValue>& values = profile.sources[from.source].values;
  add_value(values[0].adding, from.weight, to.weight);
  for (size_t i = 1; i < values.size(); ++i)
    add_value(values[i].adding, value_of(profile, from, i), profile.more_values[to.more + i - 1]);
}

// More than this is kept.
uint64_t weight_of_the(size_t place, const std::vector<Amount>& total) {
  std::vector<uint64_t> weights(total.size() - 1);  // not of the root
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = total[i + 1].weight;
  const auto at = weights.begin() + static_cast<ptrdiff_t>(place);
  std::nth_element(weights.begin(), at, weights.end(), std::greater<>());
  return *at;
}

// What frames lose with the nodes that go. A frame's total counts once on a way to the root.
template <typename Goes>
void add_lost(const std::vector<Node>& nodes, const std::vector<Amount>& self,
              const std::vector<Amount>& total, uint32_t rest, Goes goes, Thinned& thinned) {
  const ChildLists children(nodes);
  std::vector<uint32_t> on_path(thinned.self.size(), 0);
  uint32_t node = children.first(0);
  while (node != 0) {
    const uint32_t frame = nodes[node].frame;
    const bool first = on_path[frame]++ == 0;
    if (goes(node) && frame != rest) {
      thinned.self[frame] += self[node];
      if (first) thinned.total[frame] += total[node];
    }
    uint32_t next = children.first(node);
    while (next == 0 && node != 0) {
      --on_path[nodes[node].frame];
      next = children.next(node);
      node = nodes[node].parent;
    }
    node = next;
  }
}

// By node: itself and everything above it.
std::vector<Amount> totals_of(const std::vector<Node>& nodes, std::vector<Amount> amounts) {
  for (size_t i = nodes.size(); i-- > 1;) amounts[nodes[i].parent] += amounts[i];
  return amounts;
}

}  // namespace

void merge(std::vector<Sample>& samples, uint64_t span_us, Profile& profile) {
  std::sort(samples.begin(), samples.end(),
            [span_us](const Sample& a, const Sample& b) { return key(a, span_us) < key(b, span_us); });
  size_t kept = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    const Sample& s = samples[i];
    Sample* last = kept == 0 ? nullptr : &samples[kept - 1];
    const bool fits = last != nullptr && std::numeric_limits<uint32_t>::max() - last->count >= s.count;
    if (!fits || key(*last, span_us) != key(s, span_us)) {
      samples[kept++] = s;
      continue;
    }
    last->time_us = std::min(last->time_us, s.time_us);
    add_values(s, *last, profile);
    last->count += s.count;
  }
  samples.resize(kept);
}

std::vector<uint32_t> prune(Tree& tree, const std::vector<Amount>& self, const std::vector<Amount>& shown,
                            size_t keep, uint32_t rest, Thinned& thinned) {
  const std::vector<Node>& nodes = tree.nodes();
  std::vector<uint32_t> moved(nodes.size());
  const std::vector<Amount> total = totals_of(nodes, self);
  if (nodes.size() - 1 <= keep) {
    for (uint32_t i = 0; i < moved.size(); ++i) moved[i] = i;
    return moved;
  }
  const uint64_t least = weight_of_the(keep, total);
  const auto goes = [&](uint32_t node) { return total[node].weight <= least; };
  add_lost(nodes, shown, totals_of(nodes, shown), rest, goes, thinned);
  Tree kept;
  for (uint32_t i = 1; i < nodes.size(); ++i) {
    const uint32_t parent = nodes[i].parent;
    if (!goes(i)) {
      moved[i] = kept.child(moved[parent], nodes[i].frame);
    } else {
      moved[i] = parent != 0 && goes(parent) ? moved[parent] : kept.child(moved[parent], rest);
    }
  }
  tree = std::move(kept);
  return moved;
}

}  // namespace walkabout::profile
