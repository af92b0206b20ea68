// What the F# compiler makes of what has no name in the metadata's sense: a closure is a type "add@12-1" (the
// name it is bound to or the function around it, the line, and a number where a line has several), an active
// pattern a method "|Even|Odd|", an operator "op_PipeRight", the code of a file's top level in
// "<StartupCode$app>.$Program". Any thread, no state.
//
// Source: F# compiler, CompilerGlobalState.fs and PrettyNaming.fs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace walkabout::profile {

struct FSharpClosure {
  std::string_view name;    // "add"
  std::string_view line;    // "12"
  std::string_view number;  // "1"; empty: the first of its name and line
};
// Of a type's own name. None: it is no closure.
std::optional<FSharpClosure> fsharp_closure(std::string_view type_segment);
// "closure at line 12", "closure #1 at line 12".
std::string readable(const FSharpClosure& closure);

// "(|Even|Odd|)" of an active pattern, "(|>)" of an operator; any other name as it is.
std::string fsharp_member(std::string_view name);

// "Program" of "<StartupCode$app>.$Program", the type of a file's top-level code. Empty: it is none.
std::string_view fsharp_file(std::string_view type);

}  // namespace walkabout::profile
