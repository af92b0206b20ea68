// The shared memory between signal handlers (producers) and the spooler (consumer). The collector holds it
// too: when the process has ended, it reads the samples that were not handed over (collect/recovery.h).
//
// One mapping holds a header, kMaxSlots slots and notes about code (wire/notes.h); a slot is one thread's
// counters and its single-producer, single-consumer byte ring. The producer is the thread's signal handler:
// begin() → fill → commit(), never waits; what does not fit is dropped and counted. Nothing half-written is
// ever visible: commit() publishes the head last, so a thread that dies while writing loses that sample and
// stalls nobody. The consumer treats the memory as hostile: it copies indexes to locals and checks every size
// against the ring before use. A record that was read stays in the ring until release(): the spooler calls it
// when the sample has been written out.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wire/frame.h"

namespace walkabout::wire {

inline constexpr uint32_t kRingMagic = 0x474e5257;  // "WRNG"
inline constexpr uint32_t kRingVersion = 4;
inline constexpr uint32_t kMaxSlots = 4096;
inline constexpr uint32_t kSlotHeaderSize = 4096;
inline constexpr uint32_t kNotesSize = 4u << 20;
inline constexpr uint64_t kRingBudget = uint64_t{256} << 20;  // bytes of all rings together

// A sample as the handler writes it, frames behind it (leaf first), then clr_frames raw (ip) words of the
// oracle.
struct RawSample {
  uint32_t size =
      0;  // of the whole record, multiple of 8; kPad in `type` makes it a filler to the ring's end
  uint8_t type = 0;
  WalkEnd end = WalkEnd::kRooted;
  uint8_t flags = 0;     // SampleFlag
  uint8_t oracle = 0;    // an OracleState
  uint64_t time_ns = 0;  // CLOCK_MONOTONIC
  uint64_t weight_ns = 0;
  uint32_t frames = 0;
  uint32_t clr_frames = 0;
  uint32_t hresult = 0;
  uint32_t cycles = 0;  // TSC cycles of the walk
  uint32_t clr_cycles = 0;
  uint32_t index = 0;  // low bits of the thread's SlotHeader::samples before this one
};
static_assert(sizeof(RawSample) == 48);

// Whether hresult and clr_* hold the CLR's answer.
enum class OracleState : uint8_t {
  kOff = 0,
  kAsked = 1,       // behind our walk, which found the seed
  kNoSeed = 2,      // not asked
  kAskedFirst = 3,  // before our walk: the interrupted code is managed, its registers are the seed
};

enum class RawType : uint8_t { kPad = 0, kSample = 1 };

// One thread's place. Written by its handler but for the fields that say otherwise.
struct SlotHeader {
  std::atomic<uint32_t> tid{0};   // sampler; 0 = free
  uint32_t ring_size = 0;         // sampler; power of two
  std::atomic<uint64_t> head{0};  // bytes ever written; release by the handler, partner: Consumer::next()
  std::atomic<uint64_t> tail{0};  // bytes ever read; release by the consumer, partner: Producer::begin()
  std::atomic<uint64_t> attempts{0};
  std::atomic<uint64_t> samples{0};
  std::atomic<uint64_t> drops[static_cast<size_t>(DropCause::kCount)] = {};
  std::atomic<uint64_t> handler_ns{0};
  std::atomic<uint64_t> frames{0};
  std::atomic<uint64_t> overruns{0};
  std::atomic<uint64_t> taken{0};        // consumer: samples it was given
  std::atomic<uint64_t> last_cpu_ns{0};  // the thread's CPU clock at its last sample
  std::atomic<uint32_t> thread{0};       // sampler; its id in the stream
};
static_assert(sizeof(SlotHeader) <= kSlotHeaderSize);

// Of threads whose slots were given back. Written by the spooler.
struct RingTotals {
  std::atomic<uint64_t> attempts{0};
  std::atomic<uint64_t> drops[static_cast<size_t>(DropCause::kCount)] = {};
  std::atomic<uint64_t> handler_ns{0};
  std::atomic<uint64_t> frames{0};
  std::atomic<uint64_t> overruns{0};
};

struct RingHeader {
  uint32_t magic = kRingMagic;
  uint32_t version = kRingVersion;
  uint32_t slots = kMaxSlots;
  uint32_t ring_size = 0;
  uint64_t monotonic_start_ns = 0;
  RingTotals gone;
};
static_assert(sizeof(RingHeader) <= kSlotHeaderSize);

// Where slot `index` begins in the mapping.
constexpr uint64_t slot_offset(uint32_t index, uint32_t ring_size) {
  return kSlotHeaderSize + static_cast<uint64_t>(index) * (kSlotHeaderSize + ring_size);
}
// Where the notes' header begins; their bytes are a page further on.
constexpr uint64_t notes_offset(uint32_t ring_size) { return slot_offset(kMaxSlots, ring_size); }
constexpr uint64_t mapping_size(uint32_t ring_size) {
  return notes_offset(ring_size) + kSlotHeaderSize + kNotesSize;
}

// The handler's side. Async-signal-safe.
class Producer {
 public:
  explicit Producer(SlotHeader* slot)
      : slot_(slot), ring_(reinterpret_cast<uint8_t*>(slot) + kSlotHeaderSize) {}
  // Room for a record of up to `max_size` bytes (multiple of 8), contiguous; null when the ring is too full.
  uint8_t* begin(uint32_t max_size);
  // Publishes the first `size` bytes of it.
  void commit(uint32_t size);

 private:
  SlotHeader* slot_;
  uint8_t* ring_;
  uint64_t at_ = 0;
};

// The spooler's side. Reads on from the record that was released last.
class Consumer {
 public:
  explicit Consumer(SlotHeader* slot, uint32_t ring_size)
      : slot_(slot),
        ring_(reinterpret_cast<uint8_t*>(slot) + kSlotHeaderSize),
        ring_size_(ring_size),
        at_(slot->tail.load(std::memory_order_relaxed)),
        next_at_(at_) {}
  // The next record, valid until release(); null when there is none. A damaged record empties the ring; the
  // samples that were in it are counted as DropCause::kCorrupt.
  const RawSample* next();
  // Done with that record; the ring keeps it.
  void pass();
  // Not done with it: whoever reads on from release() is given it again.
  void leave();
  // Done with all records so far: the producer may have their room.
  void release();
  static const Frame* frames(const RawSample* s) { return reinterpret_cast<const Frame*>(s + 1); }
  static const uint64_t* clr_frames(const RawSample* s) {
    return reinterpret_cast<const uint64_t*>(s + 1) + s->frames;
  }

 private:
  void drop_all(uint64_t head);
  SlotHeader* slot_;
  uint8_t* ring_;
  uint32_t ring_size_;
  uint64_t at_;       // where the next record begins
  uint64_t next_at_;  // behind the record that was given
  bool sample_given_ = false;
};

}  // namespace walkabout::wire
