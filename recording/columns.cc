#include "recording/columns.h"

#include <algorithm>
#include <protozero/varint.hpp>

#include "recording/fields.h"

namespace walkabout::recording {

size_t count_varints(std::string_view bytes) {
  // The last byte of a varint, and only that one, has its high bit clear.
  return static_cast<size_t>(
      std::count_if(bytes.begin(), bytes.end(), [](char c) { return static_cast<signed char>(c) >= 0; }));
}

void read_column(std::string_view bytes, std::vector<uint64_t>& out) {
  const size_t count = count_varints(bytes);
  out.resize(count);
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  for (size_t i = 0; i < count; ++i) out[i] = protozero::decode_varint(&at, end);
  if (at != end) throw protozero::end_of_buffer_exception();
}

namespace {

wire::Frame unpack_frame(uint64_t code, uint64_t offset) {
  const auto kind = static_cast<wire::FrameKind>(code & 15);
  const uint64_t what = code >> 4;
  if (kind < wire::FrameKind::kNative || kind > wire::FrameKind::kLeftOut)
    throw BadRecord{"has a frame of no kind"};
  if (kind > wire::FrameKind::kJitted) return wire::Frame::at_address(kind, what);
  if (what > wire::Frame::kMaxCode || offset > UINT32_MAX) throw BadRecord{"has a frame out of range"};
  return wire::Frame::in_code(kind, base::CodeId(static_cast<uint32_t>(what)), static_cast<uint32_t>(offset));
}

}  // namespace

void read_frames(std::string_view codes, std::string_view offsets, std::vector<wire::Frame>& out) {
  std::vector<uint64_t> code;
  std::vector<uint64_t> offset;
  read_column(codes, code);
  read_column(offsets, offset);
  if (code.size() != offset.size()) throw BadRecord{"has columns of different lengths"};
  out.resize(code.size());
  for (size_t i = 0; i < code.size(); ++i) out[i] = unpack_frame(code[i], offset[i]);
}

}  // namespace walkabout::recording
