// Notes about texts: what labels of samples stand for, written down as a text gets its id. The spooler emits
// a text only with the first sample that has it; who reads the ring memory of a process that died before
// finds it here (collect/recovery.h).
//
// They lie behind the notes about code in the same mapping: a header, then kTextNotesSize bytes of entries,
// each of whole words: a head, then the text's bytes, UTF-16 and little endian. Any number of threads write,
// none waits: each takes its room from `used`, stores the head without kWritten, copies the bytes and stores
// the head with it. A reader skips an entry without kWritten by its size, and a word that is no head, for a
// thread may die before it stores one. Only bytes below `backed` exist; nothing is ever overwritten.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "wire/ring.h"

namespace walkabout::wire {

inline constexpr uint32_t kTextIds = 1u << 17;  // ids are below this
constexpr bool is_text_id(base::TextId id) { return id.valid() && id.value < kTextIds; }

struct TextNotesHeader {
  std::atomic<uint64_t> used{0};    // bytes that belong to entries
  std::atomic<uint64_t> backed{0};  // bytes whose memory exists
  std::atomic<uint64_t> lost{0};    // texts that had no room
};
static_assert(sizeof(TextNotesHeader) <= kSlotHeaderSize);

// The head of an entry. Bits: 0 it is written, 1 cut, 2 to 16 size, 17 message, 18 to 31 kMark, 32 to 63 id.
struct TextNote {
  static constexpr size_t kLongest = 0x7fff;  // bytes
  static constexpr uint64_t kWritten = 1;

  base::TextId id;
  uint32_t size = 0;     // bytes of the text; not 0
  bool cut = false;      // it was longer
  bool message = false;  // the program's data, as an exception's message

  uint64_t head() const {
    return uint64_t{id.value} << 32 | kMark << 18 | uint64_t{message} << 17 | uint64_t{size} << 2 |
           uint64_t{cut} << 1;
  }
  static bool is_head(uint64_t word) {
    const TextNote note = of(word);
    return (word >> 18 & 0x3fff) == kMark && is_text_id(note.id) && note.size != 0;
  }
  static TextNote of(uint64_t head) {
    return {base::TextId(static_cast<uint32_t>(head >> 32)), static_cast<uint32_t>(head >> 2 & kLongest),
            (head & 2) != 0, (head >> 17 & 1) != 0};
  }
  // With its head.
  uint64_t entry_size() const { return sizeof(uint64_t) + (uint64_t{size} + 7) / 8 * 8; }

 private:
  static constexpr uint64_t kMark = 0x2e57;
};

}  // namespace walkabout::wire
