#include "profile/model/lives.h"

#include <algorithm>

namespace walkabout::profile {
namespace {

constexpr uint64_t kMostNumbers = uint64_t{1}
                                  << 30;  // of objects: half a day of two thousand a second, ten times
constexpr uint32_t kMostHalvings = 40;

}  // namespace

const char* to_string(Survived survived) {
  switch (survived) {
    case Survived::kFullCollection:
      return "a collection of all generations";
    case Survived::kCollection:
      return "a collection";
    case Survived::kNothing:
      break;
  }
  return "no collection yet";
}

void Lives::add(const wire::Sweep& sweep) {
  if (sweep.time_us >= at_us_) return;
  for (const uint64_t object : sweep.gone) {
    if (object >= kMostNumbers) continue;
    if (object >= gone_.size()) gone_.resize(std::max<size_t>(object + 1, gone_.size() * 2));
    gone_[object] = true;
  }
  looks_.push_back({sweep.time_us, halvings_, sweep.begun, sweep.ended, sweep.full_begun, sweep.full_ended});
  halvings_ = std::min(halvings_ + std::min(sweep.halvings, kMostHalvings), kMostHalvings);
}

const Lives::Look* Lives::first_after(uint64_t time_us) const {
  const auto at = std::lower_bound(looks_.begin(), looks_.end(), time_us,
                                   [](const Look& look, uint64_t time) { return look.time_us < time; });
  return at == looks_.end() ? nullptr : &*at;
}

uint32_t Lives::halvings(uint64_t allocated_us) const {
  const Look* first = first_after(allocated_us);
  return first == nullptr ? 0 : halvings_ - first->halvings_before;
}

Survived Lives::survived(uint64_t allocated_us) const {
  const Look* first = first_after(allocated_us);
  if (first == nullptr) return Survived::kNothing;
  const Look& last = looks_.back();
  if (last.full_ended > first->full_begun) return Survived::kFullCollection;
  return last.ended > first->begun ? Survived::kCollection : Survived::kNothing;
}

}  // namespace walkabout::profile
