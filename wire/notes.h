// Notes about code: what a frame would be called, written down as the code appears. The spooler says it in
// the stream only with the first sample that needs it; who reads the ring memory of a process that died
// before finds it here (collect/recovery.h).
//
// They lie behind the rings in the same mapping: a header, then kNotesSize bytes that are a ring of entries.
// An entry is a size (u32) and so many bytes of records (wire/encode.h); the oldest give way to new ones. One
// writer at a time, no handler. Nothing half-written is ever visible: `end` is published last, and `begin`
// moves before what is in front of it is overwritten. A reader of a living process copies all and believes
// only what is not in front of the `begin` it reads afterwards.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wire/ring.h"

namespace walkabout::wire {

inline constexpr uint32_t kLongestNote = 64u << 10;

struct NotesHeader {
  std::atomic<uint64_t> begin{0};  // bytes ever written in front of the oldest entry
  std::atomic<uint64_t> end{0};    // bytes ever written; release, partner: a reader's copy
  std::atomic<uint64_t> lost{0};   // entries that gave way, or had no room
};
static_assert(sizeof(NotesHeader) <= kSlotHeaderSize);

}  // namespace walkabout::wire
