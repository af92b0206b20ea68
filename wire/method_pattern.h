// Which methods a person means: "Orders.*", "*.Repository.Save", "System.Text.Json!*" (of a module),
// "[Fact]" (that have an attribute), "!*.get_*" (leaves out what matches). A * is any text, a ? any one
// character; letters count as they are. What is matched is Namespace.Type.Method, nested types with a dot
// too, without parameters and without the arity of generics. Methods of the classes that compilers make of
// async methods and iterators match patterns with a < alone: their calls are those of the method they stand
// for. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace walkabout::wire {

struct MethodPattern {
  std::string text;    // as it was written
  std::string module;  // "System.Text.Json"; empty: any
  std::string name;    // "*"; empty: `attribute` says which
  std::string attribute;
  bool exclude = false;
};

base::Result<MethodPattern> parse_method_pattern(std::string_view text);
// One a line; at least one of them chooses.
base::Result<std::vector<MethodPattern>> parse_method_patterns(std::string_view lines);

// "Demo.Outer`1+Inner", "Add" → "Demo.Outer.Inner.Add".
std::string matched_name(std::string_view type, std::string_view method);

// module: the name of its file.
struct NamedMethod {
  std::string_view module;
  std::string_view name;  // matched_name()
  bool state_machine = false;
  std::span<const std::string> attributes = {};  // their types: "Xunit.FactAttribute"
};
bool may_match(const MethodPattern& pattern, std::string_view module);
bool matches(const MethodPattern& pattern, const NamedMethod& method);
// What all of them say: one chooses it, and none leaves it out. matched: called with the index of each that
// matches.
template <typename Matched>
bool choose(std::span<const MethodPattern> patterns, const NamedMethod& method, Matched matched) {
  bool wanted = false, excluded = false;
  for (size_t i = 0; i < patterns.size(); ++i) {
    if (!matches(patterns[i], method)) continue;
    matched(i);
    (patterns[i].exclude ? excluded : wanted) = true;
  }
  return wanted && !excluded;
}
// Whether attributes are looked at.
bool asks_for_attributes(std::span<const MethodPattern> patterns);
// Whether the type's own name is that of a state machine: "<RunAsync>d__5".
bool is_state_machine(std::string_view type);

}  // namespace walkabout::wire
