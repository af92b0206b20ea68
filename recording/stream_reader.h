// Splits the bytes of the agent's socket into records, however the reads cut them. The bytes are hostile: a
// length beyond kMaxRecordBytes ends the stream with an error, so no more than one record is ever held. One
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "recording/raw_record.h"

namespace walkabout::recording {

class StreamReader {
 public:
  void push(std::string_view bytes);
  // The next whole record, valid until the next push(); nullopt when more bytes are needed. An error is
  // final.
  base::Result<std::optional<RawRecord>> next();
  // Bytes pushed that belong to no whole record yet: not 0 at the end of a stream means it was cut off.
  size_t pending() const { return buffer_.size() - begin_; }
  // Bytes of all records handed out.
  uint64_t consumed() const { return consumed_; }

 private:
  std::string buffer_;
  size_t begin_ = 0;  // of what next() has not handed out yet
  uint64_t consumed_ = 0;
};

}  // namespace walkabout::recording
