#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "cli/event_text.h"
#include "cli/quality.h"
#include "cli/report_view.h"
#include "console/numbers.h"
#include "profile/build/placed_sums.h"
#include "profile/names/label_text.h"
#include "profile/names/place_text.h"
#include "profile/names/readable_type.h"
#include "profile/names/tier_text.h"
#include "profile/query/blocked.h"
#include "profile/query/by_label.h"
#include "profile/query/by_line.h"
#include "profile/query/compiled_again.h"
#include "profile/query/folding.h"
#include "profile/query/gauges.h"
#include "profile/query/headline.h"
#include "profile/query/runtime_work.h"
#include "profile/query/sync_over_async.h"
#include "profile/query/view.h"
#include "recording/words.h"
#include "wire/counters.h"
#include "wire/sources.h"

namespace walkabout::cli {
namespace {

using profile::Amount;
using profile::DisplayFrame;
using profile::Profile;
using profile::Totals;

constexpr size_t kNumberColumns = 38;  // of a table row, before the name
constexpr size_t kTreeColumns = 28;
constexpr size_t kWaitColumns = 18;
constexpr size_t kBars = 30;
constexpr double kLeastPercent = 0.1;  // of what the runtime did

class TextReport {
 public:
  TextReport(const Profile& profile, const Profile& whole, const Totals& totals, const ReportOptions& options,
             const Terminal& terminal, const std::vector<std::string>& hints,
             const std::optional<profile::Unhandled>& unhandled)
      : profile_(profile),
        whole_(whole),
        totals_(totals),
        options_(options),
        terminal_(terminal),
        hints_(hints),
        unhandled_(unhandled),
        paint_(terminal.colours),
        source_(profile::source_of(profile, profile::view_of(profile))),
        value_(profile::viewed_value(profile)),
        blocked_(profile::blocked(whole, profile::view_of(whole))) {}

