#include "agent/core/budget.h"

#include <algorithm>

namespace walkabout::agent {
namespace {

constexpr uint64_t kMillion = 1'000'000;
// Of the budget: what the double rate may be expected to cost.
constexpr uint64_t kReturnPercent = 75;

}  // namespace

std::optional<wire::Rate> Budget::judge(uint64_t now_ns, uint64_t cost_ns, uint64_t process_ns) {
  const Totals now{now_ns, cost_ns, process_ns};
  const std::optional<Totals> from = from_;
  if (from && (now.ns - from->ns < kWindowNs || now.process_ns - from->process_ns < kLeastCpuNs))
    return std::nullopt;
  from_ = now;
  if (!from) return std::nullopt;
  const uint64_t cost_ppm = (now.cost_ns - from->cost_ns) * kMillion / (now.process_ns - from->process_ns);
  if (cost_ppm > budget_ppm_) {
    calm_ = 0;
    if (++over_ < 2 && cost_ppm < uint64_t{budget_ppm_} * kAtOnce) return std::nullopt;
    return change_to(std::min(interval_ns_ * 2, std::max(kLongestIntervalNs, requested_ns_)), cost_ppm);
  }
  over_ = 0;
  if (!lowered() || cost_ppm * 2 * 100 > uint64_t{budget_ppm_} * kReturnPercent) {
    calm_ = 0;
    return std::nullopt;
  }
  if (++calm_ < calm_wanted_) return std::nullopt;
  calm_ = 0;
  return change_to(std::max(interval_ns_ / 2, requested_ns_), cost_ppm);
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
