// The ring memory of another process (wire/ring.h), read through its descriptor: slot by slot into a copy,
// because the process may live and write, may shrink the memory or be no agent at all. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "wire/ring.h"
#include "wire/sums.h"

namespace walkabout::cli {

class RingFile {
 public:
  // An error says why this is not the ring memory of an agent of this version. `fd` is borrowed.
  static base::Result<RingFile> open(int fd);

  const wire::RingTotals& gone() const { return header_->gone; }
  uint32_t ring_size() const { return header_->ring_size; }

  // A copy of slot `index` with its samples, until the next call; null when no thread has it. When the
  // process goes on meanwhile, its indexes and its samples are of one moment all the same.
  wire::SlotHeader* read_slot(uint32_t index);
  // The ring of a lane of that copy.
  wire::Consumer ring(wire::Lane lane);
  uint32_t slots() const { return header_->slots; }
  // The notes about code (wire/notes.h), entries one behind the other; lost: those that are no longer among
  // them. Empty when they make no sense.
  std::string read_notes(uint64_t* lost) const;
  // The same of the notes about texts (wire/text_note.h); lost: those that had no room.
  std::string read_text_notes(uint64_t* lost) const;
  // A copy of the sums (wire/sums.h), until the end of this object; null when they cannot be read.
  const wire::Sums* read_sums();
  // The calls of each method (wire/counter_blocks.h); empty where none are counted, or they cannot be read.
  std::vector<uint64_t> read_calls() const;
  // Slots were left out: more memory than an agent uses.
  bool too_large() const { return too_large_; }

 private:
  struct FreePages {
    void operator()(uint8_t* memory) const;
  };
  using Pages = std::unique_ptr<uint8_t, FreePages>;

  RingFile(int fd, Pages memory);
  static Pages allocate(size_t size);
  bool read(uint64_t offset, void* to, size_t size) const;
  // Of the slot at hand. False: they cannot be read, or that would be too much.
  bool read_rings(uint32_t index);
  uint8_t* copy_of(wire::Lane lane) {
    return slot_.get() + wire::kSlotHeaderSize + static_cast<size_t>(lane) * ring_size();
  }

  int fd_;
  Pages first_page_;
  const wire::RingHeader* header_;
  Pages slot_;
  Pages sums_;
  uint64_t bytes_read_ = 0;
  bool too_large_ = false;
};

}  // namespace walkabout::cli
