// The names the C# compiler makes up for what has none in the source, taken apart: "<Main>b__0_0" is the
// lambda #0 of Main, "<RunAsync>d__5" the state machine of RunAsync, "<>c" a closure. Any thread, no state.
//
// Source: Roslyn, GeneratedNames.cs and GeneratedNameKind.cs.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::profile {

// "<Inner>rest": how the compiler marks what it made.
struct Generated {
  bool is = false;
  std::string_view inner;
  std::string_view rest;
};
Generated take_apart(std::string_view name);

// A method's name on its way to being readable.
struct Readable {
  std::string path;    // "Main.Fib"
  std::string lambda;  // ".(lambda #0)", shown without parameters
  std::string tags;    // "local", "local async"
  void tag(std::string_view t) { tags += (tags.empty() ? "" : " ") + std::string(t); }
};
Readable readable_member(std::string_view name);

bool is_state_machine(std::string_view type_segment);
bool is_closure(std::string_view type_segment);

// A type's own name (one segment, without arguments) as it is shown: the method of a state machine,
// "(closure)",
// "(anonymous type #0)", the name of a file-local type; any other name as it is.
std::string readable_type_segment(std::string_view name);

}  // namespace walkabout::profile
