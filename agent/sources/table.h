// The sources by their rows in wire/sources.h. A source's file defines make_NAME_source(); nothing here names
// one. Any thread.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "agent/sources/source.h"
#include "wire/sources.h"

namespace walkabout::agent {

#define WALKABOUT_SOURCE_MAKER(name, ...) std::unique_ptr<Source> make_##name##_source();
WALKABOUT_SOURCES(WALKABOUT_SOURCE_MAKER)
#undef WALKABOUT_SOURCE_MAKER

// One that is on.
struct ChosenSource {
  wire::SourceChoice choice;
  std::unique_ptr<Source> source;
};
// Those that are on, none of them started.
std::vector<ChosenSource> make_sources(const std::vector<wire::SourceChoice>& events);
// What they declare, by id.
std::vector<wire::Source> declarations(const std::vector<ChosenSource>& sources);

}  // namespace walkabout::agent
