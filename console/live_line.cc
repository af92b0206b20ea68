#include "console/live_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"
#include "console/print.h"

namespace walkabout::cli {
namespace {
constexpr uint64_t kEveryNs = 500'000'000;
}

LiveLine::LiveLine() : terminal_(::isatty(STDERR_FILENO) == 1), start_ns_(base::monotonic_ns()) {}

void LiveLine::show(uint64_t samples, uint64_t dropped) {
  const uint64_t now = base::monotonic_ns();
  if (!terminal_ || now - last_ns_ < kEveryNs) return;
  const double seconds = static_cast<double>(now - (last_ns_ == 0 ? start_ns_ : last_ns_)) / 1e9;
  try_print_stderr(fmt::format("\r\033[K{:.0f} s   {} samples   {:.0f}/s   {} dropped",
                               static_cast<double>(now - start_ns_) / 1e9, samples,
                               static_cast<double>(samples - last_samples_) / seconds, dropped));
  last_ns_ = now;
  last_samples_ = samples;
  shown_ = true;
}

void LiveLine::clear() {
  if (!shown_) return;
  try_print_stderr("\r\033[K");
  shown_ = false;
}

}  // namespace walkabout::cli
