// Methods that no type declares: those that a program makes at run time, and the runtime's stubs. Any thread,
// no state.
//
//   lambda_method3 (…Closure, System.Object)  lambda_method3(object) [dynamic]
//   Regex7_TryMatchAtCurrentPosition (…)      Regex7.TryMatchAtCurrentPosition(…) [compiled regex]
//   IL_STUB_PInvoke                           [P/Invoke stub]
//
// The first is a compiled expression tree, as the endpoints of minimal APIs are; its first parameter is its
// constants.
//
// What a dynamic method serves (an endpoint, a constructor) its name does not say, and nothing else does.
// Source: .NET's LambdaCompiler.cs, RegexLWCGCompiler.cs; coreclr vm/ilstubresolver.cpp,
// ILStubResolver::GetStubMethodName.
#pragma once

#include <string>

#include "wire/records.h"

namespace walkabout::profile {

bool is_without_type(const wire::Method& method);
// REQUIRES: is_without_type(method). more: types with their namespaces, and a stub with its parameters: there
// is one for each signature, "[P/Invoke stub (int, void*, nint)]".
std::string dynamic_name(const wire::Method& method, bool more = false);

}  // namespace walkabout::profile
