#include "recording/raw_record.h"

#include <cstdint>

#include "recording/constants.h"
#include "wire/varint.h"

namespace walkabout::recording {
namespace {

constexpr uint32_t kLengthDelimited = 2;  // protobuf wire type

// kRecord: it is whole, and `used` says how many bytes it took.
Split take(std::string_view bytes, uint64_t& value, size_t& used) {
  switch (wire::take_varint(bytes, value, used)) {
    case wire::Varint::kWhole:
      return Split::kRecord;
    case wire::Varint::kCutOff:
      return Split::kNeedMore;
    case wire::Varint::kTooLong:
      break;
  }
  return Split::kBad;
}

}  // namespace

Split split_record(std::string_view bytes, RawRecord& out) {
  uint64_t length = 0;
  size_t prefix = 0;
  if (const Split s = take(bytes, length, prefix); s != Split::kRecord) return s;
  if (length == 0 || length > kMaxRecordBytes) return Split::kBad;
  if (bytes.size() - prefix < length) return Split::kNeedMore;
  const std::string_view message = bytes.substr(prefix, length);

  uint64_t tag = 0;
  uint64_t body_length = 0;
  size_t tag_bytes = 0;
  size_t length_bytes = 0;
  if (take(message, tag, tag_bytes) != Split::kRecord || (tag & 7) != kLengthDelimited) return Split::kBad;
  if (tag >> 3 == 0 || tag > UINT32_MAX) return Split::kBad;
  if (take(message.substr(tag_bytes), body_length, length_bytes) != Split::kRecord) return Split::kBad;
  if (body_length != message.size() - tag_bytes - length_bytes) return Split::kBad;  // exactly one field
  out.type = static_cast<wire::RecordType>(tag >> 3);
  out.body = message.substr(tag_bytes + length_bytes);
  out.framed = bytes.substr(0, prefix + length);
  return Split::kRecord;
}

}  // namespace walkabout::recording
