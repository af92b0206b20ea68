// The runtime's dispatch of exceptions in managed code, from .NET 9 on: System.Runtime.EH of
// System.Private.CoreLib. Source: ExceptionHandling.cs of CoreCLR. Any thread.
#pragma once

#include <string_view>

namespace walkabout::profile {

// name: readable (DisplayFrame::name).
inline bool is_exception_dispatch(std::string_view name) { return name.starts_with("System.Runtime.EH."); }

}  // namespace walkabout::profile
