// A method's name as the stream says it. Any thread, no state.
#pragma once

#include "base/ids.h"
#include "clr/names/method_name.h"
#include "wire/code_records.h"

namespace walkabout::clr {

wire::Method method_record(base::MethodId id, MethodName name);

}  // namespace walkabout::clr
