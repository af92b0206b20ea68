// Type names as the metadata has them
// ("System.Collections.Generic.Dictionary`2<System.String,Outer+Inner[]>"), taken apart and put together as a
// C# programmer writes them. Names are hostile text: whatever does not parse is shown as it is. Any thread,
// no state.
//
// Source for the shape of names: ECMA-335 I.10.7.2 (arity), II.5.3; nested types joined by '+' as in
// reflection.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace walkabout::profile {

struct TypeSegment {
  std::string_view name;                    // without arity and arguments
  unsigned arity = 0;                       // of "`2"; 0 if none is written
  std::vector<std::string_view> arguments;  // exact, where known
};

// A view into the text it was parsed from.
struct TypeName {
  std::string_view name_space;        // "System.Collections.Generic", may be empty
  std::vector<TypeSegment> segments;  // outermost first; never empty
  std::string_view suffix;            // "[]", "[,]", "*", "&" in any number
};

TypeName parse_type(std::string_view text);

// "Dictionary<string, int>" of one segment: arguments in short form, or T's where only the arity is known.
// numbers: as readable_type_segment() (profile/names/generated_name.h), and arguments as whole_type().
std::string readable_segment(const TypeSegment& segment, bool numbers = false);
// With namespace: "System.Collections.Generic.List<int>".
std::string readable_type(std::string_view text);
// The same of a name as the runtime's events have it: "List`1[System.Int32]". Without type arguments it is as
// it is.
std::string readable_event_type(std::string_view text);
// Without: "int", "List<string>", "ref int", "int?", "(int, string)".
std::string short_type(std::string_view text);
// The same for a list separated by commas.
std::string short_types(std::string_view text);
std::string short_types(const std::vector<std::string_view>& types);
// With all that tells a type from others: namespaces, also of arguments, and the compiler's numbers.
std::string whole_type(std::string_view text);
std::string whole_types(const std::vector<std::string_view>& types);

// Where the own name of a readable type begins, behind namespace and outer types.
size_t own_part(std::string_view readable);

// Where the bracket closes that is open at text[0] ('<' with '>'); npos if it does not.
size_t closing_bracket(std::string_view text);
// "Map<int>" → {"Map", "int"}; "<Main>b__0_0<int>" → {"<Main>b__0_0", "int"};
// "Ns.IMap<int>.Find<string>" → {"Ns.IMap<int>.Find", "string"}.
struct NameAndArguments {
  std::string_view name;
  std::string_view arguments;
};
NameAndArguments split_arguments(std::string_view text);
// Parts between separators that stand outside of all brackets.
std::vector<std::string_view> split_outside_brackets(std::string_view text, char separator);
std::string_view trim(std::string_view text);

}  // namespace walkabout::profile
