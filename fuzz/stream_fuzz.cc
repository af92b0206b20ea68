// The agent's stream as the CLI reads it: split into records however the reads cut it, decoded, and encoded
// again.
#include <string>
#include <string_view>

#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "recording/constants.h"
#include "recording/decode.h"
#include "recording/stream_reader.h"
#include "recording/test_records.h"

using namespace walkabout;
using namespace walkabout::recording;
using fuzz::expect;

namespace {

// What the visitor is promised.
class Promises : public testing::Reencoder {
 public:
  void on_nodes(const wire::Nodes& r, uint32_t first_id) override {
    expect(r.parent.size() == r.frame.size(), "as many parents as frames");
    for (size_t i = 0; i < r.parent.size(); ++i)
      expect(r.parent[i] < first_id + i, "parents come before children");
    expect(first_id == (r.new_tree ? 1 : nodes + 1), "ids count on, and begin anew in a new tree");
    nodes = first_id + static_cast<uint32_t>(r.parent.size()) - 1;
    Reencoder::on_nodes(r, first_id);
  }
  void on_samples(const wire::Samples& r) override {
    const size_t n = r.time_us.size();
    expect(r.values.size() % std::max<size_t>(n, 1) == 0 && r.stack.size() == n && r.end.size() == n &&
               r.flags.size() == n,
           "columns of one length");
    for (size_t i = 0; i < n; ++i) {
      expect(r.stack[i].value <= nodes, "a sample's stack was declared before");
      expect(r.time_us[i] <= kMaxTime && r.weight(i) <= kMaxTime && r.end[i] < wire::WalkEnd::kCount,
             "a sample's values are in their bounds");
    }
    Reencoder::on_samples(r);
  }
  uint32_t nodes = 0;
};

// Splits and decodes until the first error. Returns the records as they were encoded again.
std::string read(std::string_view bytes, size_t chunk) {
  StreamReader reader;
  Decoder decoder;
  Promises visitor;
  size_t pushed = 0;
  while (pushed < bytes.size()) {
    const std::string_view part = bytes.substr(pushed, chunk);
    reader.push(part);
    pushed += part.size();
    for (;;) {
      const base::Result<std::optional<RawRecord>> record = reader.next();
      if (!record.ok()) return visitor.bytes;
      if (!record->has_value()) break;
      expect((*record)->framed.size() <= kMaxRecordBytes + kMaxVarintBytes, "a record is bounded");
      if (!decoder.decode(**record, visitor).ok()) return visitor.bytes;
      expect(decoder.nodes() == visitor.nodes, "the decoder counts nodes");
    }
    expect(reader.consumed() + reader.pending() == pushed, "every byte is consumed or pending");
  }
  return visitor.bytes;
}

}  // namespace

// The first byte says how the rest is cut.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const size_t chunk = size_t{in.u8()} + 1;
  const std::vector<uint8_t> rest = in.rest();
  const std::string_view stream(reinterpret_cast<const char*>(rest.data()), rest.size());
  const std::string whole = read(stream, stream.size() + 1);
  expect(read(stream, chunk) == whole, "however it is cut, a stream says the same");
  expect(read(whole, whole.size() + 1) == whole, "what was read can be written and read again");
  return 0;
}
