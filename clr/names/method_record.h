// A method's name as the stream says it. Any thread, no state.
#pragma once

#include "base/ids.h"
#include "clr/names/method_name.h"
#include "wire/call_records.h"
#include "wire/code_records.h"

namespace walkabout::clr {

wire::Method method_record(base::MethodId id, MethodName name);
// Of one whose calls are counted or traced.
wire::CountedMethod counted_method_record(uint32_t index, MethodName name);

}  // namespace walkabout::clr
