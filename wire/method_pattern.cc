#include "wire/method_pattern.h"

#include <algorithm>
#include <utility>

#include "base/glob.h"

namespace walkabout::wire {
namespace {

base::Status no_pattern(std::string_view text, const char* why) {
  return base::Status::error("'" + std::string(text) + "' is no pattern of methods: " + why);
}

std::string_view without_suffix(std::string_view file) {
  for (const std::string_view suffix : {".dll", ".exe"}) {
    if (file.ends_with(suffix)) return file.substr(0, file.size() - suffix.size());
  }
  return file;
}

// Without "`1"; nested types behind a dot.
void append_plain(std::string_view name, std::string* to) {
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '`') {
      while (i + 1 < name.size() && name[i + 1] >= '0' && name[i + 1] <= '9') ++i;
      continue;
    }
    to->push_back(name[i] == '+' ? '.' : name[i]);
  }
}

// "Fact" is Xunit.FactAttribute, and so are "FactAttribute" and "Xunit.Fact*".
bool is_called(std::string_view type, std::string_view pattern) {
  constexpr std::string_view kSuffix = "Attribute";
  if (pattern.find('.') == std::string_view::npos) type.remove_prefix(type.rfind('.') + 1);
  if (base::matches_glob(pattern, type)) return true;
  return type.ends_with(kSuffix) && base::matches_glob(pattern, type.substr(0, type.size() - kSuffix.size()));
}

}  // namespace

[[gnu::cold]] base::Result<MethodPattern> parse_method_pattern(std::string_view text) {
  MethodPattern pattern;
  pattern.text = text;
  if (text.find_first_of("()\n") != std::string_view::npos)
    return no_pattern(text, "parameters are not part of the name");
  std::string_view rest = text;
  if (rest.starts_with('!')) {
    pattern.exclude = true;
    rest.remove_prefix(1);
  }
  if (const size_t mark = rest.find('!'); mark != std::string_view::npos) {
    pattern.module = without_suffix(rest.substr(0, mark));
    rest.remove_prefix(mark + 1);
    if (pattern.module.empty() || rest.empty() || rest.find('!') != std::string_view::npos)
      return no_pattern(text, "of a module it is MODULE!NAME");
  }
  if (rest.empty()) return no_pattern(text, "it is empty");
  if (rest.starts_with('[')) {
    if (!rest.ends_with(']') || rest.size() == 2 || rest.find_first_of("[]", 1) != rest.size() - 1)
      return no_pattern(text, "of an attribute it is [NAME]");
    append_plain(rest.substr(1, rest.size() - 2), &pattern.attribute);
    return pattern;
  }
  append_plain(rest, &pattern.name);
  return pattern;
}

[[gnu::cold]] base::Result<std::vector<MethodPattern>> parse_method_patterns(std::string_view lines) {
  std::vector<MethodPattern> patterns;
  bool chooses = false;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size() == lines.size() ? line.size() : line.size() + 1);
    base::Result<MethodPattern> pattern = parse_method_pattern(line);
    if (!pattern.ok()) return pattern.status();
    chooses = chooses || !pattern->exclude;
    patterns.push_back(std::move(*pattern));
  }
  if (!chooses) return base::Status::error("no pattern chooses methods: each leaves some out");
  return patterns;
}

std::string matched_name(std::string_view type, std::string_view method) {
  std::string name;
  name.reserve(type.size() + method.size() + 1);
  append_plain(type, &name);
  if (!name.empty()) name.push_back('.');
  name.append(method);
  return name;
}

bool is_state_machine(std::string_view type) {
  const std::string_view own = type.substr(type.rfind('+') + 1);
  const size_t end = own.rfind('>');
  return own.starts_with('<') && end != std::string_view::npos && own.substr(end + 1).starts_with("d__");
}

bool may_match(const MethodPattern& pattern, std::string_view module) {
  return pattern.module.empty() || base::matches_glob(pattern.module, without_suffix(module));
}

bool matches(const MethodPattern& pattern, const NamedMethod& method) {
  if (method.state_machine && pattern.name.find('<') == std::string::npos) return false;
  if (!may_match(pattern, method.module)) return false;
  if (pattern.attribute.empty()) return base::matches_glob(pattern.name, method.name);
  return std::any_of(method.attributes.begin(), method.attributes.end(),
                     [&pattern](const std::string& type) { return is_called(type, pattern.attribute); });
}

bool asks_for_attributes(std::span<const MethodPattern> patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [](const MethodPattern& pattern) { return !pattern.attribute.empty(); });
}

}  // namespace walkabout::wire
