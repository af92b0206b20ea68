// The runtime's events about an exception that is thrown, and that a handler begins to handle, as EventPipe
// delivers them, of the provider Microsoft-Windows-DotNETRuntime.
//
// Views into the payload: no allocation, little stack. Any bytes give false or a valid view. Source:
// ClrEtwAll.man of the runtime (Exception_V1, ExceptionHandling). Measured on .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <span>

#include "clr/events/eventpipe_method.h"

namespace walkabout::clr {

inline constexpr uint32_t kExceptionThrown = 80;
inline constexpr uint32_t kExceptionCatchStart = 250;

struct ExceptionThrown {
  EventString type;     // "System.InvalidOperationException"
  EventString message;  // may be empty
  bool nested = false;  // thrown while another one was being handled
  bool rethrown = false;
};

bool parse_exception_thrown(std::span<const uint8_t> payload, ExceptionThrown* event);

// method: that has the handler, as the runtime writes it.
bool parse_exception_catch(std::span<const uint8_t> payload, EventString* method);

// A method's type and name, without what the runtime writes around them: "instance void [app]
// Type::Method(int32)". What does not look like that is all in `name`.
struct PlainMethod {
  EventString type, name;
};
PlainMethod plain_method(const EventString& method);

}  // namespace walkabout::clr
