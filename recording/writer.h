// Writes a .walk file from records as the agent sent them. Bytes depend on the records alone, not on when
// they came, so writing the same stream again gives the same file. Records go to the kernel block by block
// (constants.h says when one ends): a killed writer loses at most its last block.
//
// An error (a full disk) is returned by the append or finish that met it and by every later one; the file
// then ends after its last whole block and can be read. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "recording/raw_record.h"

struct ZSTD_CCtx_s;

namespace walkabout::recording {

class Writer {
 public:
  // Creates or replaces the file and writes its header.
  static base::Result<Writer> create(const std::string& path);
  // In an empty file that is open for writing; path: what errors call it.
  static base::Result<Writer> create_in(base::Fd file, std::string path);

  // REQUIRES: the record was split and decoded without error; the writer does not look into it.
  base::Status append(const RawRecord& record);
  // Appends records made by wire::encode, one or more, as they are.
  base::Status append_encoded(std::string_view records);
  // Writes the last block. Without it the last records are lost (but nothing else).
  base::Status finish();

  uint64_t records() const { return records_; }
  // Bytes of the file so far.
  uint64_t file_bytes() const { return file_bytes_; }

 private:
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  Writer(std::string path, base::Fd fd);
  base::Status write_block();
  base::Status write_bytes(std::string_view bytes);
  base::Status failed(const std::string& cause);

  std::string path_;
  base::Fd fd_;
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> context_;
  std::string raw_;             // records of the block to come
  std::string block_;           // header and payload of the block being written
  uint64_t records_ = 0;        // appended
  uint64_t records_saved_ = 0;  // in blocks written
  uint64_t file_bytes_ = 0;
  base::Status status_;  // the first error
};

}  // namespace walkabout::recording
