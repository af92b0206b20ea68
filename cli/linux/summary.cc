#include "cli/linux/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "cli/quality.h"
#include "cli/terminal.h"
#include "console/numbers.h"
#include "profile/query/totals.h"
#include "recording/words.h"

namespace walkabout::cli {
namespace {

constexpr size_t kTopMethods = 10;

template <typename... Args>
void add(std::string* to, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(*to), format, std::forward<Args>(args)...);
}

void add_head(const profile::Profile& p, const profile::Totals& t, std::string* to) {
  const auto& s = p.session;
  const double rate = s.interval_ns == 0 ? 0 : 1e9 / static_cast<double>(s.interval_ns);
  add(to, "\n{} · {:.1f} s · {} · {} samples at {:.0f} Hz of CPU time ({})\n", s.runtime,
      static_cast<double>(p.duration_us) / 1e6, threads_sampled(count_threads(p)), t.all.samples, rate,
      recording::ticks_of(s));
  add(to, "CPU time {:.2f} s:", static_cast<double>(t.all.weight) / 1e9);
  for (size_t i = 0; i < t.activity.size(); ++i) {
    const uint64_t weight = t.activity[i].weight;
    if (weight != 0)
      add(to, "  {} {:.1f}%", profile::to_string(static_cast<profile::Activity>(i)),
          percent(weight, t.all.weight));
  }
  add(to, "\n");
}

void add_top(const profile::Profile& p, const profile::Totals& t, size_t width, std::string* to) {
  const std::vector<uint32_t> top = profile::heaviest(t.frame_self, kTopMethods);
  if (top.empty()) return;
  add(to, "\n   self   total  function\n");
  for (uint32_t i : top) {
    add(to, " {:>5.1f}%  {:>5.1f}%  {}\n", percent(t.frame_self[i].weight, t.all.weight),
        percent(t.frame_total[i].weight, t.all.weight), fit_name(p.frames[i].name, width - 18));
  }
}

void add_quality(const profile::Profile& p, const profile::Totals& t, std::string* to) {
  uint64_t dropped = 0;
  for (uint64_t d : p.counters.drops) dropped += d;
  add(to, "\n{}", whole_stacks(count_stacks(p, t)));
  add(to, ", {} dropped", dropped == 0 ? "no ticks" : counted(dropped, "tick"));
  if (p.counters.process_cpu_ns != 0) {
    add(to, ", profiling took {:.2f}% of the CPU time",
        percent(p.counters.profiling_ns(), p.counters.process_cpu_ns));
  }
  add(to, "\n");
  if (!p.complete) add(to, "The recording was cut off: the program ended without saying goodbye.\n");
  if (!p.damage.empty()) add(to, "{}\n", p.damage);
  for (const wire::Message& m : p.messages) {
    add(to, "{}{}\n", m.severity == wire::Severity::kWarning ? "warning: " : "", m.text);
  }
}

}  // namespace

std::string summary_text(const profile::Profile& profile, const profile::Totals& totals, size_t width) {
  std::string text;
  add_head(profile, totals, &text);
  add_top(profile, totals, std::max<size_t>(width, 40), &text);
  add_quality(profile, totals, &text);
  return text;
}

}  // namespace walkabout::cli
