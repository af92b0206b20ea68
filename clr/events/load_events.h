// The runtime's events about what is loaded and compiled, as EventPipe delivers them, of the provider
// Microsoft-Windows-DotNETRuntime. Ends of compiling are clr/events/eventpipe_method.h.
//
// Views into the payload: no allocation, little stack. Any bytes give false or a valid view. Source:
// ClrEtwAll.man of the runtime (MethodJittingStarted_V1, TypeLoadStart, TypeLoadStop, AssemblyLoad_V1,
// ModuleLoad_V2). Measured on .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <span>

#include "clr/events/eventpipe_method.h"

namespace walkabout::clr {

inline constexpr uint32_t kTypeLoadStart = 73, kTypeLoadStop = 74;
inline constexpr uint32_t kModuleLoad = 152, kAssemblyLoad = 154;

struct JittingStarted {
  uint64_t method_id = 0;
  uint32_t il_size = 0;  // bytes
};
bool parse_jitting_started(std::span<const uint8_t> payload, JittingStarted* event);
// The end of a load; a type is loaded in several, one level further each.
bool parse_type_load_stop(std::span<const uint8_t> payload, EventString* name);
// "System.Linq, Version=10.0.0.0, Culture=neutral, PublicKeyToken=b03f5f7f11d50a3a"
bool parse_assembly_load(std::span<const uint8_t> payload, EventString* name);
// A path.
bool parse_module_load(std::span<const uint8_t> payload, EventString* path);

}  // namespace walkabout::clr
