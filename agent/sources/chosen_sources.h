// The sources that are on, from what they need to their start: what a session does with all of them on every
// system. One thread, before the first event.
#pragma once

#include <string>
#include <vector>

#include "agent/sources/needs.h"
#include "agent/sources/table.h"

namespace walkabout::agent {

// Why one of them cannot be had; empty: all can.
std::string refusal_of(const std::vector<ChosenSource>& sources, bool attached, bool beside);
// `agent`: what the agent itself needs. runtime: as Source::needs().
RuntimeNeeds needs_of(const std::vector<ChosenSource>& sources, const SourceNeeds& agent, uint32_t runtime);
// What a recording declares. interval_ns: that of CPU time.
std::vector<wire::Source> declared_in(const std::vector<ChosenSource>& sources, uint64_t interval_ns);
// Lets texts and sums outlive the program, where any of these sources has some. Null: there will be no sums.
// *problem: why sums will not outlive it; empty: they will.
Tally* keep_in(Rings& rings, const std::vector<wire::Source>& declared, TextTable& texts, Tally& tally,
               std::string* problem);
// context: but for its period. One that does not start is left out, and the recording says so; an error where
// it was the only one.
base::Status start_sources(const std::vector<ChosenSource>& sources, const SourceContext& context);

}  // namespace walkabout::agent
