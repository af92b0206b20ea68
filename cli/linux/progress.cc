#include "cli/linux/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "cli/terminal.h"
#include "console/numbers.h"
#include "console/print.h"
#include "profile/build/calls.h"

namespace walkabout::cli {
namespace {

constexpr uint64_t kEachNs = 1'000'000'000;
constexpr size_t kMostLiveRows = 15, kLiveColumns = 31;

struct LiveRow {
  const wire::CountedMethod* method;
  uint64_t calls, lately;
};

}  // namespace

Progress::Progress(Live shows)
    : shows_(shows == Live::kCalls && ::isatty(STDERR_FILENO) != 1 ? Live::kNothing : shows) {}

void Progress::show(const StreamReceivers& receivers) {
  if (shows_ == Live::kCalls && base::monotonic_ns() - last_ns_ >= kEachNs) show_calls(receivers);
  if (shows_ != Live::kSamples) return;
  uint64_t samples = 0, dropped = 0;
  for (const auto& receiver : receivers) samples += receiver->samples(), dropped += receiver->dropped();
  line_.show(samples, dropped);
}

void Progress::show_calls(const StreamReceivers& receivers) {
  const uint64_t now_ns = base::monotonic_ns();
  const double seconds_since = static_cast<double>(now_ns - last_ns_) / 1e9;
  const bool first = std::exchange(last_ns_, now_ns) == 0;
  std::vector<LiveRow> rows;
  uint64_t total = 0;
  for (const auto& receiver : receivers) {
    const std::vector<uint64_t>& calls = receiver->calls().calls();
    std::vector<uint64_t>& before = before_[receiver.get()];
    before.resize(calls.size());
    for (size_t i = 0; i < calls.size(); ++i) {
      total += calls[i];
      if (calls[i] != 0)
        rows.push_back(
            {&receiver->calls().methods()[i], calls[i], calls[i] - std::exchange(before[i], calls[i])});
    }
  }
  const size_t shown = std::min(rows.size(), kMostLiveRows);
  std::partial_sort(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(shown), rows.end(),
                    [](const LiveRow& a, const LiveRow& b) { return a.calls > b.calls; });
  const Terminal terminal{columns(STDERR_FILENO, kNarrowest), false};
  std::string text = fmt::format("{:>16} {:>13}  {} so far in {}\n", "calls", "per second",
                                 counted(total, "call"), counted(rows.size(), "method"));
  for (size_t i = 0; i < shown; ++i) {
    const std::string rate =
        first ? "" : grouped(static_cast<uint64_t>(static_cast<double>(rows[i].lately) / seconds_since));
    text += fmt::format("{:>16} {:>13}  {}\n", grouped(rows[i].calls), rate,
                        fit_name(profile::name_of(*rows[i].method), terminal.room_behind(kLiveColumns)));
  }
  erase_table();
  try_print_stderr(text);
  rows_ = shown + 1;
}

void Progress::erase_table() {
  if (rows_ != 0) try_print_stderr(fmt::format("\x1b[{}F\x1b[J", rows_));
  rows_ = 0;
}

void Progress::clear() {
  line_.clear();
  erase_table();
}

}  // namespace walkabout::cli
