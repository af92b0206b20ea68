#include "cli/quality.h"

#include <fmt/format.h>

#include "console/numbers.h"

namespace walkabout::cli {
namespace {

std::string left_out(uint32_t depth) {
  return fmt::format("frames in the middle, which --depth {} left out", depth);
}

}  // namespace

ThreadCount count_threads(const profile::Profile& profile) {
  ThreadCount count;
  for (const profile::Thread& thread : profile.threads) {
    if (thread.kind == wire::ThreadKind::kAgent) continue;
    ++count.seen;
    if (thread.samples > 0) ++count.sampled;
  }
  return count;
}

std::string threads_sampled(const ThreadCount& threads) {
  return fmt::format("{} of {} sampled", grouped(threads.sampled), counted(threads.seen, "thread"));
}

StackCount count_stacks(const profile::Profile& profile, const profile::Totals& totals) {
  const uint64_t rooted = totals.walk_end[static_cast<size_t>(wire::WalkEnd::kRooted)];
  const uint64_t gaps = totals.walk_end[static_cast<size_t>(wire::WalkEnd::kGap)];
  const uint64_t walked =
      totals.all.samples - totals.walk_end[static_cast<size_t>(wire::WalkEnd::kNotWalked)];
  return {walked, totals.whole, walked - rooted - gaps, gaps, totals.shortened, profile.session.depth};
}

std::string whole_stacks(const StackCount& stacks) {
  std::string others;
  if (stacks.cut > 0) others = grouped(stacks.cut) + (stacks.cut == 1 ? " is" : " are") + " cut off";
  if (stacks.gaps > 0) {
    others += (others.empty() ? "" : ", ") + grouped(stacks.gaps) + (stacks.gaps == 1 ? " has" : " have") +
              " [unknown frames]";
  }
  if (stacks.shortened > 0) {
    others += (others.empty() ? "" : ", ") + grouped(stacks.shortened) +
              (stacks.shortened == 1 ? " lacks " : " lack ") + left_out(stacks.depth);
  }
  return fmt::format("{:.2f}% of the stacks are whole{}", percent(stacks.whole, stacks.all),
                     others.empty() ? "" : " (" + others + ")");
}

std::string shortened_stacks(const StackCount& stacks) {
  return fmt::format("{} ({:.2f}%) {} {}", counted(stacks.shortened, "stack"),
                     percent(stacks.shortened, stacks.all), stacks.shortened == 1 ? "lacks" : "lack",
                     left_out(stacks.depth));
}

std::vector<std::string> reservations(const profile::Profile& profile) {
  std::vector<std::string> all;
  if (!profile.complete) all.push_back("The recording was cut off: the agent did not end it.");
  if (!profile.damage.empty()) all.push_back("Damaged: " + profile.damage + ".");
  for (const wire::Message& message : profile.messages) {
    if (message.severity == wire::Severity::kWarning) all.push_back("Warning: " + message.text);
  }
  return all;
}

}  // namespace walkabout::cli
