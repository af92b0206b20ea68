// A bounds-checked cursor over DWARF bytes that are not trusted: .eh_frame, .eh_frame_hdr, DWARF expressions.
//
// A read past the end gives 0 and makes the reader fail for good: check ok() once at the end of a group of
// reads. Plain value over memory it does not own, async-signal-safe. Little-endian. Source of LEB128: DWARF
// 5, section 7.6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace walkabout::unwind {

// Bytes of an image, and the address they have in the walked process (in tests the two differ).
struct MappedBytes {
  const uint8_t* data = nullptr;
  size_t size = 0;
  uint64_t address = 0;

  bool contains(uint64_t at) const { return at - address < size; }
  // Empty when [from, from + length) does not lie inside.
  MappedBytes part(uint64_t from, uint64_t length) const {
    const uint64_t offset = from - address;
    if (offset > size || length > size - offset) return {};
    return {data + offset, static_cast<size_t>(length), from};
  }
  // From `from` to the end; empty when `from` does not lie inside.
  MappedBytes rest(uint64_t from) const { return part(from, contains(from) ? size - (from - address) : 0); }
};

class CfiReader {
 public:
  CfiReader() = default;
  explicit CfiReader(const MappedBytes& bytes)
      : next_(bytes.data), end_(bytes.data + bytes.size), address_(bytes.address) {}
  CfiReader(const uint8_t* data, size_t size) : next_(data), end_(data + size) {}

  bool ok() const { return ok_; }
  bool at_end() const { return next_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - next_); }
  const uint8_t* here() const { return next_; }
  // Of the next byte, in the walked process.
  uint64_t address() const { return address_; }

  uint8_t u8() { return fixed<uint8_t>(); }
  uint16_t u16() { return fixed<uint16_t>(); }
  uint32_t u32() { return fixed<uint32_t>(); }
  uint64_t u64() { return fixed<uint64_t>(); }
  uint64_t uleb();
  int64_t sleb();

  void skip(uint64_t count) {
    if (count > left()) return fail();
    next_ += count;
    address_ += count;
  }
  // The next `count` bytes, which are skipped.
  MappedBytes take(uint64_t count) {
    if (count > left()) {
      fail();
      return {};
    }
    const MappedBytes taken{next_, static_cast<size_t>(count), address_};
    skip(count);
    return taken;
  }
  MappedBytes take_rest() { return take(left()); }
  void fail() {
    ok_ = false;
    next_ = end_;
  }

 private:
  template <typename T>
  T fixed() {
    T value = 0;
    if (left() < sizeof value) {
      fail();
      return 0;
    }
    std::memcpy(&value, next_, sizeof value);
    next_ += sizeof value;
    address_ += sizeof value;
    return value;
  }

  const uint8_t* next_ = nullptr;
  const uint8_t* end_ = nullptr;
  uint64_t address_ = 0;
  bool ok_ = true;
};

inline uint64_t CfiReader::uleb() {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = u8();
    const uint64_t bits = byte & 0x7f;
    // Padding with zero bits is legal, bits that do not fit are not.
    if (shift >= 64 ? bits != 0 : (bits << shift) >> shift != bits) fail();
    if (!ok_) return 0;
    if (shift < 64) value |= bits << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

inline int64_t CfiReader::sleb() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {  // ten bytes hold 64 bits
    const uint8_t byte = u8();
    if (!ok_) return 0;
    if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) != 0) continue;
    if (shift + 7 < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << (shift + 7);
    return static_cast<int64_t>(value);
  }
  fail();
  return 0;
}

}  // namespace walkabout::unwind
