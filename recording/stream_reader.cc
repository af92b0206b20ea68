#include "recording/stream_reader.h"

namespace walkabout::recording {

void StreamReader::push(std::string_view bytes) {
  buffer_.erase(0, begin_);
  begin_ = 0;
  buffer_.append(bytes);
}

base::Result<std::optional<RawRecord>> StreamReader::next() {
  RawRecord record;
  switch (split_record(std::string_view(buffer_).substr(begin_), record)) {
    case Split::kNeedMore:
      return std::optional<RawRecord>();
    case Split::kBad:
      return base::Status::error("the agent's stream makes no sense after " + std::to_string(consumed_) +
                                 " bytes: no record begins there");
    case Split::kRecord:
      break;
  }
  begin_ += record.framed.size();
  consumed_ += record.framed.size();
  return std::optional<RawRecord>(record);
}

}  // namespace walkabout::recording
