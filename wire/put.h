// Fields of a message as all our formats write them: one that equals 0 or is empty is left out, as in proto3;
// decoding gives the same value back.
#pragma once

#include <cstdint>
#include <string>

#include "wire/protozero_writer.h"

namespace walkabout::wire {

template <typename Field>
using Builder = protozero::pbf_builder<Field>;

// Field: a number or the enumerator of one.
template <typename Field>
void put(protozero::pbf_writer& to, Field field, uint64_t value) {
  if (value != 0) to.add_uint64(static_cast<uint32_t>(field), value);
}
template <typename Field>
void put(protozero::pbf_writer& to, Field field, const std::string& value) {
  if (!value.empty()) to.add_bytes(static_cast<uint32_t>(field), value);
}

}  // namespace walkabout::wire
