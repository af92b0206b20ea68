#include "agent/sources/needs.h"

namespace walkabout::agent {

void RuntimeNeeds::add(const SourceNeeds& needs) {
  callbacks |= needs.callbacks;
  high_callbacks |= needs.high_callbacks;
  uint64_t wanted = needs.keywords;
  for (auto at = keywords.begin(); at != keywords.end();) {
    auto& [level, of_level] = *at;
    if (level >= needs.level)
      wanted &= ~of_level;
    else
      of_level &= ~wanted;
    at = of_level == 0 ? keywords.erase(at) : std::next(at);
  }
  if (wanted != 0) keywords[needs.level] |= wanted;
}

RuntimeNeeds runtime_needs(const SourceNeeds& agent, const std::vector<SourceNeeds>& sources) {
  RuntimeNeeds all;
  all.add(agent);
  for (const SourceNeeds& needs : sources) all.add(needs);
  return all;
}

}  // namespace walkabout::agent
