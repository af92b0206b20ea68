// Methods of the framework that the runtime or its compiler calls by an address of its own, so that having
// them compiled again does harm. Pure; any thread.
//
// Sources: ECall::DynamicallyAssignCastHelpers (.NET 8): GetNativeCode() of StelemRef and LdelemaRef, taken
// once, is null where a new body was asked for before. CEEInfo::getHelperFtn (.NET 9): reads the active
// native code of a helper, of which there is none between RequestReJIT and its next call; mended in .NET 10
// (dotnet/runtime, pull request 117765). Which methods are helpers: jithelpers.h.
#pragma once

#include <string_view>

namespace walkabout::agent {

// Of System.Private.CoreLib; name: "System.Math.Abs". version: the runtime's major one.
bool is_runtime_helper(unsigned version, std::string_view name);

}  // namespace walkabout::agent
