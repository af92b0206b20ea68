// A member's name in the metadata as C# writes it: "get_Total" is "Total.get", "get_Item" of an int
// "this[int].get", "op_Addition" "operator +", ".ctor" of Order "Order", ".cctor" "static Order",
// "System.IDisposable.Dispose" "IDisposable.Dispose". Hostile text: what has no such form is shown as it is.
// Any thread, no state.
//
// Source: ECMA-335 I.10.3 (operators), II.22.28 (accessors); C# standard 15.10 (operators), 18.6 (explicit
// implementations); FSharp.Core's prim-types.fs for its operators.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace walkabout::profile {

struct Member {
  std::string_view name;                     // without generic arguments
  std::string_view owner;                    // the readable name of its type, without namespace and arguments
  std::vector<std::string_view> parameters;  // types, as the metadata has them
  std::string_view returns;                  // of a conversion; empty: not known
  bool is_plain = false;    // its name looks like that of an accessor or operator, and it is none
  bool is_generic = false;  // it has arguments of its own, as no accessor has
};

struct MemberName {
  std::string name;
  size_t index_parameters = 0;  // so many of the first parameters stand within the name already
};

// whole: types in it with their namespaces.
MemberName member_name(const Member& member, bool whole);

// As the method around a lambda is called, whose parameters the lambda's name does not say ("Item.get" of an
// indexer). is_plain: as Member::is_plain.
std::string enclosing_name(std::string_view name, std::string_view owner, bool is_plain);

}  // namespace walkabout::profile
