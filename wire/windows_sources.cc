#include "wire/windows_sources.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace walkabout::wire {
namespace {

struct Missing {
  base::SourceId source;
  std::string_view why;
};
constexpr Missing kMissing[] = {
    {source_id("jit"), ".NET 10 crashes with the events of its JIT when a dynamic method is freed"},
};

}  // namespace

[[gnu::cold]] std::string_view missing_on_windows(base::SourceId source) {
  const auto* missing = std::find_if(std::begin(kMissing), std::end(kMissing),
                                     [&](const Missing& one) { return one.source == source; });
  return missing == std::end(kMissing) ? std::string_view() : missing->why;
}

[[gnu::cold]] std::vector<SourceRow> sources_on_windows() {
  std::vector<SourceRow> rows;
  std::copy_if(std::begin(kSources), std::end(kSources), std::back_inserter(rows),
               [](const SourceRow& row) { return missing_on_windows(row.id).empty(); });
  return rows;
}

[[gnu::cold]] base::Result<std::vector<SourceChoice>> parse_events_on_windows(std::string_view list) {
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    const std::string_view item = list.substr(at, end - at), name = item.substr(0, item.find('='));
    at = end + 1;
    for (const Missing& missing : kMissing) {
      if (name_of(missing.source) == name)
        return base::Status::error(std::string(name) +
                                   " is not recorded on Windows: " + std::string(missing.why));
    }
  }
  return parse_events(list, sources_on_windows());
}

}  // namespace walkabout::wire
