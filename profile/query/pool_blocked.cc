#include "profile/query/pool_blocked.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "profile/query/rows.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

struct Interval {
  uint64_t begin_ns, end_ns;
};

// How many threads were blocked at once. Of one thread no intervals overlap.
class AtOnce {
 public:
  void add(Interval interval) {
    changes_.emplace_back(interval.begin_ns, 1);
    changes_.emplace_back(interval.end_ns, -1);
  }
  // The most, in all and in each part. Intervals are half open.
  void count(PoolBlocked& out) {
    std::sort(changes_.begin(), changes_.end());
    out.most = 0;
    for (PoolBlockedPart& part : out.parts) part.most = 0;
    uint64_t now = 0;
    size_t part = 0;
    for (size_t i = 0; i < changes_.size(); ++i) {
      const uint64_t ns = changes_[i].first;
      for (; part + 1 < out.parts.size() && ns >= out.parts[part].end_us * 1000; ++part) {
        if (ns > out.parts[part].end_us * 1000) see(now, out, part + 1);
      }
      changes_[i].second > 0 ? ++now : --now;
      const bool is_last = i + 1 == changes_.size() || changes_[i + 1].first != ns;  // of this moment
      if (is_last) see(now, out, part);
    }
  }

 private:
  static void see(uint64_t now, PoolBlocked& out, size_t part) {
    out.most = std::max(*out.most, now);
    out.parts[part].most = std::max(*out.parts[part].most, now);
  }

  std::vector<std::pair<uint64_t, int>> changes_;
};

void add_to_parts(Interval interval, std::vector<PoolBlockedPart>& parts) {
  for (PoolBlockedPart& part : parts) {
    const uint64_t begin = std::max(interval.begin_ns, part.begin_us * 1000);
    const uint64_t end = std::min(interval.end_ns, part.end_us * 1000);
    if (begin < end) part.blocked_ns += end - begin;
  }
}

// What each sample is about, by its index. Up to its moment, or to where the thread's next one begins:
// several may be told at one moment, of what a thread did one after the other.
std::vector<Interval> times_of(const Profile& profile) {
  std::vector<Interval> out(profile.samples.size());
  std::vector<uint64_t> next_ns(profile.threads.size(), UINT64_MAX);
  for (size_t i = profile.samples.size(); i-- > 0;) {
    const Sample& sample = profile.samples[i];
    const uint64_t end_ns = std::min(sample.time_us * 1000, next_ns[sample.thread]);
    out[i] = {end_ns - std::min(sample.weight, end_ns), end_ns};
    next_ns[sample.thread] = out[i].begin_ns;
  }
  return out;
}

// Its begin may be behind its end: nothing.
Interval within(Interval time, uint64_t begin_us, uint64_t end_us) {
  return {std::max(time.begin_ns, begin_us * 1000), std::min(time.end_ns, end_us * 1000)};
}

// By node.
std::vector<PoolStack> pool_stacks(const Profile& profile) {
  std::vector<PoolStack> out(profile.nodes.size());
  std::vector<bool> looked(profile.nodes.size());
  for (const Sample& sample : profile.samples) {
    if (looked[sample.node]) continue;
    looked[sample.node] = true;
    out[sample.node] = pool_stack(profile, sample.node);
  }
  return out;
}

// Threads that are workers, as one of their stacks says.
std::vector<bool> workers(const Profile& profile, const std::vector<PoolStack>& stacks) {
  std::vector<bool> out(profile.threads.size());
  for (const Sample& sample : profile.samples) {
    if (stacks[sample.node].of != PoolStack::Of::kOthers) out[sample.thread] = true;
  }
  return out;
}

}  // namespace

PoolBlocked pool_blocked(Profile& profile, uint64_t begin_us, uint64_t end_us, size_t parts) {
  PoolBlocked out;
  const uint64_t part_us = std::max<uint64_t>((end_us - begin_us + parts - 1) / parts, 1);
  for (uint64_t at = begin_us; at < end_us; at += part_us)
    out.parts.push_back({at, std::min(at + part_us, end_us), 0, {}});
  const View view = view_of(profile);
  const std::optional<size_t> state = find_label(source_of(profile, view), wire::LabelType::kThreadState);
  const std::vector<PoolStack> stacks = pool_stacks(profile);
  const std::vector<bool> is_worker = workers(profile, stacks);
  AtOnce at_once;
  // What stays is the time within, of workers that had work.
  const std::vector<Interval> times = times_of(profile);
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    Sample& sample = profile.samples[i];
    const bool blocked = !state || label_of(profile, sample.labels, state) ==
                                       static_cast<uint64_t>(wire::ThreadState::kBlocked);
    const Interval time = within(times[i], begin_us, end_us);
    const uint64_t ns = time.end_ns - std::min(time.begin_ns, time.end_ns);
    const PoolStack::Of of = stacks[sample.node].of;
    sample.weight = blocked && of == PoolStack::Of::kWork ? ns : 0;
    if (blocked && of == PoolStack::Of::kOthers && is_worker[sample.thread]) out.unknown_ns += ns;
    if (sample.weight == 0) continue;
    at_once.add(time);
    add_to_parts(time, out.parts);
  }
  std::erase_if(profile.samples, [](const Sample& sample) { return sample.weight == 0; });
  if (profile.thinned.span_us == 0) at_once.count(out);
  std::map<std::tuple<PoolCall, uint32_t, uint32_t>, Amount> waits;
  for (const Row& row : rows(profile, {}, view)) {
    const PoolStack& stack = stacks[row.node];
    out.all += row.sum;
    out.calls[static_cast<size_t>(stack.call)] += row.sum;
    waits[{stack.call, stack.method, stack.caller}] += row.sum;
  }
  for (const auto& [key, amount] : waits)
    out.waits.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), amount});
  std::stable_sort(out.waits.begin(), out.waits.end(),
                   [](const PoolWait& a, const PoolWait& b) { return a.amount.weight > b.amount.weight; });
  return out;
}

}  // namespace walkabout::profile