  std::string text() {
    head();
    if (totals_.all.samples == 0) {
      add("\nNo samples{}{}.\n", source_.values.size() > 1 ? " with anything of '" + value_.name + "'" : "",
          profile::leaves_all(options_.filter)
              ? " in this recording"
              : " match: try without --thread, --from, --to, --during, --not-during or --focus");
      over_time();
    } else if (options_.tree) {
      tree();
    } else if (options_.lines) {
      lines("self", totals_.frame_self);
      lines("total", totals_.frame_total);
    } else {
      table("self", totals_.frame_self);
      table("total", totals_.frame_total);
      blocked();
      pool_waits();
      labels();
      compiled_again();
      over_time();
    }
    unhandled();
    notes();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void head() {
    const wire::Session& s = profile_.session;
    add("{}{}{}\n", paint_.bold(), fit_text(s.command_line, terminal_.width), paint_.reset());
    const bool is_traced = source_.id == profile::kTracedSource;
    const ThreadCount threads = count_threads(profile_);
    add("{}, {}, {}, {}{}\n", s.runtime, duration(profile_.duration_us * 1000),
        is_traced ? counted(threads.sampled, "thread") : threads_sampled(threads),
        counted(totals_.all.samples, is_traced ? "call" : "sample"), period());
    add("\n{}{} {}{}", paint_.bold(), title_of(value_), value_text(totals_.all.weight, value_),
        paint_.reset());
    const bool of_events = source_.clock == static_cast<uint32_t>(wire::Clock::kEvent);
    for (size_t i = 0; i < totals_.activity.size() && !of_events; ++i) {
      const uint64_t weight = totals_.activity[i].weight;
      if (weight == 0) continue;
      add("   {} {:.1f}%", profile::to_string(static_cast<profile::Activity>(i)),
          percent(weight, totals_.all.weight));
    }
    add("{}{}\n", placed(), of_which_objects());
    if (!of_events) parts();
    if (blocked_) states();
  }

  void parts() {
    const profile::View view = profile::view_of(whole_);
    const std::vector<profile::Row> rows = profile::activity_rows(whole_, view);
    shares("", profile::headline(whole_, view, rows));
    shares("of runtime: ", profile::runtime_work(whole_, view, rows));
    shares("of GC: ", profile::collectors_work(whole_, view, rows));
  }

  // Each with its share of all, in one line; what is too little is left out.
  template <typename Part>
  void shares(const char* title, const std::vector<Part>& parts) {
    const char* separator = title;
    for (const Part& part : parts) {
      const double share = percent(part.amount.weight, totals_.all.weight);
      if (share < kLeastPercent) continue;
      add("{}{} {:.1f}%", std::exchange(separator, "   "), part.what, share);
    }
    if (separator[0] == ' ') add("\n");
  }

  std::string placed() const {
    if (totals_.not_walked == 0 || !profile::places_sums(source_)) return "";
    return fmt::format(
        "   stacks walked of {:.1f}%, the rest is at those of the same thread, type and heap, if any",
        100 - percent(totals_.not_walked, totals_.all.weight));
  }

  // Those from before it, an earlier part of it among that, are nowhere in it.
  const char* of_which_objects() const {
    const bool live = source_.id == wire::source_id("live");
    return live ? ", of the objects that were allocated since the recording began" : "";
  }

  std::string period() const {
    const wire::Session& s = profile_.session;
    if (is_cpu())
      return ", one every " + duration(s.interval_ns) + " of CPU time (" + recording::ticks_of(s) + ")";
    if (source_.id == profile::kTracedSource) return "";  // each was seen
    const std::string period = period_text(source_);
    return period.empty() ? "" : ", " + period;
  }

  bool is_cpu() const { return source_.id == wire::kCpuSource; }

  void states() {
    const char* separator = "";
    for (const wire::ThreadState state :
         {wire::ThreadState::kRunning, wire::ThreadState::kRunnable, wire::ThreadState::kBlocked}) {
      add("{}{} {:.1f}%", separator, profile::to_string(state),
          percent(blocked_->states[static_cast<size_t>(state)].weight, totals_.all.weight));
      separator = "   ";
    }
    add("\n");
  }

  // Shares are of the time blocked.
  void blocked() {
    if (!blocked_) return;
    const uint64_t whole = blocked_->states[static_cast<size_t>(wire::ThreadState::kBlocked)].weight;
    if (whole == 0) return;
    const auto share = [&](const Amount& amount) {
      return fmt::format("{:>6.1f}% {:>8}", percent(amount.weight, whole), value_text(amount.weight, value_));
    };
    if (!blocked_->calls.empty()) {
      add("\n{}Blocked {} by call{}\n", paint_.bold(), word_for(value_), paint_.reset());
      add("{}{:>16}  system call{}\n", paint_.dim(), "", paint_.reset());
    }
    for (size_t i = 0; i < std::min(options_.top, blocked_->calls.size()); ++i) {
      const profile::BlockedCall& call = blocked_->calls[i];
      const std::string name = profile::system_call_text(call.call, profile_.session.os);
      add("{}  {}\n", share(call.amount), name.empty() ? "(not known)" : name);
    }
    add("\n{}Blocked {} by lock{}\n", paint_.bold(), word_for(value_), paint_.reset());
    add("{}{:>16}  waits in, called by{}\n", paint_.dim(), "", paint_.reset());
    for (size_t i = 0; i < std::min(options_.top, blocked_->waits.size()); ++i)
      wait(blocked_->waits[i], share);
  }

  // Sync over async.
  void pool_waits() {
    const auto found = profile::sync_over_async(whole_, profile::view_of(whole_));
    if (!found) return;
    add("\n{}Threads of the pool blocked on tasks (sync over async), {} of {}{}\n", paint_.bold(),
        word_for(value_), value_text(found->amount.weight, value_), paint_.reset());
    add("{}{:>16}  waits in, called by{}\n", paint_.dim(), "", paint_.reset());
    for (size_t i = 0; i < std::min(options_.top, found->waits.size()); ++i)
      wait(found->waits[i], [&](const Amount& amount) { return numbers(amount); });
  }

  // What ended the process, or may have, and where it was thrown.
  void unhandled() {
    if (!unhandled_) return;
    const profile::Thread& thread = profile_.threads[unhandled_->thread];
    add("\n{}{}{}\n", paint_.bold(),
        unhandled_->proved ? "The process ended by an exception that nobody handled"
                           : "When the recording was cut off, no handler of this exception had begun",
        paint_.reset());
    add("{}{}, thrown at {} by {} ({})\n", unhandled_->type.empty() ? "(type not known)" : unhandled_->type,
        unhandled_->message.empty() ? "" : ": " + unhandled_->message, duration(unhandled_->time_us * 1000),
        thread.name, thread.tid);
    for (const DisplayFrame& frame : unhandled_->stack)
      add("  {}\n", fit_name(frame, terminal_.width == 0 ? 0 : terminal_.width - 2));
  }

  // "By type", "by lock": what a label tells.
  void labels() {
    for (const profile::ByLabel& label : profile::by_label(profile_, profile::view_of(profile_))) {
      const size_t shown = std::min(options_.top, label.values.size());
      add("\n{}Top {} {} by {}{}\n", paint_.bold(), shown, word_for(value_), label.label.name,
          paint_.reset());
      for (size_t i = 0; i < shown; ++i) {
        const profile::LabelAmount& one = label.values[i];
        const std::string text =
            one.value == 0 ? "(not known)" : profile::label_text(profile_, label.label, one.value);
        const size_t room = terminal_.room_behind(kWaitColumns);
        add("{}  {}\n", numbers(one.amount), fit_label(label.label, text, room));
      }
    }
  }

  // When a method's tier changed.
  void compiled_again() {
    const std::vector<profile::CompiledAgain> again = profile::compiled_again(profile_);
    if (again.empty()) return;
    const size_t shown = std::min(options_.top, again.size());
    add("\n{}Compiled more than once, {}{}{}{}\n", paint_.bold(), counted(again.size(), "method"),
        totals_.not_walked == 0 ? "" : " of those whose compiles were walked",
        shown < again.size() ? fmt::format(", the longest {}", shown) : "", paint_.reset());
    add("{}{:>9} {:>8}  compiled as{}\n", paint_.dim(), "at", "took", paint_.reset());
    for (size_t i = 0; i < shown; ++i) {
      add("{}\n", fit_name(again[i].method.empty() ? "(not known)" : again[i].method, terminal_.width));
      for (const profile::Compile& one : again[i].compiles)
        add("{:>9} {:>8}  {}\n", duration(one.time_us * 1000), duration(one.ns),
            one.tier.empty() ? "(not known)" : one.tier);
    }
  }

  static std::string fit_label(const wire::SourceLabel& label, const std::string& text, size_t room) {
    switch (static_cast<wire::LabelType>(label.type)) {
      case wire::LabelType::kType:
        return fit_name(text, room, profile::own_part(text));
      case wire::LabelType::kText:
        return fit_name(text, room);  // of a method, or a word
      default:
        return fit_text(text, room);
    }
  }

  // Sizes, each time they were measured: a line of bars, and in numbers.
  void over_time() {
    const profile::Gauges& gauges = profile_.gauges;
    if (gauges.time_us.empty()) return;
    if (profile_.processes > 1) {
      add("\nSizes over time are of one process each: choose one with --process PID.\n");
      return;
    }
    add("\n{}Over time, {}{}\n", paint_.bold(), counted(gauges.time_us.size(), "measurement"),
        paint_.reset());
    add("{}{:>9} {:>9} {:>9} {:>9}  {:<{}}  {}{}\n", paint_.dim(), "first", "least", "most", "last", "",
        kBars, "of", paint_.reset());
    for (size_t i = 0; i < gauges.values.size(); ++i) {
      const profile::GaugeRange range = profile::range_of(gauges, i);
      const wire::SourceValue& value = gauges.values[i];
      add("{:>9} {:>9} {:>9} {:>9}  {}  {}\n", value_text(range.first, value), value_text(range.least, value),
          value_text(range.most, value), value_text(range.last, value), bars(gauges, i, range.most),
          value.name);
    }
  }

  // The largest of each part of the time between the first measurement and the last; a blank: none.
  static std::string bars(const profile::Gauges& gauges, size_t value, uint64_t most) {
    static constexpr const char* kHeights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const uint64_t begin = gauges.time_us.front();
    const uint64_t part = (gauges.time_us.back() - begin) / kBars + 1;
    std::array<std::optional<uint64_t>, kBars> largest;
    for (size_t i = 0; i < gauges.time_us.size(); ++i) {
      std::optional<uint64_t>& here = largest[(gauges.time_us[i] - begin) / part];
      here = std::max(here.value_or(0), gauges.measured[i * gauges.values.size() + value]);
    }
    std::string text;
    for (const std::optional<uint64_t>& one : largest)
      text += one ? kHeights[most == 0 ? 0 : *one * (std::size(kHeights) - 1) / most] : " ";
    return text;
  }

  template <typename Share>
  void wait(const profile::Wait& wait, const Share& share) {
    const size_t room = terminal_.room_behind(kWaitColumns);
    if (wait.method == profile::kNoFrame) {
      add("{}  {}(no managed code on the stack){}\n", share(wait.amount), paint_.dim(), paint_.reset());
      return;
    }
    const DisplayFrame& method = profile_.frames[wait.method];
    add("{}  {}{}{}\n", share(wait.amount), paint_.kind(method.kind), fit_name(method, room), paint_.reset());
    if (wait.caller == profile::kNoFrame) return;
    const std::string caller = fit_name(profile_.frames[wait.caller], room == 0 ? 0 : room - 2);
    add("{:>16}    {}{}{}\n", "", paint_.dim(), caller, paint_.reset());
  }

  std::string numbers(const Amount& amount) const {
    return fmt::format("{:>6.1f}% {:>8}", percent(amount.weight, totals_.all.weight),
                       value_text(amount.weight, value_));
  }

  // Name and, where there is room, module and what compiled it; coloured by kind.
  void name(const DisplayFrame& frame, size_t used, const std::string& text) {
    const std::string place = profile::place_text(frame.place);
    if (!place.empty()) {
      add("{}  ", place);
      used += text_width(place) + 2;
    }
    const size_t room = terminal_.room_behind(used);
    const std::string shown = fit_name(text, room, frame.own);
    add("{}{}{}", paint_.kind(frame.kind), shown, paint_.reset());
    std::string_view module = frame.module;
    if (frame.name.find(module) != std::string::npos) module = {};
    const std::string tiers = profile::tiers_text(frame.tiers);
    size_t taken = text_width(shown);
    for (const std::string_view more : {module, std::string_view(tiers)}) {
      if (more.empty()) continue;
      taken += text_width(more) + 2;
      if (room != 0 && taken > room) break;
      add("  {}{}{}", paint_.dim(), more, paint_.reset());
    }
    add("\n");
  }

  void table(const char* by, const std::vector<Amount>& amounts) {
    rows(profile::heaviest(amounts, options_.top), "", by, "function");
  }

  // Of frames that have a place.
  void lines(const char* by, std::vector<Amount> amounts) {
    for (size_t i = 0; i < amounts.size(); ++i) {
      if (!profile_.frames[i].place.known()) amounts[i] = {};
    }
    rows(profile::heaviest(amounts, options_.top), "lines ", by, "line, method");
  }

  // what: what they are; column: what stands in the last one.
  void rows(const std::vector<uint32_t>& frames, const char* what, const char* by, const char* column) {
    add("\n{}Top {} {}by {} {}{}\n", paint_.bold(), frames.size(), what, by, word_for(value_),
        paint_.reset());
    add("{}{:>16}  {:>16}  {}{}\n", paint_.dim(), "self", "total", column, paint_.reset());
    for (const uint32_t frame : frames) {
      add("{}  {}   ", numbers(totals_.frame_self[frame]), numbers(totals_.frame_total[frame]));
      name(profile_.frames[frame], kNumberColumns, profile_.frames[frame].name);
    }
  }

  void cover() {
    const profile::LineCover cover = profile::line_cover(whole_, profile_, totals_);
    const auto share = [&cover](uint64_t weight) { return percent(weight, cover.managed.weight); };
    if (cover.native_sure.weight > 0)
      notes_ += wrap(fmt::format("Of the {} of native code itself {:.1f}% has its line.", word_for(value_),
                                 percent(cover.native_sure.weight, cover.native.weight)),
                     terminal_.width) +
                "\n";
    if (cover.managed.weight == 0) return;
    const uint64_t none = cover.managed.weight - cover.sure.weight - cover.unsure.weight;
    notes_ +=
        wrap(fmt::format("Of the {} of managed code itself {:.1f}% has its line, {:.1f}% is of one of "
                         "several lines, of {:.1f}% no line is known.",
                         word_for(value_), share(cover.sure.weight), share(cover.unsure.weight), share(none)),
             terminal_.width) +
        "\n";
    if (none == cover.managed.weight)
      notes_ +=
          wrap(
              "Lines are there of a recording made with --lines, of assemblies that have a portable PDB "
              "beside them or in them (walkabout symbols looks in other places).",
              terminal_.width) +
          "\n";
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
      name(profile_.frames[profile_.nodes[row.node].frame], used, profile::name_of(profile_, row.node));
    }
    add("{}Below {:.4g}% is not shown (--min).{}\n", paint_.dim(), options_.min_percent, paint_.reset());
  }

