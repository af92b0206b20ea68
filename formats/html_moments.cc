#include "formats/html_moments.h"

#include <algorithm>
#include <utility>

#include "profile/query/view.h"

namespace walkabout::formats {
namespace {

using profile::Profile;
using profile::Sample;

constexpr char kTime[] = "nanoseconds";

bool has_lane(const wire::Source& source) {
  return source.id != profile::kTracedSource && source.clock == static_cast<uint32_t>(wire::Clock::kEvent) &&
         !source.values.empty() && source.values[0].unit != "bytes";
}

// The value that says how long an event took; as many as it has where none does.
size_t time_value(const wire::Source& source) {
  return static_cast<size_t>(
      std::find_if(source.values.begin(), source.values.end(),
                   [](const wire::SourceValue& value) { return value.unit == kTime; }) -
      source.values.begin());
}

// Of the event itself: another value's samples, as of the owner of a lock, are no event of their own.
uint64_t took_us(const Profile& profile, const wire::Source& source, const Sample& sample) {
  if (profile.view) return profile::viewed_value(profile).unit == kTime ? sample.weight / 1000 : 0;
  const size_t value = time_value(source);
  return value == source.values.size() ? 0 : profile::value_of(profile, sample, value) / 1000;
}

// What there is of a source's events.
struct Found {
  uint64_t events = 0;
  uint64_t sums = 0;
  bool last = false;  // any of them
};

class Finder {
 public:
  Finder(const Profile& profile, uint8_t index)
      : profile_(profile), index_(index), source_(profile.sources[index]) {}

  // with: a moment of each event, its lane not set yet.
  template <typename With>
  Found each(With with) const {
    Found found;
    for (const Sample& sample : profile_.samples) {
      if (sample.source != index_ || profile::is_of_another_value(source_, sample.weight)) continue;
      if (sample.count != 1 || sample.end == wire::WalkEnd::kNotWalked) {
        found.sums += sample.count;
        continue;
      }
      const HtmlMoment moment{sample.time_us, took_us(profile_, source_, sample), sample.thread, sample.node,
                              sample.labels};
      ++found.events;
      found.last = found.last || moment.took_us != 0;
      with(moment);
    }
    return found;
  }

 private:
  const Profile& profile_;
  const uint8_t index_;
  const wire::Source& source_;
};

// The longest, of equals the earlier. Never holds more than twice as many.
class Longest {
 public:
  explicit Longest(size_t most) : most_(most) {}
  void add(const HtmlMoment& moment) {
    held_.push_back(moment);
    if (held_.size() >= 2 * most_) cut();
  }
  std::vector<HtmlMoment> take() && {
    cut();
    return std::move(held_);
  }

 private:
  void cut() {
    if (held_.size() <= most_) return;
    const auto longer = [](const HtmlMoment& a, const HtmlMoment& b) {
      return a.took_us != b.took_us ? a.took_us > b.took_us : a.time_us < b.time_us;
    };
    std::nth_element(held_.begin(), held_.begin() + static_cast<ptrdiff_t>(most_), held_.end(), longer);
    held_.resize(most_);
  }

  const size_t most_;
  std::vector<HtmlMoment> held_;
};

// So many, as even as it goes.
std::vector<HtmlMoment> evenly(const Finder& finder, uint64_t all, uint64_t most) {
  std::vector<HtmlMoment> chosen;
  uint64_t at = 0;
  finder.each([&](const HtmlMoment& moment) {
    if (chosen.size() < most && at++ == chosen.size() * all / most) chosen.push_back(moment);
  });
  return chosen;
}

std::vector<HtmlMoment> shown_of(const Finder& finder, const Found& found, size_t most) {
  if (!found.last) return evenly(finder, found.events, std::min<uint64_t>(found.events, most));
  Longest longest(most);
  finder.each([&](const HtmlMoment& moment) { longest.add(moment); });
  return std::move(longest).take();
}

}  // namespace

HtmlMoments html_moments(const Profile& profile, size_t most) {
  HtmlMoments out;
  for (size_t index = 0; index < profile.sources.size(); ++index) {
    if (!has_lane(profile.sources[index])) continue;
    const Finder finder(profile, static_cast<uint8_t>(index));
    const Found found = finder.each([](const HtmlMoment&) {});
    if (found.events + found.sums == 0) continue;
    const std::vector<HtmlMoment> moments = shown_of(finder, found, most);
    for (HtmlMoment moment : moments) {
      moment.lane = static_cast<uint32_t>(out.lanes.size());
      out.all.push_back(moment);
    }
    out.lanes.push_back(
        {static_cast<uint8_t>(index), moments.size(), found.events - moments.size(), found.sums});
  }
  std::stable_sort(out.all.begin(), out.all.end(),
                   [](const HtmlMoment& a, const HtmlMoment& b) { return a.time_us < b.time_us; });
  return out;
}

}  // namespace walkabout::formats
