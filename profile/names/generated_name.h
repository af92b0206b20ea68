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

// What a name is shown with. The compiler numbers methods of a type, and lambdas and local functions within
// each: in "<Main>b__3_1" the first tells overloads of Main apart.
struct NameContext {
  std::string owner;         // readable, of the type that declares it, for constructors
  bool numbers = false;      // all the compiler's numbers: "(lambda #3_1)"
  bool no_accessor = false;  // it is none, whatever it is called, as of an async method
};

// Of a name that the compiler made; any other is that of a method around one ("Total.get").
Readable readable_member(std::string_view name, const NameContext& context);

bool is_state_machine(std::string_view type_segment);
// "5" of "<RunAsync>d__5"; empty where it has none.
std::string_view number_of(std::string_view type_segment);
bool is_closure(std::string_view type_segment);
// Whether nobody wrote a type of this name.
bool is_made_type(std::string_view type_segment);

// A type's own name (one segment, without arguments) as it is shown: the method of a state machine,
// "(closure)", "(anonymous type #0)", the name of a file-local type; any other name as it is.
// numbers: with all that tells it from others: "(closure #3_0)", "Helper@File".
std::string readable_type_segment(std::string_view name, bool numbers = false);

}  // namespace walkabout::profile