  // What the reader should know before trusting the numbers.
  void notes() {
    if (options_.lines) cover();
    std::string notes = std::move(notes_);
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
    const uint64_t dropped = wire::sum_of_drops(wire::counters_of(profile_.counters, source_.id).drops);
    if (dropped > 0)
      note(fmt::format("{} dropped (walkabout stats says why).",
                       counted(dropped, is_cpu() ? "tick" : "sample")));
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
    for (const std::string& reservation : reservations(profile_)) note(reservation);
    if (source_.values.size() > 1) {
      std::string values;
      for (const wire::SourceValue& value : source_.values)
        if (value.name != value_.name) values += (values.empty() ? "" : ", ") + value.name;
      note("Other values of " + source_.name + ", for --value: " + values);
    }
    const std::string others = other_events(profile_);
    if (!others.empty()) {
      const size_t end = others.find_first_of(" ,");
      note("Also recorded: " + others + ". Show it with --event " + others.substr(0, end) + ".");
    }
    for (const std::string& hint : hints_) note(hint);
    if (!notes.empty()) add("\n{}", notes);
  }

  const Profile& profile_;
  const Profile& whole_;
  const Totals& totals_;
  const ReportOptions& options_;
  const Terminal terminal_;
  const std::vector<std::string>& hints_;
  const std::optional<profile::Unhandled>& unhandled_;
  const Paint paint_;
  const wire::Source& source_;
  const wire::SourceValue& value_;
  const std::optional<profile::Blocked> blocked_;
  std::string out_, notes_;
};

}  // namespace

std::string report_text(const Profile& profile, const Profile& whole, const Totals& totals,
                        const ReportOptions& options, const Terminal& terminal,
                        const std::vector<std::string>& hints,
                        const std::optional<profile::Unhandled>& unhandled) {
  return TextReport(profile, whole, totals, options, terminal, hints, unhandled).text();
}

}  // namespace walkabout::cli
