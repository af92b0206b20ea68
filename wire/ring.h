// The shared memory between the threads of the program (producers) and the spooler (consumer). The collector
// holds it too: when the process has ended, it reads the samples that were not handed over
// (collect/recovery.h).
//
// One mapping holds a header, slots, the slots' second rings, notes about code (wire/notes.h) and about texts
// (wire/text_note.h), and sums of events (wire/sums.h). A slot is one thread's counters and two lanes. A lane
// is a single-producer, single-consumer byte ring. The producer of the first lane is the thread's signal
// handler; of the second it is the thread itself, outside of the handler. So a tick that interrupts a sample
// being taken disturbs nothing. The second lane's memory exists once it is used (agent/shared/rings.h).
//
// A producer does begin() → fill → commit() and never waits; what does not fit is dropped and counted.
// Nothing half-written is ever visible: commit() publishes the head last, so a thread that dies while writing
// loses that sample and stalls nobody. The consumer treats the memory as hostile: it copies indexes to locals
// and checks every size and count before use. A record that was read stays in the ring until release(): the
// spooler calls it when the sample has been written out.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "wire/frame.h"
#include "wire/sources.h"

namespace walkabout::wire {

inline constexpr uint32_t kRingMagic = 0x474e5257;  // "WRNG"
inline constexpr uint32_t kRingVersion = 9;
inline constexpr uint32_t kMaxSlots = 4096;
inline constexpr uint32_t kSlotHeaderSize = 4096;
inline constexpr uint32_t kNotesSize = 4u << 20;  // about code
inline constexpr uint32_t kTextNotesSize = 10u << 20;
inline constexpr uint32_t kSumsSize = 1284u << 10;
inline constexpr uint64_t kRingBudget = uint64_t{256} << 20;  // bytes of all rings together

enum class Lane : uint8_t { kHandler = 0, kCallback = 1 };
inline constexpr uint32_t kLanes = 2;

// Of one sample, in the ring and in the recording (recording/constants.h).
inline constexpr uint32_t kMostSampleValues = 16;
inline constexpr uint32_t kMostSampleLabels = 16;
inline constexpr uint32_t kMostAwaiters = 64;

// A sample as a thread writes it. Behind it, in words of 8 bytes: its values after the first, its labels, its
// frames (leaf first), the raw (ip) words of the oracle, and the async methods that await (nearest first).
struct RawSample {
  uint32_t size =
      0;  // of the whole record, multiple of 8; kPad in `type` makes it a filler to the ring's end
  uint8_t type = 0;
  WalkEnd end = WalkEnd::kRooted;
  uint8_t flags = 0;     // SampleFlag
  uint8_t oracle = 0;    // an OracleState
  uint64_t time_ns = 0;  // CLOCK_MONOTONIC
  uint64_t value = 0;    // the first of its source: of CPU time the thread's since its sample before
  uint32_t frames = 0;
  uint32_t clr_frames = 0;
  uint32_t hresult = 0;
  uint32_t cycles = 0;  // TSC cycles of the walk
  uint32_t clr_cycles = 0;
  // Low bits of how many samples of this source there were before: in this lane; with a subject of that
  // thread.
  uint32_t index = 0;
  uint32_t subject = 0;  // the id of the thread that the sample is of; 0: the one that has the slot
  uint8_t source = 1;    // its id
  uint8_t more_values = 0;
  uint8_t labels = 0;
  uint8_t awaiters = 0;  // frames of the async stack
  // So many frames, from the leaf, come before them. 0: the stack tells all callers, there are no awaiters.
  uint32_t async_joint = 0;
  // The number of the first frame, and 1, that nobody had looked at yet when they were looked for; 0: all
  // were seen.
  uint32_t async_unseen = 0;

