// What was meant by arguments that walkabout does not understand: the verb or option that is nearest, the
// form with -- for a command that has options of its own. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace walkabout::cli {

// The sentence to refuse them with; none when they are to be parsed. arguments: behind the program's name.
std::optional<std::string> misunderstood(const CLI::App& app, const std::vector<std::string>& arguments);

// The word of `known` that differs from `word` in the fewest letters, if they are few.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace walkabout::cli
