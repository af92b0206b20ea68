#include "agent/linux/cover/cover_options.h"

#include <stdlib.h>

#include <string_view>

namespace walkabout::agent {
namespace {

std::string_view cover_variable(const char* name) {
  const char* value = ::getenv(name);
  return value != nullptr ? value : std::string_view();
}

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(';'));
    list.remove_prefix(name.size() == list.size() ? name.size() : name.size() + 1);
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

}  // namespace

std::optional<CoverOptions> cover_options() {
  CoverOptions options;
  options.folder = cover_variable("WALKABOUT_COVER");
  // What is to be recorded below a process that is covered is recorded.
  if (options.folder.empty() || !cover_variable("WALKABOUT_SOCKET").empty()) return std::nullopt;
  options.include = names_in(cover_variable("WALKABOUT_COVER_INCLUDE"));
  options.exclude = names_in(cover_variable("WALKABOUT_COVER_EXCLUDE"));
  options.counts = cover_variable("WALKABOUT_COVER_HITS") == "1";
  options.tests = cover_variable("WALKABOUT_COVER_TESTS") == "1";
  return options;
}

}  // namespace walkabout::agent
