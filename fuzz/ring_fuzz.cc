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

struct Slot {
  Slot() : memory(static_cast<uint8_t*>(std::aligned_alloc(kRing, kSlotHeaderSize + kRing))) {
    std::memset(memory, 0, kSlotHeaderSize + kRing);
    header = new (memory) SlotHeader;
    header->ring_size = kRing;
  }
  ~Slot() { std::free(memory); }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  uint8_t* memory;
  SlotHeader* header = nullptr;
};

void expect_inside(const Slot& slot, const RawSample* sample) {
  const auto* begin = reinterpret_cast<const uint8_t*>(sample);
  const uint8_t* ring = slot.memory + kSlotHeaderSize;
  expect(begin >= ring && begin + sizeof *sample <= ring + kRing, "a sample lies in the ring");
  const auto* frames_end =
      reinterpret_cast<const uint8_t*>(Consumer::clr_frames(sample) + sample->clr_frames);
  expect(frames_end <= begin + sample->size && begin + sample->size <= ring + kRing, "its frames lie in it");
  uint64_t sum = 0;  // AddressSanitizer looks at each
  for (uint32_t i = 0; i < sample->frames; ++i) sum += Consumer::frames(sample)[i].bits;
  for (uint32_t i = 0; i < sample->clr_frames; ++i) sum += Consumer::clr_frames(sample)[i];
  static volatile uint64_t sink = 0;
  sink = sink + sum;
}

void drain(Slot& slot) {
  Consumer consumer(slot.header, kRing);
  for (int records = 0;; ++records) {
    expect(records <= kMostRecords, "a ring ends");
    const RawSample* sample = consumer.next();
    if (sample == nullptr) break;
    expect_inside(slot, sample);
    consumer.release();
  }
  consumer.release();  // as the spooler does: a filler with nothing behind it was passed only
  expect(slot.header->ticks().tail.load() == slot.header->ticks().head.load(), "what cannot be read is left behind");
}

// One honest record into the emptied ring, wherever its indexes stand; it must come out again.
void write_and_read(Slot& slot) {
  Producer producer(slot.header);
  uint8_t* at = producer.begin(sizeof(RawSample) + 8);
  expect((at == nullptr) == (slot.header->ticks().head.load() % 8 != 0),
         "an emptied ring has room, if it is not damaged");
  if (at == nullptr) return;
  auto* sample = new (at) RawSample;
  sample->size = sizeof(RawSample) + 8;
  sample->type = static_cast<uint8_t>(RawType::kSample);
  sample->frames = 1;
  std::memset(at + sizeof *sample, 0, 8);
  producer.commit(sample->size);
  Consumer consumer(slot.header, kRing);
  const RawSample* read = consumer.next();
  expect(read == sample, "what is written after damage is read");
  consumer.release();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  Slot slot;
  for (int round = 0; round < 4 && in.left() > 0; ++round) {
    slot.header->ticks().tail.store(in.u64());
    slot.header->ticks().head.store(slot.header->ticks().tail.load() + in.u64());
    slot.header->cpu().samples.store(in.u8());
    slot.header->ticks().taken[0].store(in.u8());
    const std::vector<uint8_t> records = in.bytes(in.u16() % (kRing + 1));
    const size_t from = static_cast<size_t>(slot.header->ticks().tail.load() % kRing);
    for (size_t i = 0; i < records.size(); ++i)
      slot.memory[kSlotHeaderSize + (from + i) % kRing] = records[i];
    drain(slot);
    write_and_read(slot);
  }
  return 0;
}
