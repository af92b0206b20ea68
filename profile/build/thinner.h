// Keeps the profile of a recording of any length within bounds. Two things are put together when there are
// too many: samples that are equal but for their time, within a span of time that grows as it must; and the
// rarest stacks, which are cut off above what they share with others and go on in a frame that says so. Sums
// stay what they were, over functions too (profile::Thinned). One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/model/profile.h"
#include "profile/query/tree.h"

namespace walkabout::profile {

struct Bounds {
  size_t samples = (size_t{1} << 29) / sizeof(Sample);  // 512 MiB
  size_t nodes = size_t{1} << 22;                       // of the display tree: 64 MiB
};

inline constexpr uint64_t kWholeTime = ~uint64_t{0};

// Equal samples of each span become one, at the time of the first. Their order is another one afterwards.
// profile: has their sources, and their values behind the first, which change with them.
void merge(std::vector<Sample>& samples, uint64_t span_us, Profile& profile);

// Keeps the `keep` heaviest nodes of the tree at most, with all their callers, and below each at most one of
// the frame `rest`. self: by node, of all samples. shown: of those that the sums over functions are of. Adds
// to `thinned` what frames lose of these. Returns where each node went.
std::vector<uint32_t> prune(Tree& tree, const std::vector<Amount>& self, const std::vector<Amount>& shown,
                            size_t keep, uint32_t rest, Thinned& thinned);

}  // namespace walkabout::profile
