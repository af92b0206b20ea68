#include "cli/usage.h"

#include <algorithm>
#include <numeric>

namespace walkabout::cli {
namespace {

using Words = std::vector<std::string>;

// Letters to insert, leave out, replace or exchange with their neighbour (optimal string alignment).
size_t distance(const std::string& a, const std::string& b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

const KnownOption* find(const std::vector<KnownOption>& options, const std::string& name) {
  for (const KnownOption& option : options) {
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  }
  return nullptr;
}

Words names_of(const std::vector<KnownOption>& options) {
  Words names;
  for (const KnownOption& option : options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// "--output=x" is --output, "-ox" is -o.
std::string option_name(const std::string& word) {
  return word[1] == '-' ? word.substr(0, word.find('=')) : word.substr(0, 2);
}

bool has_value_behind(const KnownOption& option, const std::string& word) {
  const bool inside = word[1] == '-' ? word.find('=') != std::string::npos : word.size() > 2;
  return option.most_values > 0 && !inside;
}

bool takes_a_command(const KnownVerb& verb) {
  return std::any_of(verb.options.begin(), verb.options.end(),
                     [](const KnownOption& o) { return o.names.empty() && o.most_values > 1; });
}

std::string did_you_mean(const std::string& word, const Words& known) {
  const std::optional<std::string> near = nearest(word, known);
  return near ? "; did you mean " + *near + "?" : std::string();
}

// Of an option of one letter all others of one letter are as near.
bool is_one_letter(const std::string& option) { return option.size() == 2; }

std::string verbs_with(const std::string& option, const std::vector<KnownVerb>& verbs) {
  Words names;
  for (const KnownVerb& verb : verbs) {
    if (!verb.hidden && find(verb.options, option) != nullptr) names.push_back(verb.name);
  }
  if (names.empty()) return {};
  std::string out = "; ";
  for (size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return out + (names.size() == 1 ? " has it" : " have it");
}

// verb: empty before there is one.
std::string no_option(const std::string& word, const std::vector<KnownOption>& options,
                      const std::string& verb, const std::vector<KnownVerb>& verbs) {
  const std::string name = option_name(word);
  std::string hint = is_one_letter(name) ? std::string() : did_you_mean(name, names_of(options));
  if (hint.empty()) hint = verbs_with(name, verbs);
  return (verb.empty() ? "there is no option " : "walkabout " + verb + " has no option ") + word + hint +
         " (" + help_of(verb) + " lists them)";
}

// None: the value is there.
std::optional<std::string> no_value(const KnownVerb& verb, const Words& words, size_t option) {
  if (option + 1 < words.size() && words[option + 1] != "--") return std::nullopt;
  return words[option] + " needs a value behind it" +
         (option + 1 < words.size() ? ", but there is only --" : "") + " (" + help_of(verb.name) +
         " says which)";
}

std::string as_typed(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$`*?[](){}<>|&;#~!") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string with_dashes(const Words& words, size_t command) {
  std::string line = "walkabout";
  for (size_t i = 0; i < words.size(); ++i) line += (i == command ? " -- " : " ") + as_typed(words[i]);
  return line;
}

// A command without -- before it: which of its options are ours nobody knows.
std::optional<std::string> of_a_command(const Words& words, size_t command) {
  for (size_t i = command + 1; i < words.size() && words[i] != "--"; ++i) {
    if (!is_option(words[i])) continue;
    return "'" + words[i] + "' behind '" + words[command] +
           "' could be the command's or walkabout's: write the command behind --: " +
           with_dashes(words, command);
  }
  return std::nullopt;
}

std::optional<std::string> of_verb(const KnownVerb& verb, const Words& words,
                                   const std::vector<KnownVerb>& verbs) {
  for (size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    if (!is_option(words[i])) {
      if (takes_a_command(verb)) return of_a_command(words, i);
      continue;
    }
    const KnownOption* option = find(verb.options, option_name(words[i]));
    if (option == nullptr) return no_option(words[i], verb.options, verb.name, verbs);
    if (!has_value_behind(*option, words[i])) continue;
    if (auto sentence = no_value(verb, words, i); sentence) return sentence;
    ++i;
  }
  return std::nullopt;
}

}  // namespace

std::string help_of(const std::string& verb) {
  return "walkabout " + (verb.empty() ? verb : verb + " ") + "--help";
}

std::optional<std::string> nearest(const std::string& word, const Words& known) {
  const size_t few = std::max<size_t>(1, word.size() / 3);
  std::optional<std::string> best;
  size_t least = few + 1;
  for (const std::string& candidate : known) {
    const size_t d = distance(word, candidate);
    if (d >= least) continue;
    least = d;
    best = candidate;
  }
  return best;
}

std::optional<std::string> misunderstood(const KnownVerb& program, const std::vector<KnownVerb>& verbs,
                                         const Words& words) {
  if (words.empty()) return std::nullopt;
  if (is_option(words[0])) {
    if (find(program.options, option_name(words[0])) != nullptr) return std::nullopt;
    return no_option(words[0], program.options, "", verbs);
  }
  Words shown;
  for (const KnownVerb& verb : verbs) {
    if (verb.name == words[0]) return of_verb(verb, words, verbs);
    if (!verb.hidden) shown.push_back(verb.name);
  }
  return "there is no verb '" + words[0] + "'" + did_you_mean(words[0], shown) +
         " (walkabout --help lists them)";
}

}  // namespace walkabout::cli
