// The ring memory of a process that is gone, whatever is in it: what is recovered is a stream every reader
// takes.
#include <algorithm>
#include <cstring>
#include <vector>

#include "collect/recovery.h"
#include "collect/test_rings.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "recording/decode.h"
#include "recording/stream_reader.h"
#include "wire/encode.h"

using namespace walkabout;
using fuzz::expect;

namespace {

constexpr uint32_t kRing = 1024;
constexpr int kMostSlots = 4;

void fill_lane(wire::LaneHeader& lane, uint8_t* ring, fuzz::Input& in) {
  lane.tail = in.u64();
  lane.head = lane.tail + in.u16();
  wire::SourceAccount& account = lane.accounts[in.u8() % wire::kMostSources];
  account.attempts = in.u64();
  account.samples = in.u8();
  const size_t cause = in.u8() % std::size(account.drops);
  account.drops[cause] = in.u8();
  const std::vector<uint8_t> records = in.bytes(in.u16() % (kRing + 1));
  const size_t from = static_cast<size_t>(lane.tail.load() % kRing);
  for (size_t k = 0; k < records.size(); ++k) ring[(from + k) % kRing] = records[k];
}

// All but CPU time and the last, which the stream has not declared. They differ in how many values and labels
// they have, and in how their values add up.
void declare_sources(std::string* stream) {
  for (uint32_t id = 2; id < wire::kMostSources; ++id) {
    wire::Source source;
    source.id = base::SourceId(id);
    source.values = {{"time", "nanoseconds"}, {"size", "bytes"}};
    if (id % 2 != 0) source.values.push_back({"largest", "bytes", wire::Adding::kMax});
    for (uint32_t label = id % 3; label < 2; ++label)
      source.labels.push_back({"type", static_cast<uint32_t>(wire::LabelType::kText)});
    wire::encode(source, *stream);
  }
}

void fill(cli::testing::TestRings& rings, fuzz::Input& in) {
  if (const uint8_t damage = in.u8(); damage >= 0xf0) rings.header()->ring_size = in.u32();
  for (int i = 0; i < kMostSlots && in.left() > 0 && rings.header()->ring_size == kRing; ++i) {
    const uint32_t index = in.u16() % wire::kMaxSlots;
    const uint8_t thread = in.u8();
    wire::SlotHeader* slot = rings.arm(index, thread, in.u8());
    for (const wire::Lane lane : {wire::Lane::kHandler, wire::Lane::kCallback})
      fill_lane(slot->lane(lane), rings.ring(index, lane), in);
  }
}

void fill_text_notes(cli::testing::TestRings& rings, fuzz::Input& in) {
  if (rings.header()->ring_size != kRing) return;
  const std::vector<uint8_t> bytes = in.bytes(in.u8());
  std::copy(bytes.begin(), bytes.end(),
            reinterpret_cast<uint8_t*>(rings.text_notes()) + wire::kSlotHeaderSize);
  rings.text_notes()->used = bytes.size();
}

void fill_sums(cli::testing::TestRings& rings, fuzz::Input& in) {
  if (rings.header()->ring_size != kRing) return;
  rings.sums()->lost[in.u8() % wire::kMostSources] = in.u8();
  for (size_t row = in.u8() % 4; row > 0; --row) {
    rings.sums()->keys[row] = in.u8();
    const std::vector<uint8_t> bytes = in.bytes(std::min<size_t>(in.u16(), sizeof(wire::SumRow)));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<uint8_t*>(&rings.sums()->rows[row]));
  }
}

// What is left of the input, as it lies in the notes' ring.
void fill_notes(cli::testing::TestRings& rings, fuzz::Input& in) {
  if (rings.header()->ring_size != kRing) return;
  const std::vector<uint8_t> bytes = in.bytes(in.left());
  uint8_t* ring = reinterpret_cast<uint8_t*>(rings.notes()) + wire::kSlotHeaderSize;
  const size_t size = std::min<size_t>(bytes.size(), wire::kNotesSize);
  std::copy_n(bytes.begin(), size, ring);
  rings.notes()->end = size;
}

}  // namespace

// u8: 0xf0 and above a ring size follows; then per slot index, thread, tid; of each lane tail, head - tail, a
// source, its attempts, samples and a drop, and the ring's bytes; then how many bytes of the notes about
// texts follow, and they; of the sums a source and its lost events, how many rows follow, and of each its
// key, how many of its bytes follow, and they; what is left are bytes of the notes about code.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  cli::testing::TestRings rings(kRing);
  fill(rings, in);
  fill_text_notes(rings, in);
  fill_sums(rings, in);
  fill_notes(rings, in);
  base::Result<cli::RingFile> file = cli::RingFile::open(rings.fd());
  if (!file.ok()) return 0;
  cli::StreamState state;
  recording::Decoder decoder;
  const auto store = [&](std::string_view records) {
    recording::StreamReader reader;
    reader.push(records);
    for (;;) {
      auto record = reader.next();
      expect(record.ok(), "what is recovered are records");
      if (!record->has_value()) return base::Status();
      expect(decoder.decode(**record, state).ok(), "each keeps the format's rules");
    }
  };
  std::string declared;
  declare_sources(&declared);
  expect(store(declared).ok(), "sources are declared");
  expect(cli::Recovery(state, 0, {}).run(*file, store).ok(), "nothing is refused");
  const auto adds_up = [](const auto& account, uint64_t samples) {
    uint64_t sum = samples;
    for (const uint64_t d : account.drops) sum += d;
    return account.attempts == sum && account.samples == samples;
  };
  expect(adds_up(state.counters, state.samples), "it adds up");
  for (const wire::SourceCounters& source : state.counters.sources)
    expect(adds_up(source, state.other_samples[source.source]), "each source adds up");
  return 0;
}
