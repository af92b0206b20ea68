// What a method's body begins with. Hostile bytes. Pure; any thread. Source: ECMA-335 II.25.4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/byte_span.h"

namespace walkabout::il {

inline constexpr uint16_t kTinyStack = 8;      // what a tiny body may push
inline constexpr uint32_t kMostTinyCode = 63;  // bytes
inline constexpr uint16_t kMoreSections = 0x8, kInitLocals = 0x10;

struct BodyHeader {
  bool fat = false;
  uint16_t flags = 0;  // of a fat one: kMoreSections, kInitLocals, and what else is written there
  uint16_t max_stack = kTinyStack;
  uint32_t code_size = 0;
  uint32_t locals = 0;  // the token of their signature; 0: there are none

  size_t size() const { return fat ? 12 : 1; }
};

// None: these bytes are no body. What the header tells of need not be there.
std::optional<BodyHeader> read_body_header(base::Bytes body);
// The instructions; empty: it is no body, or they are not all there.
base::Bytes code_of(base::Bytes body);

}  // namespace walkabout::il
