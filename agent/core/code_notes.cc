#include "agent/core/code_notes.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace walkabout::agent {
namespace {

constexpr uint64_t kStep = 64 << 10;  // memory comes in such chunks

}  // namespace

void CodeNotes::begin(Rings& rings) {
  if (!rings.back_notes(0, 0).ok()) return;
  rings_ = &rings;
  header_ = new (rings.notes()) wire::NotesHeader;
  bytes_ = rings.notes() + wire::kSlotHeaderSize;
  owner_ = ::getpid();
  begin_ = end_ = backed_ = 0;
}

void CodeNotes::add(std::string_view records) {
  if (header_ == nullptr || records.empty() || ::getpid() != owner_) return;
  const auto size = static_cast<uint32_t>(records.size());
  if (records.size() > wire::kLongestNote || !make_room(sizeof size + size)) {
    header_->lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  copy(end_, &size, sizeof size);
  copy(end_ + sizeof size, records.data(), size);
  end_ += sizeof size + size;
  header_->end.store(end_, std::memory_order_release);
}

bool CodeNotes::make_room(uint64_t size) {
  const uint64_t end = end_ + size;
  while (backed_ < std::min<uint64_t>(end, wire::kNotesSize)) {
    if (!rings_->back_notes(backed_, kStep).ok()) return false;
    backed_ += kStep;
  }
  while (end - begin_ > wire::kNotesSize) {
    begin_ += std::min<uint64_t>(sizeof(uint32_t) + size_at(begin_), end_ - begin_);
    header_->lost.fetch_add(1, std::memory_order_relaxed);
  }
  // seq_cst: no byte of what it leaves behind is overwritten before (partner: a reader's second look).
  header_->begin.store(begin_);
  return true;
}

void CodeNotes::copy(uint64_t at, const void* bytes, size_t size) {
  const uint64_t place = at % wire::kNotesSize;
  const size_t first = std::min<size_t>(size, wire::kNotesSize - place);
  std::memcpy(bytes_ + place, bytes, first);
  std::memcpy(bytes_, static_cast<const uint8_t*>(bytes) + first, size - first);
}

uint32_t CodeNotes::size_at(uint64_t at) const {
  uint32_t size = 0;
  const uint64_t place = at % wire::kNotesSize;
  const size_t first = std::min<size_t>(sizeof size, wire::kNotesSize - place);
  std::memcpy(&size, bytes_ + place, first);
  std::memcpy(reinterpret_cast<uint8_t*>(&size) + first, bytes_, sizeof size - first);
  return size;
}

}  // namespace walkabout::agent
