// What is kept of one thread: its shadow stack and its figures. Written by the thread alone, inside of
// probes, unless a member says otherwise; others read what is atomic. It stays where it is as long as the
// process lives; a thread that ends leaves it to another.
//
// The shadow stack: frames_[1] is the outermost; a frame stands there while its number is not 0. Who pushes
// writes the number last, who pops clears it first: between two numbers that are the same a frame did not
// change (shadow_copy.cc).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "agent/trace/kept_calls.h"
#include "wire/trace_bucket.h"

namespace walkabout::agent {

// Of one writer.
struct TraceCount {
  std::atomic<uint64_t> value{0};
  void add(uint64_t n) { value.store(get() + n, std::memory_order_relaxed); }
  void set(uint64_t n) { value.store(n, std::memory_order_relaxed); }
  uint64_t get() const { return value.load(std::memory_order_relaxed); }
};

// What a thread did in one node, in ticks. Lies in TraceMemory, so zeroes are one that was never used.
struct NodeFigures {
  struct Child {
    uint32_t method;   // and 1
    uint32_t figures;  // place; kFolded
  };
  static constexpr uint32_t kChildren = 3, kFolded = 1u << 31;

  uint32_t node;
  uint32_t next;                 // of the thread's, the one before it; written before it is published
  std::atomic<uint32_t> spread;  // the last TraceSpreadPart; release, partner: who emits
  uint32_t last_part;            // that was counted in
  Child children[kChildren];     // methods that were called lately
  uint64_t emitted;              // who emits: what the figures added up to then
  TraceCount calls, wall, self, off, self_off, waiting, exceptions, least, most, allocated;
};
static_assert(sizeof(NodeFigures) == 128);

// Calls by how long they took: eight of the buckets (wire::trace_bucket).
struct TraceSpreadPart {
  uint32_t next;
  uint32_t group;  // bucket / 8
  TraceCount calls[8];
};
static_assert(sizeof(TraceSpreadPart) == 72);

struct TraceFrame {
  enum Flag : uint16_t {
    kUntimed = 1,  // only counts
    kFolded = 2,   // its node is that of a frame below it too
    kBlank = 4,    // it is not traced for want of room; figures: of the frame below
    kAsync = 8,    // goes on with an OpenCall
    kUnseen = 16,  // of an async method whose beginning was not seen: counts nothing
  };
  std::atomic<uint64_t> number;
  std::atomic<uint64_t> begin;  // of the clock
  uint64_t off_begin;           // ThreadTrace::off then
  uint64_t children;            // ticks in traced calls above it
  uint64_t children_off;        // of them, that the thread did not run
  std::atomic<uint32_t> node;   // 0: kBlank
  std::atomic<uint32_t> method;
  std::atomic<uint32_t> call;    // its number, where it has one
  uint32_t figures;              // place
  std::atomic<uint16_t> values;  // where they begin in ThreadTrace::values
  std::atomic<uint16_t> value_bytes;
  std::atomic<uint16_t> flags;
  std::atomic<uint16_t> open;  // kAsync: number of the OpenCall
};
static_assert(sizeof(TraceFrame) == 64);

// A frame's number: how many changes the stack had had, and its place.
inline constexpr uint32_t kFramePlaceBits = 17;
constexpr uint32_t frame_place(uint64_t number) { return number & ((1u << kFramePlaceBits) - 1); }

struct ThreadTrace {
  enum class State : uint32_t {
    kFree,
    kUsed,   // a thread's
    kEnded,  // it has ended; what it counted is not emitted yet
  };
  // How it is known how long the thread runs.
  enum class CpuClock : uint32_t {
    kNone,      // it is not, of no thread
    kCalls,     // by system calls, until there is a count of its switches
    kUnknown,   // no more; nor when it ran
    kSwitches,  // exactly
  };
  static constexpr uint32_t kMapBlock = 64;  // nodes whose figures are looked up in one block

  // What each probe looks at.
  TraceFrame* frames;
  std::atomic<uint32_t> recording;                     // whose its content is; release, partner: who emits
  uint32_t depth;                                      // the place of the innermost frame
  std::atomic<uint64_t> changes;                       // of the shadow stack
  std::atomic<const std::atomic<uint32_t>*> switches;  // SwitchCounts; never null; also by who emits
  uint64_t off;                                        // ticks the thread did not run, as far as it knows
  uint32_t seen_switches;
  uint32_t most_frames;
  uint32_t* map;  // by node / kMapBlock: place of its figures' places
  uint32_t map_size;
  uint32_t bump, bump_end;        // places in the unit that is given out from
  uint32_t units;                 // the last one that was taken
  std::atomic<uint32_t> figures;  // the last ones that were made; release, partner: who emits
  uint64_t beyond;                // calls that are on by their methods and too deep for a frame
  // When off was known exactly last.
  uint64_t run_ticks, run_ns;
  uint32_t clock_calls;       // how often off was had by a system call
  std::atomic<uint32_t> cpu;  // CpuClock
  uint8_t* values;            // kMostThreadValueBytes
  uint64_t* stack_pointers;   // by frame: that of its method's caller, of hooked methods (agent/hooks)

  std::atomic<uint32_t> state;
  std::atomic<uint32_t> thread;  // base::ThreadId
  std::atomic<uint64_t> tid;
  // In what may not go on while a recording ends: seq_cst, as the recording's number (TraceProcess).
  std::atomic<uint32_t> busy;
  std::atomic<uint64_t> bytes;  // all of it; who makes it
  TraceCount too_deep, no_room, unmatched, without_cpu;
  KeptCalls kept;

  TraceFrame& top() { return frames[depth]; }
};

}  // namespace walkabout::agent
