#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/quality.h"
#include "cli/report_view.h"
#include "console/numbers.h"
#include "recording/words.h"

namespace walkabout::cli {
namespace {

using profile::Amount;
using profile::DisplayFrame;
using profile::Profile;
using profile::Totals;

constexpr size_t kNumberColumns = 38;  // of a table row, before the name
constexpr size_t kTreeColumns = 28;

class TextReport {
 public:
  TextReport(const Profile& profile, const Totals& totals, const ReportOptions& options,
             const Terminal& terminal)
      : profile_(profile),
        totals_(totals),
        options_(options),
        terminal_(terminal),
        paint_(terminal.colours) {}

  std::string text() {
    head();
    if (totals_.all.samples == 0) {
      add("\nNo samples{}.\n",
          filtered() ? " match: try without --thread, --from, --to or --focus" : " in this recording");
    } else if (options_.tree) {
      tree();
    } else {
      table("self", totals_.frame_self);
      table("total", totals_.frame_total);
    }
    notes();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  bool filtered() const {
    const profile::Filter all;
    const profile::Filter& f = options_.filter;
    return !f.thread.empty() || f.from_us != all.from_us || f.to_us != all.to_us || !f.focus.empty();
  }

  void head() {
    const wire::Session& s = profile_.session;
    add("{}{}{}\n", paint_.bold(), fit_name(s.command_line, terminal_.width), paint_.reset());
    add("{}, {}, {}, {}, one every {} of CPU time ({})\n", s.runtime, duration(profile_.duration_us * 1000),
        threads_sampled(count_threads(profile_)), counted(totals_.all.samples, "sample"),
        duration(s.interval_ns), recording::ticks_of(s));
    add("\n{}CPU time {}{}", paint_.bold(), duration(totals_.all.weight), paint_.reset());
    for (size_t i = 0; i < totals_.activity.size(); ++i) {
      const uint64_t weight = totals_.activity[i].weight;
      if (weight == 0) continue;
      add("   {} {:.1f}%", profile::to_string(static_cast<profile::Activity>(i)),
          percent(weight, totals_.all.weight));
    }
    add("\n");
  }

  std::string numbers(const Amount& amount) const {
    return fmt::format("{:>6.1f}% {:>8}", percent(amount.weight, totals_.all.weight),
                       duration(amount.weight));
  }

  // Name and, where there is room, module; coloured by kind.
  void name(const DisplayFrame& frame, size_t used) {
    const size_t room = terminal_.width == 0 ? 0 : std::max<size_t>(terminal_.width, used + 20) - used;
    const std::string shown = fit_name(frame.name, room);
    add("{}{}{}", paint_.kind(frame.kind), shown, paint_.reset());
    const bool says_module = frame.module.empty() || frame.name.find(frame.module) != std::string::npos;
    if (!says_module && (room == 0 || text_width(shown) + text_width(frame.module) + 2 <= room)) {
      add("  {}{}{}", paint_.dim(), frame.module, paint_.reset());
    }
    add("\n");
  }

  void table(const char* by, const std::vector<Amount>& amounts) {
    const std::vector<uint32_t> rows = profile::heaviest(amounts, options_.top);
    add("\n{}Top {} by {} time{}\n", paint_.bold(), rows.size(), by, paint_.reset());
    add("{}{:>16}  {:>16}  function{}\n", paint_.dim(), "self", "total", paint_.reset());
    for (const uint32_t frame : rows) {
      add("{}  {}   ", numbers(totals_.frame_self[frame]), numbers(totals_.frame_total[frame]));
      name(profile_.frames[frame], kNumberColumns);
    }
  }

  void tree() {
    add("\n{}{:>16} {:>7}  called by the line above it{}\n", paint_.dim(), "total", "self", paint_.reset());
    for (const TreeRow& row : tree_rows(profile_, totals_, options_.min_percent)) {
      const size_t used = kTreeColumns + text_width(row.indentation);
      if (row.hidden > 0) {
        add("{} {:>7}  {}{}({} more){}\n", numbers(row.amount), "", row.indentation, paint_.dim(),
            grouped(row.hidden), paint_.reset());
        continue;
      }
      const double self = percent(totals_.node_self[row.node].weight, totals_.all.weight);
      add("{} {:>6.1f}%  {}{}{}", numbers(row.amount), self, paint_.dim(), row.indentation, paint_.reset());
      name(profile_.frames[profile_.nodes[row.node].frame], used);
    }
    add("{}Below {:.4g}% is not shown (--min).{}\n", paint_.dim(), options_.min_percent, paint_.reset());
  }

  // What the reader should know before trusting the numbers.
  void notes() {
    std::string notes;
    const auto note = [&](const std::string& text) { notes += wrap(text, terminal_.width) + "\n"; };
    const StackCount stacks = count_stacks(profile_, totals_);
    if (stacks.cut > 0) {
      note(fmt::format("{} ({:.2f}%) could not be walked to the thread's entry: [cut off: …].",
                       counted(stacks.cut, "stack"), percent(stacks.cut, stacks.all)));
    }
    if (stacks.gaps > 0) {
      note(
          fmt::format("{} ({:.2f}%) may lack callers where [unknown frames] stands: of the code "
                      "there nothing was known when the stack was walked.",
                      counted(stacks.gaps, "stack"), percent(stacks.gaps, stacks.all)));
    }
    if (stacks.shortened > 0) note(shortened_stacks(stacks) + ".");
    uint64_t dropped = 0;
    for (const uint64_t d : profile_.counters.drops) dropped += d;
    if (dropped > 0) note(fmt::format("{} dropped (walkabout stats says why).", counted(dropped, "tick")));
    uint64_t unsampled = 0;
    for (const profile::Thread& t : profile_.threads) unsampled += t.unsampled_ns;
    if (unsampled > 0 && !profile_.lacks_time)
      note(fmt::format("{} of CPU time of threads that were never sampled is in no stack.",
                       duration(unsampled)));
    if (!profile_.stripped.empty() && !options_.unfold) {
      std::string names;
      for (const std::string& library : profile_.stripped) names += (names.empty() ? "" : ", ") + library;
      note("Without symbols, unnamed frames folded to [library] (--unfold shows them): " + names);
    }
    if (!profile_.complete) note("The recording was cut off: the agent did not end it.");
    if (!profile_.damage.empty()) note("Damaged: " + profile_.damage + ".");
    for (const wire::Message& m : profile_.messages) {
      if (m.severity == wire::Severity::kWarning) note("Warning: " + m.text);
    }
    if (!notes.empty()) add("\n{}", notes);
  }

  const Profile& profile_;
  const Totals& totals_;
  const ReportOptions& options_;
  const Terminal terminal_;
  const Paint paint_;
  std::string out_;
};

}  // namespace

std::string report_text(const Profile& profile, const Totals& totals, const ReportOptions& options,
                        const Terminal& terminal) {
  return TextReport(profile, totals, options, terminal).text();
}

}  // namespace walkabout::cli
