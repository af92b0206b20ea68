// The messages that the builder adds to a finished profile: advice, what was summed or cut off, and the
// exception that ended the process.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "profile/build/builder.h"
#include "profile/query/unhandled.h"
#include "recording/advice.h"

namespace walkabout::profile {

void Builder::warn(std::string text) {
  profile_.messages.push_back({profile_.duration_us, wire::Severity::kWarning, std::move(text)});
}

void Builder::finish_messages() {
  profile_.lacks_time = recording::lacks_time(profile_.counters, coverage_);
  for (std::string& text : recording::advice(profile_.session, profile_.counters, coverage_, has_budget_))
    warn(std::move(text));
  report_placed();
  report_thinned();
  report_unhandled();
  report_lines();
}

void Builder::report_placed() {
  for (size_t i = 0; i < placed_.size(); ++i) {
    if (placed_[i].placed == 0) continue;
    const double share = static_cast<double>(placed_[i].placed) / static_cast<double>(placed_[i].all);
    const std::string percent = std::to_string(std::lround(100 * share));
    profile_.messages.push_back(
        {profile_.duration_us, wire::Severity::kInfo,
         "events of " + profile_.sources[i].name + " came too fast to walk the stack of each: " + percent +
             "% of what they stand for is shown at stacks that were walked of the same thread with the same "
             "labels"});
  }
}

void Builder::report_thinned() {
  const Thinned& thinned = profile_.thinned;
  if (thinned.stacks) {
    warn(
        "there are more stacks than a profile keeps apart: of the rarest what they do not share with others "
        "is shown as " +
        profile_.frames[thinned.rest].name + "; the sums of functions have all of it");
  }
  if (thinned.span_us != 0 && options_.in_time_order) {
    warn("there are more samples than a profile holds: those of one stack within " +
         std::to_string((thinned.span_us + 999) / 1000) + " ms are one, at the time of the first");
  }
  if (follows_objects_ && !names_known_)
    warn(
        "the recording could be read only once: which objects still exist is known at its end alone; save it "
        "to a file first");
  if (new_trees_ > 0 && !names_known_) {
    warn(
        "the recording could be read only once: native functions are named where its end does not need to be "
        "known, elsewhere by library; save it to a file first");
  }
}

// Where all events are there. What is not proved has its place beside the exceptions.
void Builder::report_unhandled() {
  if (profile_.complete || !options_.filter.event.empty() || !leaves_all(options_.filter)) return;
  if (std::none_of(profile_.sources.begin(), profile_.sources.end(),
                   [](const wire::Source& source) { return source.name == "exceptions"; }))
    return;
  sort_samples();
  const std::optional<Unhandled> last = unhandled(profile_);
  if (last && last->proved) warn(sentence(profile_, *last));
}

void Builder::report_lines() {
  if (const uint64_t libraries = names_.code.native_lines_left_out(); libraries != 0)
    warn("the source lines and inlined functions of " + std::to_string(libraries) +
         (libraries == 1 ? " native library" : " native libraries") +
         " are left out, for what the recording has of them is damaged; record the program again");
  const uint64_t left_out = options_.lines ? names_.code.lines_left_out() : 0;
  if (left_out == 0) return;
  warn("the source lines of " + std::to_string(left_out) + (left_out == 1 ? " method" : " methods") +
       " are left out, for what the recording has of them is damaged, or more than " +
       std::to_string(LineTable::kMostEntries) + " entries; record the program again");
}

}  // namespace walkabout::profile
