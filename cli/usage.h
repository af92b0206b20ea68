// What was meant by arguments that walkabout does not understand: the verb or option that is nearest, the
// form with -- for a command that has options of its own. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace walkabout::cli {

struct KnownOption {
  std::vector<std::string> names;  // with their dashes; an argument has none
  int most_values = 0;             // that may follow it
};

struct KnownVerb {
  std::string name;
  bool hidden = false;  // no help lists it
  std::vector<KnownOption> options;
};

// The sentence to refuse them with; none when they are to be parsed. program: the options before a verb.
// arguments: behind the program's name.
std::optional<std::string> misunderstood(const KnownVerb& program, const std::vector<KnownVerb>& verbs,
                                         const std::vector<std::string>& arguments);

// "walkabout VERB --help"; verb: empty before there is one.
std::string help_of(const std::string& verb);

// The word of `known` that differs from `word` in the fewest letters, if they are few.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace walkabout::cli
