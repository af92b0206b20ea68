#include "recording/reader.h"

#include <string_view>

#include "recording/block_reader.h"
#include "recording/decode.h"

namespace walkabout::recording {
namespace {

std::string damage_sentence(const BlockReader& blocks, const ReadSummary& summary) {
  return "the last " + std::to_string(summary.lost_bytes) + " of " + std::to_string(summary.file_bytes) +
         " bytes could not be read: " + blocks.damage() + ", at byte " +
         std::to_string(blocks.damage_offset());
}

// The records of one block. A broken one is damage; an error is on_record's.
base::Status read_block(std::string_view raw, Decoder& decoder, RecordVisitor& visitor,
                        const OnRecord& on_record, BlockReader& blocks, ReadSummary& summary) {
  while (!raw.empty()) {
    RawRecord record;
    if (split_record(raw, record) != Split::kRecord) {
      blocks.mark_damaged("a block holds something that is no record");
      return {};
    }
    if (base::Status status = decoder.decode(record, visitor); !status.ok()) {
      blocks.mark_damaged(status.message());
      return {};
    }
    if (base::Status status = on_record(record); !status.ok()) return status;
    ++summary.records;
    summary.ended = summary.ended || record.type == wire::RecordType::kEnd;
    raw.remove_prefix(record.framed.size());
  }
  return {};
}

}  // namespace

base::Result<ReadSummary> read_recording(const std::string& path, RecordVisitor& visitor) {
  return read_recording(path, visitor, [](const RawRecord&) { return base::Status(); });
}

base::Result<ReadSummary> read_recording(const std::string& path, RecordVisitor& visitor,
                                         const OnRecord& on_record) {
  base::Result<BlockReader> blocks = BlockReader::open(path);
  if (!blocks.ok()) return blocks.status();
  ReadSummary summary;
  Decoder decoder;
  while (const auto raw = blocks->next()) {
    base::Status status = read_block(*raw, decoder, visitor, on_record, *blocks, summary);
    if (!status.ok()) return status;
  }
  summary.file_bytes = blocks->file_bytes();
  if (!blocks->damage().empty()) {
    const uint64_t good = blocks->damage_offset();
    summary.lost_bytes = summary.file_bytes > good ? summary.file_bytes - good : 0;
    summary.damage = damage_sentence(*blocks, summary);
  }
  return summary;
}

}  // namespace walkabout::recording
