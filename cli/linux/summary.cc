#include "cli/linux/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "cli/event_text.h"
#include "cli/quality.h"
#include "cli/terminal.h"
#include "console/numbers.h"
#include "profile/names/label_text.h"
#include "profile/query/blocked.h"
#include "profile/query/rows.h"
#include "profile/query/totals.h"
#include "profile/query/view.h"
#include "recording/words.h"
#include "wire/counters.h"

namespace walkabout::cli {
namespace {

constexpr size_t kTopMethods = 10;

template <typename... Args>
void add(std::string* to, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(*to), format, std::forward<Args>(args)...);
}

void add_head(const profile::Profile& p, const profile::Totals& t, std::string* to) {
  const auto& s = p.session;
  const profile::View view = profile::view_of(p);
  add(to, "\n{} · {:.1f} s · {} · {} samples", s.runtime, static_cast<double>(p.duration_us) / 1e6,
      threads_sampled(count_threads(p)), t.all.samples);
  if (profile::is_cpu(p, view)) {
    const double rate = s.interval_ns == 0 ? 0 : 1e9 / static_cast<double>(s.interval_ns);
    add(to, " at {:.0f} Hz of CPU time ({})\n", rate, recording::ticks_of(s));
    add(to, "CPU time {:.2f} s:", static_cast<double>(t.all.weight) / 1e9);
  } else {
    const wire::Source& source = profile::source_of(p, view);
    const std::string period = period_text(source);
    add(to, "{}{}\n", period.empty() ? "" : ", ", period);
    add(to, "{} {}:", title_of(source.values.front()), value_text(t.all.weight, source.values.front()));
  }
  for (size_t i = 0; i < t.activity.size(); ++i) {
    const uint64_t weight = t.activity[i].weight;
    if (weight != 0)
      add(to, "  {} {:.1f}%", profile::to_string(static_cast<profile::Activity>(i)),
          percent(weight, t.all.weight));
  }
  add(to, "\n");
}

// A line for each event, side by side: what it comes to, and what threads did meanwhile.
void add_events(const profile::Profile& p, std::string* to) {
  if (p.sources.size() < 2) return;
  add(to, "\n {:<10} {:>10} {:>12}\n", "event", "total", "samples");
  for (size_t i = 0; i < p.sources.size(); ++i) {
    const profile::View view{static_cast<uint8_t>(i), 0};
    const auto all = profile::rows(p, {.node = false}, view);
    const profile::Amount sum = all.empty() ? profile::Amount() : all.front().sum;
    add(to, " {:<10} {:>10} {:>12}", p.sources[i].name, value_text(sum.weight, p.sources[i].values.front()),
        grouped(sum.samples));
    if (const auto blocked = profile::blocked(p, view)) {
      for (const wire::ThreadState state :
           {wire::ThreadState::kRunning, wire::ThreadState::kRunnable, wire::ThreadState::kBlocked})
        add(to, "   {} {:.1f}%", profile::to_string(state),
            percent(blocked->states[static_cast<size_t>(state)].weight, sum.weight));
    }
    add(to, "\n");
  }
}

void add_top(const profile::Profile& p, const profile::Totals& t, size_t width, std::string* to) {
  const std::vector<uint32_t> top = profile::heaviest(t.frame_self, kTopMethods);
  if (top.empty()) return;
  add(to, "\n   self   total  function\n");
  for (uint32_t i : top) {
    add(to, " {:>5.1f}%  {:>5.1f}%  {}\n", percent(t.frame_self[i].weight, t.all.weight),
        percent(t.frame_total[i].weight, t.all.weight), fit_name(p.frames[i], width - 18));
  }
}

void add_quality(const profile::Profile& p, const profile::Totals& t, std::string* to) {
  const uint64_t dropped = wire::sum_of_drops(p.counters.drops);
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
  add_events(profile, &text);
  add_top(profile, totals, std::max<size_t>(width, 40), &text);
  add_quality(profile, totals, &text);
  return text;
}

}  // namespace walkabout::cli
