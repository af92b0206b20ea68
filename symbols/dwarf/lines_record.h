// Makes a wire::NativeLines: each document, function and call once, in order of first use, and no more than
// one record has room for. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "wire/native_line_records.h"

namespace walkabout::symbols {

class LinesRecord {
 public:
  LinesRecord(size_t bytes, size_t documents) : room_(bytes), documents_left_(documents) {}

  // Their numbers, from 1. 0: there is no name, or no room.
  uint64_t document(const std::string& path, const std::string& md5);
  uint64_t call(uint64_t parent, const std::string& function, uint64_t document, uint64_t line);
  // In rising order of offsets. False: there is no room.
  bool add(uint32_t offset, uint64_t call, uint64_t document, uint64_t line);

  bool was_full() const { return was_full_; }
  wire::NativeLines take() { return std::move(lines_); }

 private:
  bool take(size_t bytes);

  wire::NativeLines lines_;
  size_t room_, documents_left_;
  bool was_full_ = false;
  std::map<std::pair<std::string, std::string>, uint64_t> documents_;  // by path and checksum
  std::map<std::string, uint64_t> functions_;                          // by raw name
  std::map<std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>, uint64_t> calls_;
};

}  // namespace walkabout::symbols
