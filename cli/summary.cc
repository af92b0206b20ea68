#include "cli/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/numbers.h"
#include "cli/quality.h"
#include "cli/terminal.h"
#include "profile/totals.h"

namespace walkabout::cli {
namespace {

constexpr size_t kTopMethods = 10;

void print_head(const profile::Profile& p, const profile::Totals& t, std::FILE* to) {
  const auto& s = p.session;
  const double rate = s.interval_ns == 0 ? 0 : 1e9 / static_cast<double>(s.interval_ns);
  fmt::print(to, "\n{} · {:.1f} s · {} · {} samples at {:.0f} Hz of CPU time ({} engine)\n", s.runtime,
             static_cast<double>(p.duration_us) / 1e6, threads_sampled(count_threads(p)), t.all.samples, rate,
             s.engine == wire::Engine::kPerf ? "perf" : "timer");
  fmt::print(to, "CPU time {:.2f} s:", static_cast<double>(t.all.weight_ns) / 1e9);
  for (size_t i = 0; i < t.activity.size(); ++i) {
    const uint64_t weight = t.activity[i].weight_ns;
    if (weight != 0)
      fmt::print(to, "  {} {:.1f}%", profile::to_string(static_cast<profile::Activity>(i)),
                 percent(weight, t.all.weight_ns));
  }
  fmt::print(to, "\n");
}

void print_top(const profile::Profile& p, const profile::Totals& t, size_t width, std::FILE* to) {
  const std::vector<uint32_t> top = profile::heaviest(t.frame_self, kTopMethods);
  if (top.empty()) return;
  fmt::print(to, "\n   self   total  function\n");
  for (uint32_t i : top) {
    fmt::print(to, " {:>5.1f}%  {:>5.1f}%  {}\n", percent(t.frame_self[i].weight_ns, t.all.weight_ns),
               percent(t.frame_total[i].weight_ns, t.all.weight_ns), fit_name(p.frames[i].name, width - 18));
  }
}

void print_quality(const profile::Profile& p, const profile::Totals& t, std::FILE* to) {
  uint64_t dropped = 0;
  for (uint64_t d : p.counters.drops) dropped += d;
  fmt::print(to, "\n{}", whole_stacks(count_stacks(p, t)));
  fmt::print(to, ", {} ticks dropped", dropped == 0 ? "no" : std::to_string(dropped));
  const double agent = static_cast<double>(p.counters.handler_ns + p.counters.agent_threads_ns);
  if (p.counters.process_cpu_ns != 0) {
    fmt::print(to, ", profiling took {:.2f}% of the CPU time",
               100 * agent / static_cast<double>(p.counters.process_cpu_ns));
  }
  fmt::print(to, "\n");
  if (!p.complete) fmt::print(to, "The recording was cut off: the program ended without saying goodbye.\n");
  if (!p.damage.empty()) fmt::print(to, "{}\n", p.damage);
  for (const wire::Message& m : p.messages) {
    fmt::print(to, "{}{}\n", m.severity == wire::Severity::kWarning ? "warning: " : "", m.text);
  }
}

}  // namespace

void print_summary(const profile::Profile& profile, size_t width, std::FILE* to) {
  const profile::Totals totals = profile::sum_up(profile);
  print_head(profile, totals, to);
  print_top(profile, totals, std::max<size_t>(width, 40), to);
  print_quality(profile, totals, to);
}

}  // namespace walkabout::cli
