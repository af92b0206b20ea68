// Operators by their names in the metadata. Any thread, no state. Source: ECMA-335 I.10.3.1 to I.10.3.3; C#'s
// operators behind that (checked, compound assignment): Roslyn, WellKnownMemberNames.cs.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::profile {

// "operator +" of "op_Addition", "operator checked +", "implicit operator int" of a conversion to `returns`
// (a type as it is shown; empty: not known). Empty: it is none of C#'s.
std::string operator_name(std::string_view name, std::string_view returns);

}  // namespace walkabout::profile
