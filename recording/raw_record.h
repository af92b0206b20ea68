// One record as bytes: split from what surrounds it, not decoded. A view into somebody else's buffer.
#pragma once

#include <string_view>

#include "wire/records.h"

namespace walkabout::recording {

struct RawRecord {
  wire::RecordType type{};  // may be a type this version does not know
  std::string_view body;    // the message of that type
  std::string_view framed;  // the whole record with its length, as in the stream
};

enum class Split {
  kRecord,    // out is filled
  kNeedMore,  // bytes hold the beginning of a record (or nothing)
  kBad,       // no record begins here
};

// Splits the first record off `bytes`; sizes are checked before anything is trusted. Any thread, no state.
Split split_record(std::string_view bytes, RawRecord& out);

}  // namespace walkabout::recording
