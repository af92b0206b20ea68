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

using namespace walkabout;
using fuzz::expect;

namespace {

constexpr uint32_t kRing = 1024;
constexpr int kMostSlots = 4;

void fill(cli::testing::TestRings& rings, fuzz::Input& in) {
  if (const uint8_t damage = in.u8(); damage >= 0xf0) rings.header()->ring_size = in.u32();
  for (int i = 0; i < kMostSlots && in.left() > 0 && rings.header()->ring_size == kRing; ++i) {
    const uint32_t index = in.u16() % wire::kMaxSlots;
    const uint8_t thread = in.u8();
    wire::SlotHeader* slot = rings.arm(index, thread, in.u8());
    slot->ticks().tail = in.u64();
    slot->ticks().head = slot->ticks().tail + in.u16();
    slot->cpu().attempts = in.u64();
    slot->cpu().samples = in.u8();
    const size_t cause = in.u8() % std::size(slot->cpu().drops);
    slot->cpu().drops[cause] = in.u8();
    const std::vector<uint8_t> records = in.bytes(in.u16() % (kRing + 1));
    uint8_t* ring = rings.at(index) + wire::kSlotHeaderSize;
    const size_t from = static_cast<size_t>(slot->ticks().tail.load() % kRing);
    for (size_t k = 0; k < records.size(); ++k) ring[(from + k) % kRing] = records[k];
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

// u8: 0xf0 and above a ring size follows; then per slot index, thread, tid, tail, head - tail, attempts,
// samples, a drop, and the ring's bytes; what is left are the notes' bytes.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  cli::testing::TestRings rings(kRing);
  fill(rings, in);
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
  expect(cli::Recovery(state, 0).run(*file, store).ok(), "nothing is refused");
  uint64_t sum = state.samples;
  for (const uint64_t d : state.counters.drops) sum += d;
  expect(state.counters.attempts == sum, "it adds up");
  return 0;
}
