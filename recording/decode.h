// Bytes to records: the reading side of wire/encode.h, for bytes nobody vouches for. One Decoder per
// recording: it counts nodes, so that it can turn their relative parents into ids and refuse a sample on a
// node never declared, and it knows how many values and labels the samples of each source have. Errors say
// which rule of recording/format.md is broken. Allocates; no exception leaves. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recording/raw_record.h"
#include "recording/visitor.h"
#include "wire/records.h"

namespace walkabout::recording {

class Decoder {
 public:
  // Calls the visitor's function for this record; unknown types are skipped. On error nothing was called.
  base::Status decode(const RawRecord& record, RecordVisitor& visitor);
  // Nodes of the tree decoded so far; the highest node id.
  uint32_t nodes() const { return nodes_; }

 private:
  // The first argument says the type of record.
  template <typename Record>
  void decode_as(const Record*, std::string_view body, RecordVisitor& visitor);
  void decode_as(const wire::Source*, std::string_view body, RecordVisitor& visitor);
  void decode_as(const wire::Nodes*, std::string_view body, RecordVisitor& visitor);
  void decode_as(const wire::Samples*, std::string_view body, RecordVisitor& visitor);
  void decode_nodes(std::string_view body);
  void decode_samples(std::string_view body);

  // How many columns a source's samples have.
  struct Shape {
    size_t values = 1, labels = 0;
  };
  Shape shape_of(base::SourceId source) const;

  uint32_t nodes_ = 0;
  std::map<base::SourceId, Shape> shapes_;  // of those that were declared
  // Reused, so that a long recording does not allocate per record.
  wire::Nodes node_columns_;
  wire::Samples sample_columns_;
  std::vector<uint64_t> scratch_;
};

}  // namespace walkabout::recording
