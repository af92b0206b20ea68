// The reader of a ring whose memory says anything: indexes, sizes, types, counts. Between reads an honest
// writer goes on where the indexes allow it.
#include <cstdlib>
#include <cstring>
#include <new>

#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "wire/ring.h"

using namespace walkabout;
using namespace walkabout::wire;
using fuzz::expect;

namespace {

constexpr uint32_t kRing = 1024;
constexpr int kMostRecords = kRing / 8 + 1;

constexpr size_t kBytes = kSlotHeaderSize + kLanes * kRing;

// A slot with both lanes, one behind the other.
struct Slot {
  Slot() : memory(static_cast<uint8_t*>(std::aligned_alloc(kRing, kBytes))) {
    std::memset(memory, 0, kBytes);
    header = new (memory) SlotHeader;
    header->ring_size = kRing;
  }
  ~Slot() { std::free(memory); }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  uint8_t* ring(Lane lane) const { return memory + kSlotHeaderSize + static_cast<size_t>(lane) * kRing; }
  LaneHeader& lane(Lane which) const { return header->lane(which); }
  Consumer consumer(Lane which) const { return {lane(which), ring(which), kRing}; }

  uint8_t* memory;
  SlotHeader* header = nullptr;
};

void expect_inside(const Slot& slot, Lane lane, const RawSample* sample) {
  const auto* begin = reinterpret_cast<const uint8_t*>(sample);
  const uint8_t* ring = slot.ring(lane);
  expect(begin >= ring && begin + sizeof *sample <= ring + kRing, "a sample lies in the ring");
  const auto* frames_end =
      reinterpret_cast<const uint8_t*>(Consumer::clr_frames(sample) + sample->clr_frames);
  expect(frames_end <= begin + sample->size && begin + sample->size <= ring + kRing, "its frames lie in it");
  expect(sample->source >= 1 && sample->source <= kMostSources, "it has a source that there may be");
  expect(sample->more_values < kMostSampleValues && sample->labels <= kMostSampleLabels,
         "it has as many values and labels as one may have");
  uint64_t sum = 0;  // AddressSanitizer looks at each
  for (uint32_t i = 0; i < sample->more_values; ++i) sum += Consumer::more_values(sample)[i];
  for (uint32_t i = 0; i < sample->labels; ++i) sum += Consumer::labels(sample)[i];
  for (uint32_t i = 0; i < sample->frames; ++i) sum += Consumer::frames(sample)[i].bits;
  for (uint32_t i = 0; i < sample->clr_frames; ++i) sum += Consumer::clr_frames(sample)[i];
  static volatile uint64_t sink = 0;
  sink = sink + sum;
}

void drain(Slot& slot, Lane lane) {
  Consumer consumer = slot.consumer(lane);
  for (int records = 0;; ++records) {
    expect(records <= kMostRecords, "a ring ends");
    const RawSample* sample = consumer.next();
    if (sample == nullptr) break;
    expect_inside(slot, lane, sample);
    if (records % 3 == 2) consumer.refuse();
    consumer.release();
  }
  consumer.release();  // as the spooler does: a filler with nothing behind it was passed only
  expect(slot.lane(lane).tail.load() == slot.lane(lane).head.load(), "what cannot be read is left behind");
}

// One honest record into the emptied ring, wherever its indexes stand; it must come out again.
void write_and_read(Slot& slot, Lane lane) {
  Producer producer(slot.lane(lane), slot.ring(lane), kRing);
  uint8_t* at = producer.begin(sizeof(RawSample) + 8);
  expect((at == nullptr) == (slot.lane(lane).head.load() % 8 != 0),
         "an emptied ring has room, if it is not damaged");
  if (at == nullptr) return;
  auto* sample = new (at) RawSample;
  sample->size = sizeof(RawSample) + 8;
  sample->type = static_cast<uint8_t>(RawType::kSample);
  sample->frames = 1;
  std::memset(at + sizeof *sample, 0, 8);
  producer.commit(sample->size);
  Consumer consumer = slot.consumer(lane);
  const RawSample* read = consumer.next();
  expect(read == sample, "what is written after damage is read");
  consumer.release();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  Slot slot;
  for (int round = 0; round < 4 && in.left() > 0; ++round) {
    const Lane lane = round % 2 == 0 ? Lane::kHandler : Lane::kCallback;
    LaneHeader& header = slot.lane(lane);
    header.tail.store(in.u64());
    header.head.store(header.tail.load() + in.u64());
    header.accounts[0].samples.store(in.u8());
    header.taken[0].store(in.u8());
    const std::vector<uint8_t> records = in.bytes(in.u16() % (kRing + 1));
    const size_t from = static_cast<size_t>(header.tail.load() % kRing);
    for (size_t i = 0; i < records.size(); ++i) slot.ring(lane)[(from + i) % kRing] = records[i];
    drain(slot, lane);
    write_and_read(slot, lane);
  }
  return 0;
}
