// A record for tests, made from its list of fields: no member is what it is by default, and no two are equal
// where their types have that many values. Columns have three rows, on the nodes 1 to 3; ids are the numbers
// of their fields (of a source 7), so that most records of one seed refer to each other.
#pragma once

#include <string>
#include <type_traits>

#include "wire/records.h"

namespace walkabout::wire::testing {

inline constexpr const char* kFolder =
    "/srv/alice/";  // stands in every text that says a place, and nowhere else

template <Form kForm, typename Record, typename Value>
Value number_for(const Field<kForm, Record, Value>& field, uint64_t n) {
  if constexpr (kForm == Form::kChoice) {
    return static_cast<Value>(field.last);
  } else if constexpr (std::is_same_v<Value, bool>) {
    return !(Record().*field.member);
  } else if constexpr (std::is_same_v<Value, uint64_t>) {
    return n << 32 | n;
  } else if constexpr (std::is_same_v<Value, uint32_t>) {
    return static_cast<uint32_t>(1001 * n);
  } else if constexpr (std::is_same_v<Value, base::SourceId>) {
    return base::SourceId(7);
  } else {
    return Value(static_cast<uint32_t>(n));
  }
}

template <Form kForm, typename Value>
Value row_for(uint64_t n, uint32_t row) {
  if constexpr (kForm == Form::kFrames) {
    if (row == 2) return Frame::at_address(FrameKind::kStub, Frame::kAddressMask - n);
    return Frame::in_code(row == 0 ? FrameKind::kNative : FrameKind::kReadyToRun, base::CodeId(1),
                          0xffff'ffff - row);
  } else if constexpr (kForm == Form::kParents) {
    return row;
  } else if constexpr (kForm == Form::kDifferences) {
    return Value((row + 2) % 3 + 1);
  } else if constexpr (kForm == Form::kRare) {
    return static_cast<Value>(row + 1);
  } else {
    return n * 1'000'000 + row;
  }
}

// A source that has more than one column of everything it can have.
inline Source two_values_and_a_label(base::SourceId id) {
  Source source;
  source.id = id;
  source.name = "fake";
  source.values = {{"time", "nanoseconds"}, {"size", "bytes"}};
  source.labels = {{"state", 1}};
  return source;
}

template <typename Record>
Record sample_value(uint32_t seed = 0) {
  Record r;
  for_each_field<Record>([&r, seed]<Form kForm, typename Value>(const Field<kForm, Record, Value>& field) {
    Value& value = r.*field.member;
    const uint64_t n = 100 * seed + field.number;
    if constexpr (kForm == Form::kText) {
      value = (field.place == Place::kNone ? "" : kFolder) + ("text-" + std::to_string(n));
    } else if constexpr (kForm == Form::kBytes) {
      value = std::string("\0\xff", 2) + std::to_string(n);
    } else if constexpr (kForm == Form::kMessages) {
      for (const uint32_t more : {1, 2})
        value.push_back(sample_value<typename Value::value_type>(seed + more));
    } else if constexpr (kForm == Form::kNumber || kForm == Form::kTime || kForm == Form::kChoice) {
      value = number_for(field, n);
    } else {
      // A test source has two values and two labels.
      for (uint32_t row = 0; row < (kForm == Form::kTable ? 6 : 3); ++row)
        value.push_back(row_for<kForm, typename Value::value_type>(n, row));
    }
  });
  return r;
}

}  // namespace walkabout::wire::testing
