// Reads the numbers and texts of a DWARF section one behind the other. The bytes are hostile: whatever goes
// beyond their end is 0 or empty, and ok() says so from then on. One thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace walkabout::symbols {

class DataCursor {
 public:
  explicit DataCursor(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  size_t left() const { return rest_.size(); }

  uint8_t u8() { return static_cast<uint8_t>(fixed(1)); }
  uint16_t u16() { return static_cast<uint16_t>(fixed(2)); }
  uint32_t u32() { return static_cast<uint32_t>(fixed(4)); }
  uint64_t u64() { return fixed(8); }
  // Of 1 to 8 bytes, little-endian.
  uint64_t fixed(size_t size) {
    const std::string_view from = bytes(size);
    uint64_t value = 0;
    if (size <= sizeof value && !from.empty()) std::memcpy(&value, from.data(), from.size());
    return value;
  }
  uint64_t unsigned_number() { return number(false); }
  int64_t signed_number() { return static_cast<int64_t>(number(true)); }
  // Ends with a zero byte.
  std::string_view text() {
    const size_t end = rest_.find('\0');
    if (end == std::string_view::npos) return fail();
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return found;
  }
  std::string_view bytes(uint64_t size) {
    if (size > rest_.size()) return fail();
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }

 private:
  std::string_view fail() {
    ok_ = false;
    rest_ = {};
    return {};
  }
  // LEB128; bits beyond the 64th are left out.
  uint64_t number(bool is_signed) {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte = 0;
    do {
      byte = u8();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
    } while ((byte & 0x80) != 0 && ok_);
    if (is_signed && shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
    return value;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace walkabout::symbols
