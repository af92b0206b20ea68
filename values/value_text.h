// Captured values as people read them: "42", "\"Anna\"", "Colour.Red | Blue"…  One thread (the spooler's):
// asks ValueTypes. What is not known is "?".
//
//   numbers, enumerations, dates… as C# writes them without a culture; true, 'x', "text", null
//   structures { X = 1, Y = 2 }, tuples (1, "a"), arrays int[3], objects by their type
#pragma once

#include <string>
#include <vector>

#include "base/byte_span.h"
#include "values/captured_slots.h"
#include "values/value_plan.h"
#include "values/value_types.h"
#include "wire/trace_records.h"

namespace walkabout::values {

inline constexpr std::string_view kHiddenText = "[redacted]";
// Structures deeper in one another are "…", and so are fields behind these.
inline constexpr int kDeepestText = 5;
inline constexpr size_t kMostFieldsShown = 16, kLongestText = 1000;

struct ValueTexts {
  std::vector<wire::TracedValue> arguments;
  std::vector<wire::TracedValue> result;  // none or one
};

// One for each value of the plan, in its order. captured: what ValueSinks wrote, one behind the other.
// returned: whether the call did: else it has no result, and no values that are taken at its end.
ValueTexts write_values(const ValuePlan& plan, base::Bytes captured, bool returned,
                        const Redaction& redaction, ValueTypes& types);

}  // namespace walkabout::values
