#include "profile/build/placed_sums.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

bool is_sum(const Sample& sample) { return sample.end == wire::WalkEnd::kNotWalked; }

// The samples of one thread with equal labels, by their numbers in the profile, in the order of time.
class Alike {
 public:
  void add(uint32_t index, const Profile& profile) {
    const Sample& sample = profile.samples[index];
    if (is_sum(sample)) {
      sums_.push_back(index);
    } else {
      walked_.push_back(index);
      shares_.push_back(shares_.back() + std::max<uint64_t>(sample.weight, 1));
    }
  }

  // Returns what was placed of the first value.
  uint64_t place(Profile& profile) const {
    if (walked_.empty()) return 0;
    uint64_t placed = 0;
    size_t begin = 0;
    for (const uint32_t index : sums_) {
      Sample& sum = profile.samples[index];
      placed += sum.weight;
      const size_t end = walked_until(profile, sum.time_us);
      if (begin < end)
        spread(profile, sum, begin, end);
      else
        spread(profile, sum, std::max<size_t>(end, 1) - 1, std::max<size_t>(end, 1));
      begin = end;
      sum.count = 0;
    }
    return placed;
  }

 private:
  size_t walked_until(const Profile& profile, uint64_t time_us) const {
    const auto behind = std::upper_bound(
        walked_.begin(), walked_.end(), time_us,
        [&profile](uint64_t time, uint32_t index) { return time < profile.samples[index].time_us; });
    return static_cast<size_t>(behind - walked_.begin());
  }

  // Whole numbers that add up to what the sum has.
  void spread(Profile& profile, const Sample& sum, size_t begin, size_t end) const {
    const size_t values = profile.sources[sum.source].values.size();
    const uint64_t all = shares_[end] - shares_[begin];
    for (size_t value = 0; value < values; ++value) {
      const uint64_t amount = value_of(profile, sum, value);
      uint64_t given = 0;
      for (size_t i = begin; i < end; ++i) {
        const uint64_t until = shares_[i + 1] - shares_[begin];
        const auto due = static_cast<uint64_t>(static_cast<__uint128_t>(amount) * until / all);
        Sample& walked = profile.samples[walked_[i]];
        (value == 0 ? walked.weight : profile.more_values[walked.more + value - 1]) += due - given;
        given = due;
      }
    }
  }

  std::vector<uint32_t> walked_, sums_;
  std::vector<uint64_t> shares_{0};  // of those walked before: what they stood for, added up
};

}  // namespace

PlacedSums place_sums(Profile& profile, uint8_t source) {
  std::vector<uint32_t> order;
  PlacedSums result;
  for (uint32_t i = 0; i < profile.samples.size(); ++i) {
    const Sample& sample = profile.samples[i];
    if (sample.source != source) continue;
    order.push_back(i);
    result.all += sample.weight;
  }
  std::stable_sort(order.begin(), order.end(), [&profile](uint32_t a, uint32_t b) {
    return profile.samples[a].time_us < profile.samples[b].time_us;
  });
  std::map<std::pair<uint32_t, uint32_t>, Alike> all;  // by thread and labels
  for (const uint32_t i : order) all[{profile.samples[i].thread, profile.samples[i].labels}].add(i, profile);
  for (const auto& [key, alike] : all) result.placed += alike.place(profile);
  if (result.placed == 0) return result;
  std::erase_if(profile.samples, [source](const Sample& s) { return s.source == source && s.count == 0; });
  return result;
}

double placed_share(const Profile& profile) {
  const uint8_t source = view_of(profile).source;
  return source < profile.placed.size() ? profile.placed[source].share() : 0;
}

}  // namespace walkabout::profile
