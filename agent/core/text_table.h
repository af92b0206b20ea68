// Texts that labels of samples stand for, as threads meet them in the middle of the runtime: names of types.
// A text has one id for the life of the table, and the spooler emits it with the first sample that has the
// id.
//
// A text that gets an id is also noted in the ring memory, for a process that dies (agent/core/text_notes.h).
//
// id_of(): any thread, also inside a collection; no lock, no allocation, no wait. A table that is full has no
// ids for new texts. note_in(): once, before id_of(). text() and make_room(): the spooler.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "agent/core/text_notes.h"
#include "agent/shared/pages.h"
#include "base/ids.h"

namespace walkabout::agent {

class TextTable {
 public:
  static constexpr size_t kMostTexts = 65'536;
  static constexpr size_t kMostBytes = 8 << 20;     // of all of them; memory where it is used alone
  static constexpr size_t kLongestBytes = 512;      // what is longer is cut, and ends in three dots
  static constexpr size_t kSlots = wire::kTextIds;  // ids are below this

  TextTable();
  // The mapping is there, and outlives this.
  void note_in(Rings& rings) { notes_.begin(rings); }
  // For notes; in every pass.
  void make_room() { notes_.make_room(); }
  // utf16: unaligned, little endian. No id where there is no room for it.
  base::TextId id_of(std::span<const uint8_t> utf16);
  // The same of texts of which there may be very many, as names of methods: they and messages take half of
  // the room.
  base::TextId id_of_many(std::span<const uint8_t> utf16);
  // Of "type.name"; without a dot where there is no type.
  base::TextId id_of_many(std::span<const uint8_t> type, std::span<const uint8_t> name);
  // A message is another text than a name that reads the same: --redact leaves it out.
  base::TextId id_of_message(std::span<const uint8_t> utf16);
  // In UTF-8. Empty where the id is nobody's, or its thread has not written it yet.
  std::string text(base::TextId id) const;
  // Texts for which there was no room.
  uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  struct Slot {
    std::atomic<uint64_t> hash{0};  // 0: free
    std::atomic<uint64_t> place{
        0};  // where its bytes begin << 16, with how many there are; 0: not yet, or no room
  };
  // "type.name" in two parts, so that nobody needs room on its stack to join them.
  struct Text {
    std::span<const uint8_t> type, name;
  };
  bool has_half() const;
  base::TextId find(const Text& text, uint64_t seed, bool may_add);
  base::TextId add(Slot& slot, const Text& text, bool message);

  mutable PagedArray<Slot> slots_;
  mutable PagedArray<uint8_t> bytes_;
  std::atomic<uint64_t> used_{1};  // of bytes_: 0 is nobody's place
  std::atomic<uint32_t> texts_{0};
  std::atomic<uint64_t> refused_{0};
  TextNotes notes_;
};

}  // namespace walkabout::agent
