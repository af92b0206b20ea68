// How one protobuf field becomes one member, with its range checked. A field of another wire type than
// expected is skipped like an unknown one. Throws BadRecord (and protozero's exceptions); only
// recording/decode.cc includes this.
#pragma once

#include <cstdint>
#include <limits>
#include <protozero/pbf_message.hpp>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "recording/constants.h"
#include "base/plain_text.h"

namespace walkabout::recording {

// A rule of the format is broken; what() completes "the record …".
struct BadRecord {
  const char* what;
};

template <typename Field>
using Fields = protozero::pbf_message<Field>;

inline bool is(const protozero::pbf_reader& at, protozero::pbf_wire_type type) {
  return at.wire_type() == type;
}

inline void take(protozero::pbf_reader& from, uint64_t& to) {
  if (!is(from, protozero::pbf_wire_type::varint)) return from.skip();
  to = from.get_uint64();
}
inline void take(protozero::pbf_reader& from, uint32_t& to) {
  uint64_t value = to;
  take(from, value);
  if (value > std::numeric_limits<uint32_t>::max())
    throw BadRecord{"has a number that does not fit its field"};
  to = static_cast<uint32_t>(value);
}
inline void take(protozero::pbf_reader& from, bool& to) {
  uint64_t value = to ? 1 : 0;
  take(from, value);
  to = value != 0;
}
inline void take(protozero::pbf_reader& from, std::string& to) {
  if (!is(from, protozero::pbf_wire_type::length_delimited)) return from.skip();
  const protozero::data_view view = from.get_view();
  to = base::plain_text({view.data(), view.size()});
}
// A string that is no text.
inline void take_raw(protozero::pbf_reader& from, std::string& to) {
  if (!is(from, protozero::pbf_wire_type::length_delimited)) return from.skip();
  to = from.get_string();
}
template <typename Tag>
void take(protozero::pbf_reader& from, base::Id<Tag>& to) {
  take(from, to.value);
}
template <typename Enum>
void take_enum(protozero::pbf_reader& from, Enum& to, Enum last) {
  uint64_t value = static_cast<uint64_t>(to);
  take(from, value);
  if (value > static_cast<uint64_t>(last)) throw BadRecord{"has a value its field does not know"};
  to = static_cast<Enum>(value);
}
inline void take_time(protozero::pbf_reader& from, uint64_t& to) {
  take(from, to);
  if (to > kMaxTime) throw BadRecord{"has a time beyond all bounds"};
}
// The bytes of a packed or length-delimited field; unchanged if it is of another wire type.
inline void take_bytes(protozero::pbf_reader& from, std::string_view& to) {
  if (!is(from, protozero::pbf_wire_type::length_delimited)) return from.skip();
  const protozero::data_view view = from.get_view();
  to = {view.data(), view.size()};
}

// Calls on(fields) for each field of the message; on() must consume it.
template <typename Field, typename On>
void for_each_field(std::string_view body, On on) {
  Fields<Field> fields(body.data(), body.size());
  while (fields.next()) on(fields);
}

}  // namespace walkabout::recording
