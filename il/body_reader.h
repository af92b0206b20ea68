// A method's body out of its bytes. Hostile bytes: memory is bounded by a multiple of their number. Pure; any
// thread.
#pragma once

#include <cstddef>

#include "base/byte_span.h"
#include "il/body.h"
#include "il/cause.h"

namespace walkabout::il {

// bytes: from where the body begins; what lies behind its end is not looked at. size: set, if not null, to
// the body's bytes, its clauses included. Where it cannot be read *body has nothing of use.
Cause read_body(base::Bytes bytes, Body* body, size_t* size = nullptr);

}  // namespace walkabout::il
