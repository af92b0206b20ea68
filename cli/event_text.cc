#include "cli/event_text.h"

#include <algorithm>
#include <cctype>

#include "console/numbers.h"
#include "wire/counters.h"

namespace walkabout::cli {

bool is_time(const wire::SourceValue& value) { return value.unit == "nanoseconds"; }

std::string value_text(uint64_t amount, const wire::SourceValue& value) {
  if (is_time(value)) return duration(amount);
  return value.unit == "bytes" ? byte_size(amount) : grouped(amount);
}

std::string title_of(const wire::SourceValue& value) {
  const std::string cpu = "cpu ";
  if (value.name.compare(0, cpu.size(), cpu) == 0) return "CPU " + value.name.substr(cpu.size());
  std::string title = value.name;
  if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

std::string word_for(const wire::SourceValue& value) { return is_time(value) ? "time" : value.name; }

std::string period_text(const wire::Source& source) {
  if (source.period == 0) return {};
  switch (static_cast<wire::Clock>(source.clock)) {
    case wire::Clock::kThreadCpu:
      return "one every " + duration(source.period) + " of CPU time";
    case wire::Clock::kWall:
      return "one every " + duration(source.period) + " of wall time";
    case wire::Clock::kEvent:
      break;
  }
  return source.period == 1 ? "" : "one every " + value_text(source.period, source.values.front());
}

std::string other_events(const profile::Profile& profile) {
  const base::SourceId shown = profile::source_of(profile, profile::view_of(profile)).id;
  std::string out;
  for (const wire::Source& source : profile.sources) {
    if (source.id == shown) continue;
    out += (out.empty() ? "" : ", ") + source.name + " (" +
           counted(wire::counters_of(profile.counters, source.id).samples, "sample") + ")";
  }
  return out;
}

}  // namespace walkabout::cli
