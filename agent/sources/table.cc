#include "agent/sources/table.h"

namespace walkabout::agent {
namespace {

std::unique_ptr<Source> make_source(base::SourceId id) {
  switch (id.value) {
#define WALKABOUT_MAKE(name, number, ...) \
  case number:                            \
    return make_##name##_source();
    WALKABOUT_SOURCES(WALKABOUT_MAKE)
#undef WALKABOUT_MAKE
    default:
      return nullptr;
  }
}

}  // namespace

std::vector<ChosenSource> make_sources(const std::vector<wire::SourceChoice>& events) {
  std::vector<ChosenSource> sources;
  for (const wire::SourceChoice& choice : events) {
    std::unique_ptr<Source> source = make_source(choice.id);
    if (source == nullptr) continue;
    source->choose(choice.parts);
    sources.push_back({choice, std::move(source)});
  }
  return sources;
}

std::vector<wire::Source> declarations(const std::vector<ChosenSource>& sources) {
  std::vector<wire::Source> all;
  for (const ChosenSource& chosen : sources) {
    all.push_back(chosen.source->declaration(chosen.choice.period_ns));
    all.back().id = chosen.choice.id;
    all.back().name = wire::name_of(chosen.choice.id);
  }
  return all;
}

}  // namespace walkabout::agent
