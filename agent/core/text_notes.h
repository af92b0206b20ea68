// Writes the notes about texts into the ring memory (wire/text_note.h). Without begin() it writes nothing.
// Thread rule: begin() first; make_room() one thread at a time, the spooler; add() any thread: no lock, no
// allocation, no wait. A forked child shares the memory: it writes nothing.
#pragma once

#include <cstdint>
#include <span>

#include "agent/shared/rings.h"
#include "wire/text_note.h"

namespace walkabout::agent {

class TextNotes {
 public:
  // Threads may write so many bytes, and up to twice as many, between two calls of make_room().
  static constexpr uint64_t kAhead = 256 << 10;

  // The mapping is there, and stays.
  void begin(Rings& rings);
  void make_room();
  // A text has got its id. utf16: its first bytes; cut: it has more; message: it is the program's data. What
  // does not fit is counted.
  void add(base::TextId id, std::span<const uint8_t> utf16, bool cut, bool message);

 private:
  uint64_t room_for(uint64_t size);

  Rings* rings_ = nullptr;
  wire::TextNotesHeader* header_ = nullptr;
  uint8_t* bytes_ = nullptr;
  int owner_ = 0;         // the process whose notes they are
  bool no_more_ = false;  // there was no memory
};

}  // namespace walkabout::agent
