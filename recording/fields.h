// Bytes to records by their lists of fields (wire/field.h), with every value's range checked. A field of
// another wire type than expected is skipped like an unknown one; of a field that stands twice the last one
// counts. Throws BadRecord (and protozero's exceptions); Decoder catches them. Any thread, no state.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "base/plain_text.h"
#include "recording/columns.h"
#include "recording/constants.h"
#include "wire/records.h"

namespace walkabout::recording {

// A rule of the format is broken; what() completes "the record …".
struct BadRecord {
  const char* what;
};

template <typename Record>
Record decoded(std::string_view body);

constexpr bool is_number(wire::Form form) {
  return form == wire::Form::kNumber || form == wire::Form::kTime || form == wire::Form::kChoice;
}
constexpr bool is_text(wire::Form form) { return form == wire::Form::kText || form == wire::Form::kBytes; }
constexpr bool is_columns(wire::Form form) {
  return !is_number(form) && !is_text(form) && form != wire::Form::kMessages;
}

template <typename Record>
constexpr size_t columns_before(uint32_t number) {
  size_t count = 0;
  wire::for_each_field<Record>([&](const auto& field) {
    if (!is_columns(field.form())) return;
    count += (field.number < number) + (field.form() == wire::Form::kFrames && field.number + 1 < number);
  });
  return count;
}

// The bytes of a record's columns. They are read when the whole record was seen.
template <typename Record>
class Columns {
 public:
  std::string_view& operator[](uint32_t number) { return bytes_[columns_before<Record>(number)]; }

 private:
  std::array<std::string_view, columns_before<Record>(UINT32_MAX)> bytes_;
};

template <wire::Form kForm, typename Record, typename Value>
void take_number(uint64_t value, const wire::Field<kForm, Record, Value>& field, Record& record) {
  if constexpr (kForm == wire::Form::kTime) {
    if (value > kMaxTime) throw BadRecord{"has a time beyond all bounds"};
    record.*field.member = value;
  } else if constexpr (kForm == wire::Form::kChoice) {
    if (value > field.last) throw BadRecord{"has a value its field does not know"};
    record.*field.member = static_cast<Value>(value);
  } else if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, uint64_t>) {
    record.*field.member = static_cast<Value>(value);
  } else {  // uint32_t or an id
    if (value > UINT32_MAX) throw BadRecord{"has a number that does not fit its field"};
    record.*field.member = Value(static_cast<uint32_t>(value));
  }
}

// The field `from` stands at; REQUIRES: tag is its number, and this field's.
template <wire::Form kForm, typename Record, typename Value>
void take(protozero::pbf_reader& from, uint32_t tag, const wire::Field<kForm, Record, Value>& field,
          Record& record, Columns<Record>& columns) {
  using Type = protozero::pbf_wire_type;
  if (from.wire_type() != (is_number(kForm) ? Type::varint : Type::length_delimited)) return from.skip();
  if constexpr (is_number(kForm)) {
    take_number(from.get_uint64(), field, record);
  } else {
    const protozero::data_view view = from.get_view();
    const std::string_view bytes(view.data(), view.size());
    if constexpr (kForm == wire::Form::kText) record.*field.member = base::plain_text(bytes);
    if constexpr (kForm == wire::Form::kBytes) record.*field.member = std::string(bytes);
    if constexpr (kForm == wire::Form::kMessages)
      (record.*field.member).push_back(decoded<typename Value::value_type>(bytes));
    if constexpr (is_columns(kForm)) columns[tag == field.number ? field.number : field.number + 1] = bytes;
  }
}

// Fills in the fields that are there, but for the columns.
template <typename Record>
void take_fields(std::string_view body, Record& record, Columns<Record>& columns) {
  protozero::pbf_reader from(body.data(), body.size());
  const auto take_if = [&](uint32_t tag, const auto& field) {
    const bool here = tag == field.number || (field.form() == wire::Form::kFrames && tag == field.number + 1);
    if (here) take(from, tag, field, record, columns);
    return here;
  };
  while (from.next()) {
    const bool known =
        std::apply([&, tag = from.tag()](const auto&... field) { return (take_if(tag, field) || ...); },
                   wire::kFields<Record>);
    if (!known) from.skip();
  }
}

// For a record whose columns do not depend on earlier records.
template <typename Record>
Record decoded(std::string_view body) {
  Record record;
  Columns<Record> columns;
  take_fields(body, record, columns);
  wire::for_each_field<Record>(
      [&]<wire::Form kForm, typename Value>(const wire::Field<kForm, Record, Value>& field) {
        const uint32_t n = field.number;
        if constexpr (kForm == wire::Form::kColumn || kForm == wire::Form::kTable)
          read_column(columns[n], record.*field.member);
        if constexpr (kForm == wire::Form::kRising) {
          read_column(columns[n], record.*field.member);
          std::partial_sum((record.*field.member).begin(), (record.*field.member).end(),
                           (record.*field.member).begin());
        }
        if constexpr (kForm == wire::Form::kDifferences) {
          uint64_t sum = 0;
          read_column(columns[n], record.*field.member);
          for (uint64_t& value : record.*field.member) value = sum += static_cast<uint64_t>(zigzag(value));
        }
        if constexpr (kForm == wire::Form::kFrames)
          read_frames(columns[n], columns[n + 1], record.*field.member);
      });
  return record;
}

}  // namespace walkabout::recording
