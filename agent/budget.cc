#include "agent/budget.h"

#include <algorithm>

namespace walkabout::agent {
namespace {

constexpr uint64_t kMillion = 1'000'000;
// Of the budget: what the double rate may be expected to cost.
constexpr uint64_t kReturnPercent = 75;

}  // namespace

std::optional<wire::Rate> Budget::judge(uint64_t now_ns, uint64_t cost_ns, uint64_t process_ns) {
  const uint64_t process = process_ns - from_process_ns_;
  if (begun_ && (now_ns - from_ns_ < kWindowNs || process < kLeastCpuNs)) return std::nullopt;
  const uint64_t cost_ppm = begun_ ? (cost_ns - from_cost_ns_) * kMillion / process : 0;
  from_ns_ = now_ns;
  from_cost_ns_ = cost_ns;
  from_process_ns_ = process_ns;
  if (!begun_) {
    begun_ = true;
    return std::nullopt;
  }
  if (cost_ppm > budget_ppm_) {
    calm_ = 0;
    if (++over_ < 2 && cost_ppm < uint64_t{budget_ppm_} * kAtOnce) return std::nullopt;
    return change_to(std::min(interval_ns_ * 2, std::max(kLongestIntervalNs, asked_ns_)), cost_ppm);
  }
  over_ = 0;
  if (!lowered() || cost_ppm * 2 * 100 > uint64_t{budget_ppm_} * kReturnPercent) {
    calm_ = 0;
    return std::nullopt;
  }
  if (++calm_ < calm_wanted_) return std::nullopt;
  calm_ = 0;
  return change_to(std::max(interval_ns_ / 2, asked_ns_), cost_ppm);
}

std::optional<wire::Rate> Budget::change_to(uint64_t interval_ns, uint64_t cost_ppm) {
  if (interval_ns == interval_ns_) return std::nullopt;
  const bool back = interval_ns < interval_ns_;
  if (!back && came_back_) calm_wanted_ = std::min(calm_wanted_ * 2, kMostCalmWindows);
  came_back_ = back;
  const wire::Rate rate{0, interval_ns, interval_ns_, std::max<uint64_t>(cost_ppm, 1), budget_ppm_};
  interval_ns_ = interval_ns;
  return rate;
}

}  // namespace walkabout::agent
