// Methods that no type declares: those that a program makes at run time, and the runtime's stubs. Any thread,
// no state.
//
//   lambda_method3 (…Closure, System.Object)     lambda_method3(object) [dynamic]: a compiled expression
//   tree, as the
//                                                endpoints of minimal APIs, whose first parameter is their
//                                                constants
//   Regex7_TryMatchAtCurrentPosition (…)         Regex7.TryMatchAtCurrentPosition(…) [compiled regex]
//   IL_STUB_PInvoke                              [P/Invoke stub]
//
// What a dynamic method serves (an endpoint, a constructor) its name does not say, and nothing else does.
// Source: .NET's LambdaCompiler.cs, RegexLWCGCompiler.cs; coreclr vm/ilstubresolver.cpp,
// ILStubResolver::GetStubMethodName.
#pragma once

#include <string>

#include "wire/records.h"

namespace walkabout::profile {

bool is_without_type(const wire::Method& method);
// REQUIRES: is_without_type(method).
std::string dynamic_name(const wire::Method& method);

}  // namespace walkabout::profile
