// The runtime's events about methods as EventPipe delivers them, of the provider
// Microsoft-Windows-DotNETRuntime.
//
// Views into the payload: no allocation, little stack; fit for the thread that compiles. Any bytes give false
// or a valid view. Source: ClrEtwAll.man of the runtime (MethodLoadUnloadVerbose, V0 to V2); the tier bits
// are MethodFlagsJitOptimizationTier* in eventtrace.h. Measured on .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "clr/abi/types.h"

namespace walkabout::clr {

inline constexpr uint32_t kMethodLoadVerbose = 143;
inline constexpr uint32_t kMethodUnloadVerbose = 144;
inline constexpr uint32_t kMethodJittingStarted = 145;

// Unaligned UTF-16LE without its terminator.
struct EventString {
  std::span<const uint8_t> bytes;
  std::string utf8() const;
};

struct MethodLoad {
  uint64_t method_id = 0;  // a FunctionID: the runtime's method descriptor
  ModuleID module_id = 0;
  uint64_t start = 0;
  uint32_t size = 0;
  uint32_t token = 0;
  bool dynamic = false;  // a DynamicMethod or a stub the runtime made: no metadata
  bool generic = false;
  uint8_t tier =
      0;  // 0 unknown, 1 min opts, 2 optimized, 3 tier 0, 4 tier 1, 5 OSR, 6 and 7 instrumented tier 0, 1
  EventString type;  // "Namespace.Outer+Inner`1[System.__Canon]"
  EventString name;
  EventString signature;  // "void  (class System.String)"
};

struct MethodUnload {
  uint64_t method_id = 0;
  uint64_t start = 0;
};

bool parse_method_load(std::span<const uint8_t> payload, uint32_t version, MethodLoad* event);
bool parse_method_unload(std::span<const uint8_t> payload, uint32_t version, MethodUnload* event);

}  // namespace walkabout::clr
