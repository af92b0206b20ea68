#include "agent/sources/chosen_sources.h"

#include <algorithm>

namespace walkabout::agent {

std::string refusal_of(const std::vector<ChosenSource>& sources, bool attached, bool beside) {
  for (const ChosenSource& chosen : sources) {
    std::string refusal = chosen.source->refusal(attached, beside);
    if (!refusal.empty()) return refusal;
  }
  return {};
}

RuntimeNeeds needs_of(const std::vector<ChosenSource>& sources, const SourceNeeds& agent, uint32_t runtime) {
  std::vector<SourceNeeds> needs;
  needs.reserve(sources.size());
  for (const ChosenSource& chosen : sources) needs.push_back(chosen.source->needs(runtime));
  return runtime_needs(agent, needs);
}

std::vector<wire::Source> declared_in(const std::vector<ChosenSource>& sources, uint64_t interval_ns) {
  std::vector<wire::Source> declared = declarations(sources);
  for (wire::Source& source : declared) {
    if (source.id == wire::kCpuSource) source.period = interval_ns;
  }
  return declared;
}

Tally* keep_in(Rings& rings, const std::vector<wire::Source>& declared, TextTable& texts, Tally& tally,
               std::string* problem) {
  const bool have_texts = std::any_of(declared.begin(), declared.end(), [](const wire::Source& source) {
    return std::any_of(source.labels.begin(), source.labels.end(), wire::is_text);
  });
  if (have_texts) texts.note_in(rings);
  const bool have_events = std::any_of(declared.begin(), declared.end(), [](const wire::Source& source) {
    return source.clock == static_cast<uint32_t>(wire::Clock::kEvent);
  });
  if (!have_events) return nullptr;
  if (const base::Status sums = tally.begin(rings); !sums.ok())
    *problem = "sums of events will not outlive the program: " + sums.message();
  return &tally;
}

base::Status start_sources(const std::vector<ChosenSource>& sources, const SourceContext& context) {
  for (const ChosenSource& chosen : sources) {
    SourceContext own = context;
    own.period_ns = chosen.choice.period_ns;
    base::Status started = chosen.source->start(own);
    if (started.ok()) continue;
    if (sources.size() == 1) return started;
    context.spooler.report(wire::Severity::kWarning, std::string(wire::name_of(chosen.choice.id)) +
                                                         " is not recorded: " + started.message());
  }
  return {};
}

}  // namespace walkabout::agent
