// How a record says one of its members: the field's number in the message and the form of its value. A
// record's list of them, fields() in wire/records.h, is all that its encoder, decoder, redaction and test
// value know of it. Numbers and forms are part of the format (recording/format.md) and never change; new
// fields take new numbers. Constants; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

namespace walkabout::wire {

enum class Form : uint8_t {
  kNumber,       // a varint: integer, bool or id
  kTime,         // the same, bounded: a time or a weight
  kChoice,       // the same: a value of an enum
  kText,         // UTF-8
  kBytes,        // that are no text
  kColumn,       // packed varints
  kTable,        // the same, of any number of columns one behind the other
  kRare,         // the same, of small values: left out when all are 0
  kRising,       // the same, each as the difference to the one before
  kDifferences,  // the same in zigzag, of what also falls
  kFrames,       // two columns, this one and the next: code << 4 | kind (or address << 4 | kind), and offset
  kParents,   // zigzag: the node's id - its parent's; ids are counted outside the record, so it is coded by
              // hand
  kMessages,  // one field for each, with a list of its own
};

// What a text says about where a recording was made; recording/redact leaves that out.
enum class Place : uint8_t {
  kNone,         // nothing: names of the program's own
  kHost,         // a machine
  kCommandLine,  // folders, arguments
  kPath,         // a folder before the file's name
  kSentence,     // its words may be paths
  kMessage,      // data of the program
};

template <Form kForm, typename Record, typename Value>
struct Field {
  uint32_t number;
  Value Record::*member;
  uint64_t last = 0;           // kChoice: the highest value known
  Place place = Place::kNone;  // kText
  bool always = false;         // written if 0, too: the member's default is another
  uint64_t left_out = 0;       // the number that is not written: the member's default

  static constexpr Form form() { return kForm; }
  constexpr Field always_written() const { return {number, member, last, place, true}; }
  constexpr Field left_out_at(uint64_t value) const { return {number, member, last, place, false, value}; }
};

// Makes one of them from its number and the member: as::time(1, &Rate::time_us).
template <Form kForm>
struct FieldOf {
  template <typename Record, typename Value>
  constexpr Field<kForm, Record, Value> operator()(uint32_t number, Value Record::*member) const {
    return {number, member};
  }
};
namespace as {
inline constexpr FieldOf<Form::kNumber> number;
inline constexpr FieldOf<Form::kTime> time;
inline constexpr FieldOf<Form::kBytes> raw;
inline constexpr FieldOf<Form::kColumn> column;
inline constexpr FieldOf<Form::kTable> table;
inline constexpr FieldOf<Form::kRare> rare;
inline constexpr FieldOf<Form::kRising> rising;
inline constexpr FieldOf<Form::kDifferences> differences;
inline constexpr FieldOf<Form::kFrames> frames;
inline constexpr FieldOf<Form::kParents> parents;
inline constexpr FieldOf<Form::kMessages> messages;
template <typename Record, typename Enum>
constexpr auto choice(uint32_t number_of_field, Enum Record::*member, Enum last) {
  return Field<Form::kChoice, Record, Enum>{number_of_field, member, static_cast<uint64_t>(last)};
}
// Whoever adds a text says what of it must not be passed on.
template <typename Record>
constexpr auto text(uint32_t number_of_field, std::string Record::*member, Place place) {
  return Field<Form::kText, Record, std::string>{number_of_field, member, 0, place};
}
}  // namespace as

// The fields of a record or of a message in one, by number.
template <typename Record>
inline constexpr auto kFields = fields(static_cast<const Record*>(nullptr));

template <typename Record, typename Each>
constexpr void for_each_field(Each each) {
  std::apply([&each](const auto&... field) { (each(field), ...); }, kFields<Record>);
}

// A member's field number.
template <typename Record, typename Value>
constexpr uint32_t field_number(Value Record::*member) {
  uint32_t found = 0;
  for_each_field<Record>([&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field.member), Value Record::*>) {
      if (field.member == member) found = field.number;
    }
  });
  return found;
}

}  // namespace walkabout::wire
