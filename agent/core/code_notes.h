// Writes the notes about code into the ring memory (wire/notes.h). Without begin() it writes nothing. Thread
// rule: begin() first; add() one thread at a time (CodeRegistry calls it under its lock). A forked child
// shares the memory: it writes nothing, and the positions that are worked with are not those that lie there.
#pragma once

#include <string_view>

#include "agent/shared/rings.h"
#include "wire/notes.h"

namespace walkabout::agent {

class CodeNotes {
 public:
  // The mapping is there, and stays.
  void begin(Rings& rings);
  bool begun() const { return header_ != nullptr; }
  // Records that explain one region of code. What does not fit is counted.
  void add(std::string_view records);

 private:
  bool make_room(uint64_t size);
  void copy(uint64_t at, const void* bytes, size_t size);
  uint32_t size_at(uint64_t at) const;

  Rings* rings_ = nullptr;
  wire::NotesHeader* header_ = nullptr;
  uint8_t* bytes_ = nullptr;
  int owner_ = 0;       // the process whose notes they are
  uint64_t begin_ = 0;  // as in the header
  uint64_t end_ = 0;
  uint64_t backed_ = 0;  // bytes of the ring that exist
};

}  // namespace walkabout::agent
