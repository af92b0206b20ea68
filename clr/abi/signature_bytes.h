// The bytes of a signature, one behind the other. Not ok once one was not all there; then all that follows is
// 0. Source: ECMA-335 II.23.2. Pure; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "clr/abi/types.h"

namespace walkabout::clr {

class SignatureBytes {
 public:
  explicit SignatureBytes(std::span<const uint8_t> bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  size_t left() const { return rest_.size(); }
  void fail() {
    ok_ = false;
    rest_ = {};
  }

  uint8_t byte() {
    if (rest_.empty()) {
      fail();
      return 0;
    }
    const uint8_t value = rest_.front();
    rest_ = rest_.subspan(1);
    return value;
  }

  void skip(size_t bytes) {
    if (rest_.size() < bytes)
      fail();
    else
      rest_ = rest_.subspan(bytes);
  }

  // One, two or four bytes, big-endian, told apart by the leading bits.
  uint32_t number() {
    const uint32_t first = byte();
    if ((first & 0x80) == 0) return first;
    if ((first & 0xc0) == 0x80) return (first & 0x3f) << 8 | byte();
    if ((first & 0xe0) != 0xc0) fail();
    uint32_t value = first & 0x1f;
    for (int i = 0; i < 3; ++i) value = value << 8 | byte();
    return value;
  }

  // A TypeDef, TypeRef or TypeSpec (II.23.2.8).
  mdToken token() {
    static constexpr mdToken kTables[] = {0x02000000, 0x01000000, 0x1b000000, 0};
    constexpr uint32_t kRow = 0x00ffffff;
    const uint32_t coded = number();
    if (coded >> 2 > kRow) fail();
    return kTables[coded & 3] | (coded >> 2 & kRow);
  }

  // II.23.2.1 to .3, up to what the method returns.
  struct MethodHead {
    uint8_t kind = 0;
    uint32_t parameters = 0;
  };
  static constexpr uint8_t kVarArg = 5;
  MethodHead method_head() {
    constexpr uint8_t kKind = 0x0f, kUnmanaged = 9, kGeneric = 0x10;
    const uint8_t convention = byte(), kind = convention & kKind;
    if (kind > kVarArg && kind != kUnmanaged) fail();
    if ((convention & kGeneric) != 0) number();
    return {kind, number()};
  }

  // II.23.2.13, behind the element's type: rank, sizes, lower bounds. The rank.
  uint32_t array_shape() {
    const uint32_t rank = number();
    for (int list = 0; list < 2; ++list) {
      for (uint32_t n = number(); n > 0 && ok_; --n) number();
    }
    return rank;
  }

 private:
  std::span<const uint8_t> rest_;
  bool ok_ = true;
};

}  // namespace walkabout::clr
