#include "profile/query/trace_notes.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace walkabout::profile {
namespace {

constexpr size_t kMostNames = 10;

// "1,234 calls", "1 call".
std::string so_many(uint64_t count, const std::string& noun) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits + " " + noun + (count == 1 ? "" : "s");
}

std::string nanoseconds(uint64_t ps) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f ns", static_cast<double>(ps) / 1000);
  return text.data();
}

// "2 methods were not traced, the body cannot be read: A, B."
void note_problems(const Traces& traces, std::vector<std::string>& all) {
  std::map<std::string, std::vector<std::string>> by_cause;
  for (const TracedMethod& method : traces.methods) {
    if (!method.problem.empty()) by_cause[method.problem].push_back(method.name);
  }
  for (const auto& [cause, names] : by_cause)
    all.push_back(so_many(names.size(), "method") + (names.size() == 1 ? " was" : " were") + " not traced, " +
                  cause + ": " + list_of_methods(names) + ".");
}

void note_untimed(const Traces& traces, std::vector<std::string>& all) {
  std::vector<std::string> untimed;
  for (const TracedMethod& method : traces.methods) {
    if (method.untimed) untimed.push_back(method.name);
  }
  if (!untimed.empty())
    all.push_back("Called so often that from some time on only their calls were counted: " +
                  list_of_methods(untimed) + ". Their time is their callers'.");
}

void note_losses(const Traces& traces, std::vector<std::string>& all) {
  const wire::TraceState& state = traces.state;
  if (state.not_kept != 0)
    all.push_back(so_many(state.not_kept, "slow call") + " not kept one by one: there was no room.");
  if (state.too_deep != 0)
    all.push_back(so_many(state.too_deep, "call") +
                  " not traced: they were too deep. Their time is their callers'.");
  if (state.no_room != 0)
    all.push_back(so_many(state.no_room, "call") +
                  " not traced: there was no room for more callers and callees.");
  if (state.unmatched != 0)
    all.push_back("The end of " + so_many(state.unmatched, "call") + " was not seen.");
  if (traces.left_out != 0)
    all.push_back("Of the recording left out, for it is damaged or more than can be shown: " +
                  so_many(traces.left_out, "record") + " or parts of records.");
}

}  // namespace

std::string list_of_methods(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMostNames) text += " and " + so_many(names.size() - kMostNames, "other");
  return text;
}

std::vector<std::string> trace_notes(const Traces& traces) {
  const wire::TraceState& state = traces.state;
  std::vector<std::string> all;
  note_problems(traces, all);
  note_untimed(traces, all);
  note_losses(traces, all);
  if (!traces.knows_cpu())
    all.emplace_back("How long calls were on a processor is not known: the kernel does not tell it here.");
  if (traces.lacks_cpu())
    all.emplace_back(
        "How long calls of some threads were on a processor is not known: theirs count as none. There were "
        "more threads than the kernel tells it of (kernel.perf_event_mlock_kb), or they had just begun.");
  if (state.probe_inside_ps + state.probe_outside_ps != 0)
    all.push_back("Times are without the probes' own: " + nanoseconds(state.probe_inside_ps) +
                  " of each call, and " + nanoseconds(state.probe_outside_ps) + " of its caller.");
  return all;
}

}  // namespace walkabout::profile
