// Reads a .walk file block by block: header, checksum, decompression. Never trusts a size before it is
// checked; holds one block at a time. After damage it stops for good: damage() says what is wrong there. One
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "recording/decompress.h"

namespace walkabout::recording {

class BlockReader {
 public:
  // Error: no such file, not a .walk file, or a newer version of the format.
  static base::Result<BlockReader> open(const std::string& path);

  // The raw records of the next block, valid until the next call; nullopt at the end of the file or at
  // damage.
  std::optional<std::string_view> next();

  // Where the block that next() returned last begins in the file.
  uint64_t block_offset() const { return block_offset_; }
  // Empty, or what is wrong at byte damage_offset().
  const std::string& damage() const { return damage_; }
  uint64_t damage_offset() const { return damage_offset_; }
  // For a block whose records turn out to be broken: next() ends.
  void mark_damaged(std::string what);
  // Bytes of the file; reads on to its end if it is a pipe.
  uint64_t file_bytes();

 private:
  struct BlockHeader {
    uint32_t compressed_size = 0;
    uint32_t raw_size = 0;
    uint32_t checksum = 0;
  };
  BlockReader(std::string path, base::Fd fd);
  base::Status read_file_header();
  // Up to `size` bytes into buffer; fewer at the end of the file or on an error, which becomes the damage.
  void read_bytes(size_t size, std::string& buffer);
  std::optional<BlockHeader> read_block_header(std::string& bytes);
  std::nullopt_t damaged(std::string what);

  std::string path_;
  base::Fd fd_;
  Decompressor decompressor_;
  uint64_t offset_ = 0;  // bytes read so far
  uint64_t block_offset_ = 0;
  std::string payload_;
  std::string raw_;
  std::string damage_;
  uint64_t damage_offset_ = 0;
};

}  // namespace walkabout::recording
