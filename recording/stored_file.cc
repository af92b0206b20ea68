#include "recording/stored_file.h"

#include <cstdint>

#include "recording/constants.h"
#include "recording/little_endian.h"
#include "recording/stored_frame.h"
#include "wire/varint.h"

namespace walkabout::recording {
namespace {

// The length of the record `bytes` begins with, its length field included; 0: not all of the field is there.
size_t record_size(std::string_view bytes, bool* broken) {
  uint64_t length = 0;
  size_t used = 0;
  const wire::Varint found = wire::take_varint(bytes, length, used);
  if (found == wire::Varint::kWhole && length <= kMaxRecordBytes) return length + used;
  *broken = found != wire::Varint::kCutOff;
  return 0;
}

}  // namespace

std::string StoredFile::header() {
  std::string header(kMagic);
  append_u32(kFormatVersion, header);
  append_u32(0, header);
  return header;
}

bool StoredFile::append(std::string_view bytes, std::string* out) {
  pending_.append(bytes);
  size_t at = 0;
  bool broken = false;
  for (;;) {
    const std::string_view rest = std::string_view(pending_).substr(at);
    const size_t size = record_size(rest, &broken);
    if (size == 0 || size > rest.size()) break;
    raw_.append(rest.substr(0, size));
    at += size;
    if (raw_.size() >= kBlockTargetBytes) write_block(out);
  }
  pending_.erase(0, at);
  return !broken;
}

void StoredFile::finish(std::string* out) {
  if (!raw_.empty()) write_block(out);
}

void StoredFile::write_block(std::string* out) {
  const std::string payload = stored_frame(raw_);
  std::string sizes;
  append_u32(static_cast<uint32_t>(payload.size()), sizes);
  append_u32(static_cast<uint32_t>(raw_.size()), sizes);
  out->append(kSync).append(sizes);
  append_u32(block_checksum(sizes, payload), *out);
  out->append(payload);
  raw_.clear();
}

}  // namespace walkabout::recording
