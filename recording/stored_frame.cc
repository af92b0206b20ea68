#include "recording/stored_frame.h"

#include <algorithm>
#include <cstdint>

#include "recording/little_endian.h"

namespace walkabout::recording {
namespace {

// A single segment, its size in four bytes; blocks of type raw.
constexpr uint32_t kZstdMagic = 0xfd2fb528;
constexpr char kFrameDescriptor = static_cast<char>(0xa0);
constexpr size_t kHeader = 9, kBlockHeader = 3;
constexpr size_t kLargestBlock = 128 * 1024;
constexpr uint32_t kLast = 1, kTypeMask = 6;

}  // namespace

std::string stored_frame(std::string_view raw) {
  std::string frame;
  append_u32(kZstdMagic, frame);
  frame.push_back(kFrameDescriptor);
  append_u32(static_cast<uint32_t>(raw.size()), frame);
  do {
    const size_t size = std::min(raw.size(), kLargestBlock);
    const uint32_t header = static_cast<uint32_t>(size) << 3 | (size == raw.size() ? kLast : 0);
    for (int i = 0; i < 3; ++i) frame.push_back(static_cast<char>(header >> 8 * i));
    frame.append(raw.substr(0, size));
    raw.remove_prefix(size);
  } while (!raw.empty());
  return frame;
}

bool is_stored_frame(std::string_view frame) {
  return frame.size() >= kHeader + kBlockHeader && read_u32(frame, 0) == kZstdMagic &&
         frame[4] == kFrameDescriptor && (frame[kHeader] & kTypeMask) == 0;
}

bool read_stored_frame(std::string_view frame, std::string* raw) {
  if (!is_stored_frame(frame) || read_u32(frame, 5) != raw->size()) return false;
  frame.remove_prefix(kHeader);
  size_t filled = 0;
  while (frame.size() >= kBlockHeader) {
    uint32_t header = 0;
    for (size_t i = 0; i < kBlockHeader; ++i)
      header |= static_cast<uint32_t>(static_cast<uint8_t>(frame[i])) << 8 * i;
    frame.remove_prefix(kBlockHeader);
    const size_t size = header >> 3;
    if ((header & kTypeMask) != 0 || size > frame.size() || size > raw->size() - filled) return false;
    frame.copy(raw->data() + filled, size);
    filled += size;
    frame.remove_prefix(size);
    if ((header & kLast) != 0) return frame.empty() && filled == raw->size();
  }
  return false;
}

}  // namespace walkabout::recording
