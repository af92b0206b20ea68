#include "profile/query/intervals.h"

#include <algorithm>
#include <utility>

namespace walkabout::profile {
namespace {

constexpr char kStopsAll[] = "gc";
constexpr char kTime[] = "nanoseconds";

// The value that says how long an event took; as many as it has where none does.
size_t time_value(const wire::Source& source) {
  const auto is_time = [](const wire::SourceValue& value) { return value.unit == kTime; };
  return static_cast<size_t>(std::find_if(source.values.begin(), source.values.end(), is_time) -
                             source.values.begin());
}

bool lasts(const wire::Source& source) {
  return source.clock == static_cast<uint32_t>(wire::Clock::kEvent) &&
         time_value(source) != source.values.size();
}

std::string lasting_events(const Profile& profile) {
  std::string out;
  for (const wire::Source& source : profile.sources) {
    if (lasts(source)) out += (out.empty() ? "" : ", ") + source.name;
  }
  return out.empty() ? "no event that lasts; run with --events gc,locks,waits,jit,loads records such" : out;
}

}  // namespace

base::Result<Intervals> Intervals::of(const Profile& profile, const std::string& event) {
  const auto source = std::find_if(profile.sources.begin(), profile.sources.end(),
                                   [&event](const wire::Source& s) { return s.name == event; });
  if (source == profile.sources.end() || !lasts(*source))
    return base::Status::error("'" + event + "' is no event with a begin and an end; the recording has " +
                               lasting_events(profile));
  if (profile.thinned.span_us != 0)
    return base::Status::error(
        "the recording has so many samples that equal ones were put together: when a single event happened "
        "is not known");
  Intervals all;
  all.of_all_threads_ = event == kStopsAll;
  all.by_thread_.resize(all.of_all_threads_ ? 1 : profile.threads.size());
  const auto index = static_cast<uint8_t>(source - profile.sources.begin());
  const size_t value = time_value(*source);
  std::vector<const Sample*> samples;
  for (const Sample& sample : profile.samples) {
    if (sample.source != index) continue;
    const uint64_t ns = value_of(profile, sample, value);
    all.all_ns_ += ns;
    if (sample.end == wire::WalkEnd::kNotWalked) {
      all.unplaced_ns_ += ns;
    } else if (ns != 0) {
      samples.push_back(&sample);
    }
  }
  std::stable_sort(samples.begin(), samples.end(),
                   [](const Sample* a, const Sample* b) { return a->time_us < b->time_us; });
  for (const Sample* sample : samples) {
    const size_t list = all.of_all_threads_ ? 0 : sample->thread;
    all.add(all.by_thread_[list], sample->time_us, value_of(profile, *sample, value) / 1000);
  }
  return all;
}

// What ended within it before has its own time, which comes on top.
void Intervals::add(std::vector<Interval>& intervals, uint64_t end_us, uint64_t own_us) {
  uint64_t begin_us = end_us - std::min(end_us, own_us);
  while (!intervals.empty() && intervals.back().end_us > begin_us) {
    const Interval within = intervals.back();
    intervals.pop_back();
    const uint64_t took_us = within.end_us - within.begin_us;
    if (of_all_threads_) {
      begin_us = std::min(begin_us, within.begin_us);
    } else {
      begin_us -= std::min(begin_us, took_us);
    }
  }
  intervals.push_back({begin_us, end_us});
}

bool Intervals::has(uint32_t thread, uint64_t time_us) const {
  const std::vector<Interval>& intervals = by_thread_[of_all_threads_ ? 0 : thread];
  const auto at = std::lower_bound(intervals.begin(), intervals.end(), time_us,
                                   [](const Interval& one, uint64_t us) { return one.end_us < us; });
  return at != intervals.end() && at->begin_us < time_us;
}

}  // namespace walkabout::profile
