// Columns of varints, collected one after another. Plain code, no thread rule. Encoding: LEB128, zigzag for
// signed values, as in protobuf.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace walkabout::formats {

struct Column {
  std::string name;
  uint64_t count = 0;
  std::string bytes;

  explicit Column(std::string column_name) : name(std::move(column_name)) {}
  void add(uint64_t value) {
    ++count;
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
  }
  // The difference of `value` to the one before it (the first: to 0).
  void add_delta(uint32_t value) {
    const int64_t step = int64_t{value} - last_;
    last_ = value;
    add(static_cast<uint64_t>(step) << 1 ^ static_cast<uint64_t>(step >> 63));
  }

 private:
  int64_t last_ = 0;
};

}  // namespace walkabout::formats
