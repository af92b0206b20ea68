// The names inside JIT events, which the runtime writes in the style of ildasm, as clr/names/method_name.h
// writes them. For methods that can only be named by their event: dynamic methods, stubs, collectible code.
// Text that is not of that form comes back as it is. Allocates; any thread, no state. Source: the runtime's
// prettyprintsig.cpp and TypeString::AppendType; checked against the events of .NET 8, 9 and 10.
#pragma once

#include <string>
#include <string_view>

#include "clr/events/eventpipe_method.h"
#include "clr/names/method_name.h"

namespace walkabout::clr {

// "instance generic !!0  (!0,class System.Collections.Generic.List`1<int32>&)" -> "T0, ref
// System.Collections…<int>".
std::string parameters_of_event(std::string_view signature);

// "Ns.Outer`1+Inner`1[System.__Canon,System.Int32]" -> "Ns.Outer<__Canon>+Inner<int>". "dynamicClass", which
// stands for "no type", becomes empty.
std::string type_of_event(std::string_view type);

MethodName name_of_event(const MethodLoad& event);

}  // namespace walkabout::clr
