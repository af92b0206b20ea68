#include "recording/block_reader.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/open_file.h"
#include "base/system_error.h"
#include "recording/constants.h"
#include "recording/little_endian.h"

namespace walkabout::recording {
namespace {

// Memory is taken as bytes arrive, so that a lying size in a short file costs nothing.
constexpr size_t kReadStep = 1024 * 1024;

bool plausible(uint64_t compressed, uint64_t raw) {
  return compressed >= 1 && compressed <= kMaxBlockBytes && raw >= 1 && raw <= kMaxBlockBytes &&
         raw <= kExpansionSlack + kMaxExpansion * compressed;
}

}  // namespace

BlockReader::BlockReader(std::string path, base::Fd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

base::Result<BlockReader> BlockReader::open(const std::string& path) {
  base::Fd fd = base::open_to_read(path);
  if (!fd.valid()) return base::system_error("cannot open " + path);
  BlockReader reader(path, std::move(fd));
  if (base::Status status = reader.read_file_header(); !status.ok()) return status;
  return reader;
}

base::Status BlockReader::read_file_header() {
  std::string header;
  read_bytes(kHeaderBytes, header);
  if (!damage_.empty()) return base::Status::error("cannot read " + path_ + ": " + damage_);
  if (header.size() < kHeaderBytes || std::string_view(header).substr(0, kMagic.size()) != kMagic) {
    return base::Status::error(
        path_ + " is not a .walk recording (make one with: walkabout run -o out.walk -- COMMAND)");
  }
  const uint32_t version = read_u32(header, kMagic.size());
  const uint32_t flags = read_u32(header, kMagic.size() + 4);
  if (version == 0 || version > kFormatVersion || flags != 0) {
    return base::Status::error(path_ + " is a .walk recording of version " + std::to_string(version) +
                               (flags != 0 ? " with unknown flags" : "") +
                               "; this walkabout reads versions up to " + std::to_string(kFormatVersion) +
                               ": read it with the walkabout that made it");
  }
  return {};
}

void BlockReader::read_bytes(size_t size, std::string& buffer) {
  buffer.clear();
  while (buffer.size() < size) {
    const size_t have = buffer.size();
    buffer.resize(have + std::min(size - have, kReadStep));
    const ssize_t n = ::read(fd_.get(), buffer.data() + have, buffer.size() - have);
    buffer.resize(have + static_cast<size_t>(std::max<ssize_t>(n, 0)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) damage_ = std::strerror(errno);
    if (n <= 0) return;
    offset_ += static_cast<uint64_t>(n);
  }
}

std::nullopt_t BlockReader::damaged(std::string what) {
  if (damage_.empty()) damage_ = std::move(what);
  damage_offset_ = block_offset_;
  return std::nullopt;
}

void BlockReader::mark_damaged(std::string what) { damaged(std::move(what)); }

std::optional<BlockReader::BlockHeader> BlockReader::read_block_header(std::string& bytes) {
  read_bytes(kBlockHeaderBytes, bytes);
  if (!damage_.empty()) return damaged({});
  if (bytes.empty()) return std::nullopt;  // the end
  if (bytes.size() < kBlockHeaderBytes) return damaged("the file ends inside a block's header");
  if (std::string_view(bytes).substr(0, kSync.size()) != kSync) return damaged("no block begins there");
  const BlockHeader header{read_u32(bytes, 4), read_u32(bytes, 8), read_u32(bytes, 12)};
  if (!plausible(header.compressed_size, header.raw_size)) return damaged("a block's sizes are impossible");
  return header;
}

std::optional<std::string_view> BlockReader::next() {
  if (!damage_.empty()) return std::nullopt;
  block_offset_ = offset_;
  std::string header_bytes;
  const std::optional<BlockHeader> header = read_block_header(header_bytes);
  if (!header) return std::nullopt;
  read_bytes(header->compressed_size, payload_);
  if (payload_.size() < header->compressed_size) return damaged("the file ends inside a block");
  if (block_checksum(std::string_view(header_bytes).substr(4, 8), payload_) != header->checksum) {
    return damaged("a block's checksum is wrong");
  }
  raw_.resize(header->raw_size);
  if (!decompressor_.decompress(payload_, &raw_)) return damaged(decompressor_.what());
  return std::string_view(raw_);
}

uint64_t BlockReader::file_bytes() {
  struct stat info {};
  if (::fstat(fd_.get(), &info) == 0 && S_ISREG(info.st_mode)) return static_cast<uint64_t>(info.st_size);
  std::string rest;
  do read_bytes(kReadStep, rest);
  while (!rest.empty());
  return offset_;
}

}  // namespace walkabout::recording
