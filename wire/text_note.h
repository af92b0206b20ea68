// Notes about texts: what labels of samples stand for, written down as a text gets its id. The spooler emits
// a text only with the first sample that has it; who reads the ring memory of a process that died before
// finds it here (collect/recovery.h).
//
// They lie behind the notes about code in the same mapping: a header, then kTextNotesSize bytes of entries,
// each of whole words: a head, then the text's bytes, UTF-16 and little endian. Any number of threads write,
// none waits: each takes its room from `used`, stores the head without kWritten, copies the bytes and stores
// the head with it. So an entry that is not whole, or whose thread died before its first store (zero), can be
// passed over. Only bytes below `backed` are there; nothing is ever overwritten.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "wire/ring.h"

namespace walkabout::wire {

struct TextNotesHeader {
  std::atomic<uint64_t> used{0};    // bytes that belong to entries
  std::atomic<uint64_t> backed{0};  // bytes whose memory exists
  std::atomic<uint64_t> lost{0};    // texts that had no room
};
static_assert(sizeof(TextNotesHeader) <= kSlotHeaderSize);

// The head of an entry.
struct TextNote {
  static constexpr size_t kLongest = 0x7fff;  // bytes
  static constexpr uint64_t kWritten = 1;

  base::TextId id;
  uint32_t size = 0;  // bytes of the text; not 0
  bool cut = false;   // it was longer

  uint64_t head() const { return uint64_t{id.value} << 32 | uint64_t{size} << 2 | uint64_t{cut} << 1; }
  static TextNote of(uint64_t head) {
    return {base::TextId(static_cast<uint32_t>(head >> 32)), static_cast<uint32_t>(head >> 2 & kLongest),
            (head & 2) != 0};
  }
  // With its head.
  uint64_t entry_size() const { return sizeof(uint64_t) + (uint64_t{size} + 7) / 8 * 8; }
};

}  // namespace walkabout::wire
