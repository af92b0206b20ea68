#include "agent/core/text_notes.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace walkabout::agent {
namespace {

constexpr uint64_t kNoRoom = std::numeric_limits<uint64_t>::max();

}  // namespace

void TextNotes::begin(Rings& rings) {
  if (!rings.back_text_notes(0, 0).ok()) return;
  rings_ = &rings;
  header_ = new (rings.text_notes()) wire::TextNotesHeader;
  bytes_ = rings.text_notes() + wire::kSlotHeaderSize;
  owner_ = ::getpid();
  make_room();
}

void TextNotes::make_room() {
  if (header_ == nullptr || no_more_ || ::getpid() != owner_) return;
  const uint64_t backed = header_->backed.load(std::memory_order_relaxed);
  const uint64_t wanted =
      std::min<uint64_t>(header_->used.load(std::memory_order_relaxed) + kAhead, wire::kTextNotesSize);
  if (backed >= wanted) return;
  const uint64_t end = std::min<uint64_t>(backed + kAhead, wire::kTextNotesSize);
  no_more_ = !rings_->back_text_notes(backed, end - backed).ok();
  if (!no_more_) header_->backed.store(end, std::memory_order_release);  // partner: room_for()
}

// Where an entry of that size may be written.
uint64_t TextNotes::room_for(uint64_t size) {
  const uint64_t backed = header_->backed.load(std::memory_order_acquire);  // partner: make_room()
  uint64_t at = header_->used.load(std::memory_order_relaxed);
  while (at + size <= backed) {
    if (header_->used.compare_exchange_weak(at, at + size, std::memory_order_relaxed)) return at;
  }
  return kNoRoom;
}

void TextNotes::add(base::TextId id, std::span<const uint8_t> utf16, bool cut, bool message) {
  if (header_ == nullptr || utf16.empty() || ::getpid() != owner_) return;
  const wire::TextNote note{id, static_cast<uint32_t>(utf16.size()), cut, message};
  const uint64_t at = utf16.size() <= wire::TextNote::kLongest ? room_for(note.entry_size()) : kNoRoom;
  if (at == kNoRoom) {
    header_->lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  auto& head = *reinterpret_cast<std::atomic<uint64_t>*>(bytes_ + at);
  head.store(note.head(), std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);  // the bytes come behind it
  std::memcpy(bytes_ + at + sizeof head, utf16.data(), utf16.size());
  head.store(note.head() | wire::TextNote::kWritten, std::memory_order_release);  // partner: a reader's copy
}

}  // namespace walkabout::agent
