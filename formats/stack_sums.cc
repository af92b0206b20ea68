#include "formats/stack_sums.h"

#include <algorithm>
#include <unordered_map>

namespace walkabout::formats {

std::vector<StackSum> stack_sums(const profile::Profile& profile, bool by_thread) {
  std::unordered_map<uint64_t, size_t> places;
  std::vector<StackSum> sums;
  for (const profile::Sample& sample : profile.samples) {
    const uint32_t thread = by_thread ? sample.thread : 0;
    const auto [it, added] = places.try_emplace(uint64_t{thread} << 32 | sample.node, sums.size());
    if (added) sums.push_back({thread, sample.node, 0, 0});
    sums[it->second].samples += sample.count;
    sums[it->second].weight += sample.weight;
  }
  std::sort(sums.begin(), sums.end(), [](const StackSum& a, const StackSum& b) {
    return a.thread != b.thread ? a.thread < b.thread : a.node < b.node;
  });
  return sums;
}

void stack_of(const profile::Profile& profile, uint32_t node, std::vector<uint32_t>& frames) {
  frames.clear();
  for (; node != 0; node = profile.nodes[node].parent) frames.push_back(profile.nodes[node].frame);
}

}  // namespace walkabout::formats
