// A method's name as the stream says it. Any thread, no state.
#pragma once

#include "base/ids.h"
#include "clr/method_name.h"
#include "wire/records.h"

namespace walkabout::agent {

wire::Method method_record(base::MethodId id, clr::MethodName name);

}  // namespace walkabout::agent
