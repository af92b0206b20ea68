#include "profile/build/placed_sums.h"

#include <algorithm>
#include <map>
#include <utility>

namespace walkabout::profile {
namespace {

bool is_sum(const Sample& sample) { return sample.end == wire::WalkEnd::kNotWalked; }

// The last moment of the span that a time is in.
uint64_t span_end(uint64_t time_us, uint64_t span_us) {
  if (span_us == 0) return time_us;
  const uint64_t begin = time_us / span_us * span_us;
  return begin > ~uint64_t{0} - (span_us - 1) ? ~uint64_t{0} : begin + (span_us - 1);
}

// The samples of one thread with equal labels, by their numbers, in the order of time.
class Alike {
 public:
  void add(uint32_t index, const Sample& sample) {
    if (is_sum(sample)) {
      sums_.push_back(index);
    } else {
      walked_.push_back(index);
      shares_.push_back(shares_.back() + std::max<uint64_t>(sample.weight, 1));
    }
  }

  // Appends the parts of the sums, which have no count afterwards. Returns what was placed of the first
  // value. Sums of one window are placed as one: there are no more parts than walked samples and windows.
  uint64_t place(std::vector<Sample>& samples, uint64_t span_us, Profile& profile) const {
    if (walked_.empty()) return 0;
    uint64_t placed = 0;
    size_t begin = 0;
    for (size_t i = 0; i < sums_.size();) {
      const uint64_t until_us = span_end(samples[sums_[i]].time_us, span_us);
      Window window{std::vector<uint64_t>(profile.sources[samples[sums_[i]].source].values.size()), 0};
      for (; i < sums_.size() && span_end(samples[sums_[i]].time_us, span_us) == until_us; ++i) {
        Sample& sum = samples[sums_[i]];
        for (size_t value = 0; value < window.amounts.size(); ++value)
          window.amounts[value] += value_of(profile, sum, value);
        window.count += std::exchange(sum.count, 0);
      }
      placed += window.amounts[0];
      const size_t end = walked_until(samples, until_us);
      const size_t nearest = std::max<size_t>(end, 1) - 1;
      spread(samples, window, begin < end ? begin : nearest, begin < end ? end : nearest + 1, profile);
      begin = end;
    }
    return placed;
  }

 private:
  size_t walked_until(const std::vector<Sample>& samples, uint64_t time_us) const {
    const auto behind =
        std::upper_bound(walked_.begin(), walked_.end(), time_us,
                         [&samples](uint64_t time, uint32_t index) { return time < samples[index].time_us; });
    return static_cast<size_t>(behind - walked_.begin());
  }

  // What the sums of a window have, by value.
  struct Window {
    std::vector<uint64_t> amounts;
    uint32_t count;
  };

  // Whole numbers that add up to what the window has.
  void spread(std::vector<Sample>& samples, const Window& window, size_t begin, size_t end,
              Profile& profile) const {
    std::vector<uint64_t> given(window.amounts.size());
    for (size_t i = begin; i < end; ++i) {
      Sample part = samples[walked_[i]];
      part.end = wire::WalkEnd::kNotWalked;
      part.count = i == begin ? window.count : 0;
      part.more = static_cast<uint32_t>(profile.more_values.size());
      for (size_t value = 0; value < given.size(); ++value) {
        const uint64_t until = due(window.amounts[value], begin, i + 1, end);
        const uint64_t amount = until - std::exchange(given[value], until);
        if (value == 0)
          part.weight = amount;
        else
          profile.more_values.push_back(amount);
      }
      samples.push_back(part);
    }
  }

  // Of an amount that those from begin to end have: what those before `until` have.
  uint64_t due(uint64_t amount, size_t begin, size_t until, size_t end) const {
    const long double share = static_cast<long double>(shares_[until] - shares_[begin]) /
                              static_cast<long double>(shares_[end] - shares_[begin]);
    return until == end ? amount
                        : std::min(amount, static_cast<uint64_t>(share * static_cast<long double>(amount)));
  }

  std::vector<uint32_t> walked_, sums_;
  std::vector<unsigned __int128> shares_{0};  // of those walked before: what they stood for, added up
};

}  // namespace

PlacedSums place_sums(std::vector<Sample>& samples, uint8_t source, uint64_t span_us, Profile& profile) {
  PlacedSums result;
  std::vector<uint32_t> order;
  bool any = false;
  for (uint32_t i = 0; i < samples.size(); ++i) {
    if (samples[i].source != source) continue;
    any = any || is_sum(samples[i]);
    order.push_back(i);
    result.all += samples[i].weight;
  }
  if (!any) return result;
  std::stable_sort(order.begin(), order.end(),
                   [&samples](uint32_t a, uint32_t b) { return samples[a].time_us < samples[b].time_us; });
  std::map<std::pair<uint32_t, uint32_t>, Alike> all;  // by thread and labels
  for (const uint32_t i : order) all[{samples[i].thread, samples[i].labels}].add(i, samples[i]);
  const size_t before = samples.size();
  for (const auto& [key, alike] : all) result.placed += alike.place(samples, span_us, profile);
  const auto parts = samples.begin() + static_cast<ptrdiff_t>(before);
  samples.erase(std::remove_if(samples.begin(), parts,
                               [source](const Sample& s) { return s.source == source && s.count == 0; }),
                parts);
  return result;
}

}  // namespace walkabout::profile
