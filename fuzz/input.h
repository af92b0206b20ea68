// Takes the bytes of one fuzzing input apart: numbers and exact-sized copies of slices, so that
// AddressSanitizer sees a read one byte behind a slice. Behind the end everything is 0 or empty.
// Little-endian; one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace walkabout::fuzz {

class Input {
 public:
  Input(const uint8_t* data, size_t size) : next_(data), left_(size) {}

  size_t left() const { return left_; }
  uint8_t u8() { return number<uint8_t>(); }
  uint16_t u16() { return number<uint16_t>(); }
  uint32_t u32() { return number<uint32_t>(); }
  uint64_t u64() { return number<uint64_t>(); }
  // Fewer when there are fewer.
  std::vector<uint8_t> bytes(size_t count) {
    count = std::min(count, left_);
    std::vector<uint8_t> taken(next_, next_ + count);
    skip(count);
    return taken;
  }
  std::vector<uint8_t> rest() { return bytes(left_); }

 private:
  template <typename T>
  T number() {
    T value = 0;
    const size_t count = std::min(sizeof value, left_);
    if (count > 0) std::memcpy(&value, next_, count);
    skip(count);
    return value;
  }
  void skip(size_t count) {
    next_ += count;
    left_ -= count;
  }

  const uint8_t* next_;
  size_t left_;
};

// Writes what Input reads: for seeds.
class Seed {
 public:
  Seed& u8(uint8_t value) { return number(value); }
  Seed& u16(uint16_t value) { return number(value); }
  Seed& u32(uint32_t value) { return number(value); }
  Seed& u64(uint64_t value) { return number(value); }
  Seed& bytes(const std::vector<uint8_t>& more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
    return *this;
  }
  // As a u16 of their number, then the bytes.
  Seed& sized(const std::vector<uint8_t>& more) {
    return u16(static_cast<uint16_t>(more.size())).bytes(more);
  }
  const std::vector<uint8_t>& done() const { return bytes_; }

 private:
  template <typename T>
  Seed& number(T value) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
    return *this;
  }

  std::vector<uint8_t> bytes_;
};

}  // namespace walkabout::fuzz
