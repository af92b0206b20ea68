// The runtime's event about a thrown exception as EventPipe delivers it, of the provider
// Microsoft-Windows-DotNETRuntime.
//
// A view into the payload: no allocation, little stack. Any bytes give false or a valid view. Source:
// ClrEtwAll.man of the runtime (Exception_V1). Measured on .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <span>

#include "clr/events/eventpipe_method.h"

namespace walkabout::clr {

inline constexpr uint32_t kExceptionThrown = 80;

struct ExceptionThrown {
  EventString type;     // "System.InvalidOperationException"
  EventString message;  // may be empty
  bool nested = false;  // thrown while another one was being handled
  bool rethrown = false;
};

bool parse_exception_thrown(std::span<const uint8_t> payload, ExceptionThrown* event);

}  // namespace walkabout::clr
