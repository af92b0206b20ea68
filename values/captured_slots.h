// Reads what values/value_sink.h wrote. Hostile bytes: what is not whole is not given. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/byte_span.h"
#include "values/captured.h"

namespace walkabout::values {

struct CapturedText {
  uint32_t length = 0;  // characters that it has
  base::Bytes kept;     // of UTF-16
};

struct CapturedObject;
struct CapturedReference;

struct CapturedValue {
  uint64_t type = 0;
  uint32_t size = 0;
  base::Bytes kept;
  std::vector<CapturedReference> references;  // rising by where they lie

  const CapturedObject* find(uint32_t offset) const;
};

struct CapturedObject {
  ObjectKind kind = ObjectKind::kNull;
  uint64_t type = 0;
  uint32_t length = 0;  // of an array
  base::Bytes lengths;
  CapturedText text;
  CapturedValue box;
};

struct CapturedReference {
  uint32_t offset = 0;
  CapturedObject object;
};

struct CapturedSlot {
  uint8_t slot = 0;
  SlotForm form = SlotForm::kNoRoom;
  uint64_t bits = 0;
  CapturedText text;
  CapturedObject object;
  CapturedValue value;
};

std::vector<CapturedSlot> read_slots(base::Bytes bytes);

}  // namespace walkabout::values
