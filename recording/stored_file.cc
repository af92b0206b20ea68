#include "recording/stored_file.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "recording/constants.h"

namespace walkabout::recording {
namespace {

// Source: RFC 8878, 3.1.1: a single segment, its size in four bytes; blocks of type raw.
constexpr uint32_t kZstdMagic = 0xfd2fb528;
constexpr char kFrameDescriptor = static_cast<char>(0xa0);
constexpr size_t kLargestZstdBlock = 128 * 1024;

void append_u32(uint32_t value, std::string* out) {
  for (int i = 0; i < 4; ++i) out->push_back(static_cast<char>(value >> 8 * i));
}

constexpr std::array<uint32_t, 256> make_crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
    table[i] = c;
  }
  return table;
}

uint32_t crc32(std::string_view bytes, uint32_t before) {
  static constexpr auto kTable = make_crc_table();
  uint32_t c = ~before;
  for (const char byte : bytes) c = kTable[(c ^ static_cast<uint8_t>(byte)) & 255] ^ c >> 8;
  return ~c;
}

std::string stored_frame(std::string_view raw) {
  std::string frame;
  append_u32(kZstdMagic, &frame);
  frame.push_back(kFrameDescriptor);
  append_u32(static_cast<uint32_t>(raw.size()), &frame);
  while (!raw.empty()) {
    const size_t size = std::min(raw.size(), kLargestZstdBlock);
    const uint32_t last = size == raw.size() ? 1 : 0;
    const uint32_t header = static_cast<uint32_t>(size) << 3 | last;
    for (int i = 0; i < 3; ++i) frame.push_back(static_cast<char>(header >> 8 * i));
    frame.append(raw.substr(0, size));
    raw.remove_prefix(size);
  }
  return frame;
}

// The length of the record `bytes` begins with, its length field included; 0: not all of the field is there.
size_t record_size(std::string_view bytes, bool* broken) {
  uint64_t length = 0;
  for (size_t i = 0; i < bytes.size() && i < kMaxVarintBytes; ++i) {
    length |= uint64_t{static_cast<uint8_t>(bytes[i]) & 127u} << 7 * i;
    if (length > kMaxRecordBytes) break;
    if ((bytes[i] & 128) == 0) return length + i + 1;
  }
  *broken = length > kMaxRecordBytes || bytes.size() >= kMaxVarintBytes;
  return 0;
}

}  // namespace

std::string StoredFile::header() {
  std::string header(kMagic);
  append_u32(kFormatVersion, &header);
  append_u32(0, &header);
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
  append_u32(static_cast<uint32_t>(payload.size()), &sizes);
  append_u32(static_cast<uint32_t>(raw_.size()), &sizes);
  out->append(kSync).append(sizes);
  append_u32(crc32(payload, crc32(sizes, 0)), out);
  out->append(payload);
  raw_.clear();
}

}  // namespace walkabout::recording
