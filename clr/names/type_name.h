// Putting type names together: generic arguments where their arity says, array brackets in C#'s order, and a
// limit to what a hostile or absurd instantiation can grow to. Pure functions; they allocate, any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace walkabout::clr {

// Longest text made of one type or one parameter list; what is beyond becomes "…".
inline constexpr size_t kLongestTypeName = 1000;
// Types nested deeper in one another than this are shown as "…".
inline constexpr int kDeepestType = 12;
// The part of a name that could not be found out.
inline constexpr std::string_view kUnknownName = "?";

// ("Ns.Outer`1+Inner`2", {"int", "string", "T"}) -> "Ns.Outer<int>+Inner<string, T>". Missing arguments stay
// away with their arity's mark ("Inner<,>" as typeof would write it); superfluous ones go to the end.
std::string with_arguments(std::string_view raw_name, std::span<const std::string> arguments);

// ("int[,]", 1) -> "int[][,]": the outer array's brackets come first, as in C#.
std::string array_of(std::string element, uint32_t rank);

// Cuts the text at kLongestTypeName (at a whole UTF-8 character) and marks the cut.
void limit_length(std::string& text);

}  // namespace walkabout::clr
