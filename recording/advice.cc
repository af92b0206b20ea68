#include "recording/advice.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "recording/words.h"

namespace walkabout::recording {
namespace {

constexpr uint64_t kShortestNs = 100'000, kLongestNs = 1'000'000'000;  // what --interval takes
// A walk may take this part of a thread's time, with the oracle the other (docs/overhead.md).
constexpr uint64_t kOneOf = 6, kOneOfWithOracle = 2;
// The mean walk explains throttled ticks only where it and the pause behind it take at least this part of an
// interval; else single walks took far longer, which another interval does not change.
constexpr uint64_t kPartOfInterval = 2;
// The cost a better interval aims at, in percent of the CPU time.
constexpr uint64_t kAimPercent = 2;
// Below it the agent's start (names, unwind tables) is most of what it costs, which no interval changes.
constexpr uint64_t kLittleCpuNs = 2'000'000'000;
constexpr uint64_t kPartWorthReportingNs = 50'000'000;  // of what is in no stack: "0.1 s" at least

double percent(uint64_t part, uint64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string number(double value, const char* unit) {
  char text[48];
  std::snprintf(text, sizeof text, value < 9.95 ? "%.1f%s" : "%.0f%s", value, unit);
  return text;
}

// The next of 100us, 200us, 500us, 1ms … that is not shorter, as --interval takes it; none when there is no
// such one that is longer than the one that was used.
std::optional<std::string> interval_of_at_least(uint64_t ns, uint64_t used_ns) {
  for (uint64_t decade = kShortestNs; decade <= kLongestNs; decade *= 10) {
    for (const uint64_t step : {decade, decade * 2, decade * 5}) {
      if (step < ns || step <= used_ns || step > kLongestNs) continue;
      if (step < 1'000'000) return std::to_string(step / 1'000) + "us";
      if (step < 1'000'000'000) return std::to_string(step / 1'000'000) + "ms";
      return "1s";
    }
  }
  return std::nullopt;
}

uint64_t drops_of(const wire::Counters& counters, wire::DropCause cause) {
  const auto at = static_cast<size_t>(cause);
  return at < counters.drops.size() ? counters.drops[at] : 0;
}

std::string on_throttling(const wire::Session& session, const wire::Counters& counters) {
  const uint64_t throttled = drops_of(counters, wire::DropCause::kThrottled);
  if (counters.samples == 0 || throttled < kThrottledWorthReporting ||
      throttled * 100 < counters.attempts * kThrottledWorthReportingPercent)
    return {};
  const uint64_t walk_ns = counters.handler_ns / counters.samples;
  const uint64_t one_of = session.oracle ? kOneOfWithOracle : kOneOf;
  const std::string left_out =
      number(percent(throttled, counters.attempts), "%") + " of the ticks were left out ";
  if (walk_ns * one_of < session.interval_ns / kPartOfInterval)
    return left_out +
           "because single walks took long (the first ones through code do), or little of a thread's stack "
           "was left (what it used is in the samples after them)";
  const auto better = interval_of_at_least(walk_ns * one_of, session.interval_ns);
  return left_out + "because a walk takes " + number(static_cast<double>(walk_ns) / 1e3, " us") +
         ", and walks get 1/" + std::to_string(one_of) +
         " of a thread's time (what it used is in the samples after them)" +
         (better ? ": use -i " + *better : std::string());
}

std::string on_cost(const wire::Session& session, const wire::Counters& counters, bool traced) {
  const uint64_t cost_ns = counters.profiling_ns();
  if (counters.process_cpu_ns == 0 || cost_ns * 100 < counters.process_cpu_ns * kCostWorthReportingPercent)
    return {};
  const uint64_t at_any_rate_ns = cost_ns - counters.handler_ns;
  if (counters.process_cpu_ns < kLittleCpuNs && at_any_rate_ns > counters.handler_ns) return {};
  const std::string cost =
      "profiling took " + number(percent(cost_ns, counters.process_cpu_ns), "%") + " of the CPU time";
  if (counters.callbacks_ns > cost_ns / 2)
    return cost + ", most of it to learn what the runtime compiles and loads";
  if (traced) return cost + ": trace fewer methods, or keep fewer calls one by one (--latency)";
  const double share = percent(cost_ns - counters.callbacks_ns, counters.process_cpu_ns);
  const auto better = interval_of_at_least(
      static_cast<uint64_t>(static_cast<double>(session.interval_ns) * share / kAimPercent),
      session.interval_ns);
  return cost + ": use " + (better ? "-i " + *better + ", or " : std::string()) + "--budget " +
         std::to_string(kAimPercent) + "%";
}

// What the agent's own threads use is in no stack, and not the program's.
uint64_t program_cpu_ns(const wire::Counters& counters) {
  return counters.process_cpu_ns - std::min(counters.process_cpu_ns, counters.agent_threads_ns);
}

std::string seconds(uint64_t ns) { return number(static_cast<double>(ns) / 1e9, " s"); }

std::string threads(uint64_t n) { return std::to_string(n) + (n == 1 ? " thread" : " threads"); }

std::string on_coverage(const wire::Counters& counters, const Coverage& coverage) {
  const uint64_t all_ns = program_cpu_ns(counters);
  const auto sentence = [](const Coverage::Unsampled& part, const char* why) {
    return part.cpu_ns < kPartWorthReportingNs ? std::string()
                                               : threads(part.threads) + why + seconds(part.cpu_ns);
  };
  const std::string without_clock = sentence(coverage.without_clock, " without a clock used ");
  const std::string without_tick = sentence(coverage.without_tick, " too short for a tick used ");
  const char* between = without_clock.empty() || without_tick.empty() ? "" : ", ";
  const std::string causes = without_clock + between + without_tick;
  return "the stacks hold " + seconds(coverage.in_samples_ns) + " of the program's " + seconds(all_ns) +
         " of CPU time (" + number(percent(coverage.in_samples_ns, all_ns), "%") + ")" +
         (causes.empty() ? "" : ": ") + causes;
}

}  // namespace

bool lacks_time(const wire::Counters& counters, const Coverage& coverage) {
  const uint64_t all_ns = program_cpu_ns(counters);
  return coverage.is_of_cpu() && coverage.in_samples_ns * 100 < all_ns * kWellCoveredPercent &&
         all_ns - coverage.in_samples_ns >= kUncoveredWorthReportingNs;
}

std::vector<std::string> advice(const wire::Session& session, const wire::Counters& counters,
                                const Coverage& coverage, bool budget) {
  std::vector<std::string> all;
  if (lacks_time(counters, coverage)) all.push_back(on_coverage(counters, coverage));
  if (budget) return all;
  for (const std::string& sentence :
       {on_throttling(session, counters), on_cost(session, counters, coverage.traced)}) {
    if (!sentence.empty()) all.push_back(sentence);
  }
  return all;
}

}  // namespace walkabout::recording
