// The machine code of an image (.text), by the file's own addresses, and where its direct jumps and calls
// lead.
//
// Immutable; any thread while the ElfFile it was read from lives.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "symbols/elf/elf_file.h"

namespace walkabout::symbols {

class ImageCode {
 public:
  ImageCode() = default;
  // Empty where the file has none, or is for another machine than x64.
  static ImageCode read(const ElfFile& file);
  ImageCode(uint64_t begin, std::span<const uint8_t> bytes) : begin_(begin), bytes_(bytes) {}

  uint64_t begin() const { return begin_; }
  uint64_t end() const { return begin_ + bytes_.size(); }
  std::span<const uint8_t> bytes() const { return bytes_; }
  bool contains(uint64_t address) const { return address >= begin_ && address - begin_ < bytes_.size(); }
  // pattern: base/byte_pattern.h
  bool is(std::string_view pattern, uint64_t address) const;
  // What the four bytes there, the last of an instruction, lead to from its end: of a jump, a call, or an
  // operand with rip; nothing where they are not in the code.
  std::optional<uint64_t> target(uint64_t address) const;
  // Where a direct call there leads to, or a direct jump too; nothing where there is none.
  std::optional<uint64_t> call(uint64_t address) const {
    return contains(address) && byte(address) == kCall ? target(address + 1) : std::nullopt;
  }
  std::optional<uint64_t> call_or_jump(uint64_t address) const {
    const bool is_one = contains(address) && (byte(address) == kCall || byte(address) == kJump);
    return is_one ? target(address + 1) : std::nullopt;
  }
  // REQUIRES: the code has them.
  uint8_t byte(uint64_t address) const { return bytes_[static_cast<size_t>(address - begin_)]; }
  uint32_t number(uint64_t address) const {  // four bytes
    uint32_t value = 0;
    std::memcpy(&value, &bytes_[static_cast<size_t>(address - begin_)], sizeof value);
    return value;
  }

 private:
  static constexpr uint8_t kCall = 0xe8, kJump = 0xe9;

  uint64_t begin_ = 0;
  std::span<const uint8_t> bytes_;
};

}  // namespace walkabout::symbols
