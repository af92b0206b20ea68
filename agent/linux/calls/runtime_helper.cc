#include "agent/linux/calls/runtime_helper.h"

#include <algorithm>

namespace walkabout::agent {
namespace {

// Types whose methods are helpers, but for a few that helpers call.
constexpr std::string_view kTypesOfHelpers[] = {
    "Internal.Runtime.CompilerHelpers.ThrowHelpers.",
    "System.Runtime.CompilerServices.CastHelpers.",
    "System.Runtime.CompilerServices.GenericsHelpers.",
    "System.Runtime.CompilerServices.InitHelpers.",
    "System.Runtime.CompilerServices.StaticsHelpers.",
    "System.Runtime.CompilerServices.VirtualDispatchHelpers.",
};
// The beginnings of their names.
constexpr std::string_view kHelpers[] = {
    "System.Buffer.BulkMoveWithWriteBarrier",
    "System.Buffer.MemCopyGC",
    "System.Diagnostics.Debugger.UserBreakpoint",
    "System.Math.ConvertToInt",
    "System.Math.ConvertToUInt",
    "System.Math.DivInt",
    "System.Math.DivUInt",
    "System.Math.ModInt",
    "System.Math.ModUInt",
    "System.Math.MultiplyChecked",
    "System.RuntimeFieldHandle.GetFieldAddr",
    "System.RuntimeFieldHandle.GetStaticFieldAddr",
    "System.RuntimeTypeHandle.GetRuntimeTypeFromHandle",
    "System.SpanHelpers.ClearWithoutReferences",
    "System.SpanHelpers.Fill",
    "System.SpanHelpers.Memmove",
    "System.StubFieldInfo.FromPtr",
    "System.StubMethodInfo.FromPtr",
    "System.Threading.Monitor.SynchronizedMethod",
    "System.Threading.Thread.PollGC",
    "System.TypedReference.GetRefAny",
};

template <size_t kCount>
bool begins_with_one_of(const std::string_view (&beginnings)[kCount], std::string_view name) {
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [name](std::string_view beginning) { return name.starts_with(beginning); });
}

}  // namespace

bool is_runtime_helper(unsigned version, std::string_view name) {
  if (version == 8)
    return name == "System.Runtime.CompilerServices.CastHelpers.StelemRef" ||
           name == "System.Runtime.CompilerServices.CastHelpers.LdelemaRef";
  return version == 9 && (begins_with_one_of(kTypesOfHelpers, name) || begins_with_one_of(kHelpers, name));
}

}  // namespace walkabout::agent