  uint32_t words_before_frames() const { return uint32_t{more_values} + labels; }
};
static_assert(sizeof(RawSample) == 64);

// Whether hresult and clr_* hold the CLR's answer.
enum class OracleState : uint8_t {
  kOff = 0,
  kRequested = 1,       // behind our walk, which found the seed
  kNoSeed = 2,          // not requested
  kRequestedFirst = 3,  // before our walk: the interrupted code is managed, its registers are the seed
};

enum class RawType : uint8_t { kPad = 0, kSample = 1 };

// Of a counter with one writer: no locked instruction, which would wait for all stores before it.
inline void add_alone(std::atomic<uint64_t>& counter, uint64_t n) {
  counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

// What became of the attempts of one source: attempts = samples + drops.
struct SourceAccount {
  std::atomic<uint64_t> attempts{0};
  std::atomic<uint64_t> samples{0};
  std::atomic<uint64_t> drops[static_cast<size_t>(DropCause::kCount)] = {};  // kCorrupt: consumer
};
static_assert(sizeof(SourceAccount) == 64);

// Written by the lane's producer but for the fields that say otherwise.
struct LaneHeader {
  std::atomic<uint64_t> head{0};     // bytes ever written; release, partner: Consumer::next()
  std::atomic<uint64_t> tail{0};     // bytes ever read; release by the consumer, partner: Producer::begin()
  std::atomic<uint64_t> frames{0};   // walked
  std::atomic<uint64_t> cost_ns{0};  // CPU time of taking the samples
  SourceAccount accounts[kMostSources];            // by id - 1
  std::atomic<uint64_t> taken[kMostSources] = {};  // consumer: samples it was given

  // Bytes that wait. For its producer and its consumer.
  uint64_t used() const {
    return head.load(std::memory_order_relaxed) - tail.load(std::memory_order_acquire);
  }

  // REQUIRES: 1 <= source.value <= kMostSources.
  SourceAccount& of(base::SourceId source) { return accounts[source.value - 1]; }
  const SourceAccount& of(base::SourceId source) const { return accounts[source.value - 1]; }
};

// One thread's place.
struct SlotHeader {
  std::atomic<uint32_t> tid{0};     // sampler; 0 = free
  uint32_t ring_size = 0;           // sampler; of each lane; power of two
  std::atomic<uint32_t> thread{0};  // sampler; its id in the stream
  uint32_t reserved = 0;
  std::atomic<uint64_t> last_cpu_ns{0};  // handler; the thread's CPU clock at its last sample
  std::atomic<uint64_t> overruns{0};     // handler
  LaneHeader lanes[kLanes];

  LaneHeader& lane(Lane which) { return lanes[static_cast<size_t>(which)]; }
  const LaneHeader& lane(Lane which) const { return lanes[static_cast<size_t>(which)]; }
  // Of ticks.
  LaneHeader& ticks() { return lane(Lane::kHandler); }
  const LaneHeader& ticks() const { return lane(Lane::kHandler); }
  SourceAccount& cpu() { return ticks().accounts[0]; }
  const SourceAccount& cpu() const { return ticks().accounts[0]; }
};
static_assert(offsetof(SlotHeader, lanes) + offsetof(LaneHeader, accounts) == 64,
              "a tick uses two cache lines");
static_assert(sizeof(SlotHeader) <= kSlotHeaderSize);

// Of threads whose slots were given back. Written by the spooler.
struct RingTotals {
  SourceAccount accounts[kMostSources];
  std::atomic<uint64_t> handler_ns{0};
  std::atomic<uint64_t> callbacks_ns{0};
  std::atomic<uint64_t> frames{0};
  std::atomic<uint64_t> overruns{0};
};

struct RingHeader {
  uint32_t magic = kRingMagic;
  uint32_t version = kRingVersion;
  uint32_t slots = 0;  // slots_of(ring_size)
  uint32_t ring_size = 0;
  uint64_t monotonic_start_ns = 0;
  RingTotals gone;
  // Of calls that are counted (wire/counter_blocks.h): blocks that may be read, and counters in each.
  std::atomic<uint32_t> counter_blocks{0};
  std::atomic<uint32_t> counters{0};
};
static_assert(sizeof(RingHeader) <= kSlotHeaderSize);

// So many slots there are: the budget has no memory for more.
constexpr uint32_t slots_of(uint32_t ring_size) {
  const uint64_t most = kRingBudget / (kSlotHeaderSize + uint64_t{ring_size});
  return most < kMaxSlots ? static_cast<uint32_t>(most) : kMaxSlots;
}
// Where slot `index` begins in the mapping.
constexpr uint64_t slot_offset(uint32_t index, uint32_t ring_size) {
  return kSlotHeaderSize + static_cast<uint64_t>(index) * (kSlotHeaderSize + ring_size);
}
// Where the ring of its lane begins. The first lane's lies in the slot; so slots that are next to each other
// are one region of memory to the kernel.
constexpr uint64_t lane_offset(uint32_t index, Lane lane, uint32_t ring_size) {
  return lane == Lane::kHandler
             ? slot_offset(index, ring_size) + kSlotHeaderSize
             : slot_offset(slots_of(ring_size), ring_size) + static_cast<uint64_t>(index) * ring_size;
}
// Where the header of the notes about code begins; their bytes are a page further on.
constexpr uint64_t notes_offset(uint32_t ring_size) {
  return lane_offset(slots_of(ring_size), Lane::kCallback, ring_size);
}
// The same of texts.
constexpr uint64_t text_notes_offset(uint32_t ring_size) {
  return notes_offset(ring_size) + kSlotHeaderSize + kNotesSize;
}
// Where the sums begin.
constexpr uint64_t sums_offset(uint32_t ring_size) {
  return text_notes_offset(ring_size) + kSlotHeaderSize + kTextNotesSize;
}
constexpr uint64_t mapping_size(uint32_t ring_size) { return sums_offset(ring_size) + kSumsSize; }

// The side that writes. Async-signal-safe.
class Producer {
 public:
  // The handler's, of its own slot.
  explicit Producer(SlotHeader* slot)
      : Producer(slot->ticks(), reinterpret_cast<uint8_t*>(slot) + kSlotHeaderSize, slot->ring_size) {}
  Producer(LaneHeader& lane, uint8_t* ring, uint32_t ring_size)
      : lane_(&lane), ring_(ring), ring_size_(ring_size) {}
  // Room for a record of up to `max_size` bytes (multiple of 8), contiguous; null when the ring is too full.
  uint8_t* begin(uint32_t max_size);
  // Publishes the first `size` bytes of it.
  void commit(uint32_t size);

 private:
  LaneHeader* lane_;
  uint8_t* ring_;
  uint32_t ring_size_;
  uint64_t at_ = 0;
};

// The side that reads: the spooler's. Reads on from the record that was released last.
class Consumer {
 public:
  // Of the first lane.
  Consumer(SlotHeader* slot, uint32_t ring_size)
      : Consumer(slot->ticks(), reinterpret_cast<uint8_t*>(slot) + kSlotHeaderSize, ring_size) {}
  Consumer(LaneHeader& lane, uint8_t* ring, uint32_t ring_size)
      : lane_(&lane),
        ring_(ring),
        ring_size_(ring_size),
        at_(lane.tail.load(std::memory_order_relaxed)),
        next_at_(at_) {}
  // The next record, valid until release(); null when there is none. A damaged record empties the ring; the
  // samples that were in it are counted as DropCause::kCorrupt.
  const RawSample* next();
  // Done with that record; the ring keeps it.
  void pass();
  // Not done with it: whoever reads on from release() is given it again.
  void leave();
  // It is of no use: it counts as DropCause::kCorrupt and is passed.
  void refuse();
  // Done with all records so far: the producer may have their room.
  void release();
  // Bytes that wait.
  uint64_t used() const { return lane_->used(); }
  static const uint64_t* more_values(const RawSample* s) { return reinterpret_cast<const uint64_t*>(s + 1); }
  static const uint64_t* labels(const RawSample* s) { return more_values(s) + s->more_values; }
  static const Frame* frames(const RawSample* s) {
    return reinterpret_cast<const Frame*>(s + 1) + s->words_before_frames();
  }
  static const uint64_t* clr_frames(const RawSample* s) {
    return reinterpret_cast<const uint64_t*>(frames(s)) + s->frames;
  }
  static const Frame* awaiters(const RawSample* s) { return frames(s) + s->frames + s->clr_frames; }

 private:
  void drop_all(uint64_t head);
  LaneHeader* lane_;
  uint8_t* ring_;
  uint32_t ring_size_;
  uint64_t at_;           // where the next record begins
  uint64_t next_at_;      // behind the record that was given
  base::SourceId given_;  // of a sample that was given and not passed; invalid: there is none
};

}  // namespace walkabout::wire
