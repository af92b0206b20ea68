// Keeps what sampling costs within a share of the program's CPU time: over it the interval is doubled, well
// under it halved again, never below what was asked for. Pure arithmetic on what it is shown; one thread.
//
// Judged are windows of at least kWindowNs in which the process used at least kLeastCpuNs: of a program that
// idles nothing can be said, and nothing is to be gained. One window that is over it by less than kAtOnce
// times is forgiven: names of new code are asked for once, and again in each recording. The way back is slow,
// and slower each time it was wrong: the cost at the double rate, as far as it can be foreseen, must fit for
// kCalmWindows in a row, and for twice as many after each return that was taken back.
#pragma once

#include <cstdint>
#include <optional>

#include "wire/records.h"

namespace walkabout::agent {

class Budget {
 public:
  static constexpr uint64_t kWindowNs = 1'000'000'000;
  static constexpr uint64_t kLeastCpuNs = 50'000'000;
  static constexpr uint32_t kAtOnce = 4;
  static constexpr uint32_t kCalmWindows = 5;
  static constexpr uint32_t kMostCalmWindows = 320;
  static constexpr uint64_t kLongestIntervalNs = 1'000'000'000;

  Budget(uint32_t budget_ppm, uint64_t requested_interval_ns)
      : budget_ppm_(budget_ppm), requested_ns_(requested_interval_ns), interval_ns_(requested_interval_ns) {}

  // Totals until now: what sampling cost, what the process used (that included). A change to be made (its
  // time_us is left to the caller), if there is one.
  std::optional<wire::Rate> judge(uint64_t now_ns, uint64_t cost_ns, uint64_t process_ns);
  uint64_t interval_ns() const { return interval_ns_; }
  uint32_t budget_ppm() const { return budget_ppm_; }
  bool lowered() const { return interval_ns_ != requested_ns_; }

 private:
  struct Totals {
    uint64_t ns, cost_ns, process_ns;
  };
  std::optional<wire::Rate> change_to(uint64_t interval_ns, uint64_t cost_ppm);

  const uint32_t budget_ppm_;
  const uint64_t requested_ns_;
  uint64_t interval_ns_;
  std::optional<Totals> from_;  // where the window begins
  uint32_t over_ = 0;           // windows in a row
  uint32_t calm_ = 0;           // windows in a row
  uint32_t calm_wanted_ = kCalmWindows;
  bool came_back_ = false;  // the last change was to a higher rate
};

}  // namespace walkabout::agent
