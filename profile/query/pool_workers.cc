#include "profile/query/pool_workers.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "profile/query/named_source.h"

namespace walkabout::profile {
namespace {

constexpr char kThreads[] = "threads";
constexpr char kEvents[] = "thread events";
constexpr std::string_view kAdjusted = "pool adjusted: ";
constexpr std::string_view kBegins = "pool worker begins";
constexpr std::string_view kEnds = "pool worker ends";

class Counter {
 public:
  Counter(const Profile& profile, const NamedSource& threads, uint64_t begin_us, uint64_t end_us)
      : threads_(threads), begin_us_(begin_us), from_start_(!profile.session.attached) {
    const uint64_t length_us = std::max<uint64_t>(end_us - begin_us, 1);
    part_us_ = (length_us + kPoolParts - 1) / kPoolParts;
    for (uint64_t at = begin_us; at < end_us; at += part_us_)
      out_.parts.push_back({at, std::min(at + part_us_, end_us), {}, 0});
    if (from_start_) workers_ = 0;
  }

  // In the order of time.
  void add(const Sample& sample) {
    const std::string kind = threads_.label(sample, "kind");
    if (kind == kBegins || kind == kEnds) {
      reach(sample.time_us);
      counted(sample, kind == kBegins);
    } else if (kind.starts_with(kAdjusted)) {
      reach(sample.time_us);
      adjusted(sample, kind.substr(kAdjusted.size()));
    }
  }

  PoolWorkers result() {
    reach(out_.parts.empty() ? begin_us_ : out_.parts.back().end_us);
    if (!order_unknown_) out_.end = workers_;
    return std::move(out_);
  }

 private:
  bool is_within(const Sample& sample) const { return sample.time_us >= begin_us_; }

  // What there was until then is what there was in the parts before.
  void reach(uint64_t time_us) {
    if (time_us < begin_us_) return;
    if (!begun_) out_.begin = out_.most = order_unknown_ ? std::nullopt : workers_;
    begun_ = true;
    while (part_ < out_.parts.size()) {
      see(order_unknown_ ? std::nullopt : workers_);
      if (out_.parts[part_].end_us > time_us || part_ + 1 == out_.parts.size()) break;
      ++part_;
    }
  }
  void see(std::optional<uint64_t> workers) {
    if (!workers || part_ >= out_.parts.size()) return;
    std::optional<uint64_t>& most = out_.parts[part_].most;
    most = std::max(most.value_or(0), *workers);
    out_.most = std::max(out_.most.value_or(0), *workers);
  }
  void counted(const Sample& sample, bool begins) {
    const uint64_t events = threads_.value(sample, kEvents);
    workers_ = threads_.label_number(sample, "workers");
    order_unknown_ = threads_.has_sum(sample);
    if (!is_within(sample)) return;
    (begins ? out_.begun : out_.ended) += events;
    if (order_unknown_) out_.summed += events;
    see(workers_);
  }
  void adjusted(const Sample& sample, const std::string& name) {
    const uint64_t events = threads_.value(sample, kEvents), goal = threads_.label_number(sample, "workers");
    const std::optional<uint64_t> before = std::exchange(goal_, goal);
    if (!is_within(sample)) return;
    PoolReason& reason = reason_of(name, sample.time_us);
    reason.times += events;
    reason.last_us = sample.time_us;
    uint64_t added = 0;
    if (name == kStarvation)
      added = events;
    else if (threads_.has_sum(sample))
      added = 0;  // their order among the others is not known
    else if (before)
      added = goal - std::min(*before, goal);
    else if (name == kBlockedWorkers && from_start_)
      added = 1;
    reason.added += added;
    if (before && name != kStarvation && !threads_.has_sum(sample))
      reason.removed += *before - std::min(*before, goal);
    if (threads_.has_sum(sample)) {
      out_.summed += events;
      goal_.reset();
    }
    if (part_ < out_.parts.size() && (name == kStarvation || name == kBlockedWorkers))
      out_.parts[part_].added += added;
  }
  PoolReason& reason_of(const std::string& name, uint64_t time_us) {
    const auto known = std::find_if(out_.reasons.begin(), out_.reasons.end(),
                                    [&](const PoolReason& one) { return one.name == name; });
    if (known != out_.reasons.end()) return *known;
    out_.reasons.push_back({name, 0, 0, 0, time_us, time_us});
    return out_.reasons.back();
  }

  const NamedSource& threads_;
  const uint64_t begin_us_;
  const bool from_start_;
  uint64_t part_us_ = 1;
  size_t part_ = 0;
  bool begun_ = false;  // the time that is looked at
  std::optional<uint64_t> workers_, goal_;
  bool order_unknown_ = false;
  PoolWorkers out_;
};

}  // namespace

bool is_pool_starved(const Profile& profile) {
  const NamedSource threads(profile, kThreads);
  if (!threads.recorded()) return false;
  return std::any_of(profile.samples.begin(), profile.samples.end(), [&](const Sample& sample) {
    if (!threads.has(sample)) return false;
    const std::string kind = threads.label(sample, "kind");
    return kind == std::string(kAdjusted) + kStarvation || kind == std::string(kAdjusted) + kBlockedWorkers;
  });
}

std::optional<PoolWorkers> pool_workers(const Profile& profile, uint64_t begin_us, uint64_t end_us) {
  const NamedSource threads(profile, kThreads);
  if (!threads.recorded()) return std::nullopt;
  Counter counter(profile, threads, begin_us, end_us);
  for (const Sample& sample : profile.samples) {
    if (threads.has(sample) && sample.time_us < end_us) counter.add(sample);
  }
  return counter.result();
}

}  // namespace walkabout::profile
