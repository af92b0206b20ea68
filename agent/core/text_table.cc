#include "agent/core/text_table.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/byte_hash.h"
#include "clr/names/utf16.h"

namespace walkabout::agent {
namespace {

constexpr size_t kMostTextProbes = 64;

constexpr std::array<uint8_t, 2> kDot{'.', 0};

// Texts with one hash, of 64 bits, are taken for one text. Seeds of it:
constexpr uint64_t kNames = 1, kMessages = 2;

static_assert(TextTable::kSlots >= 2 * TextTable::kMostTexts, "places are found soon");
static_assert(TextTable::kMostBytes + TextTable::kMostTexts * sizeof(uint64_t) * 2 <= wire::kTextNotesSize,
              "all of them can be noted");

}  // namespace

TextTable::TextTable() : slots_(kSlots), bytes_(kMostBytes) {}

base::TextId TextTable::add(Slot& slot, const Text& text, bool message) {
  const std::span<const uint8_t> dot = text.type.empty() ? std::span<const uint8_t>() : kDot;
  const size_t all = text.type.size() + dot.size() + text.name.size();
  const size_t size = std::min(all, kLongestBytes);
  const uint64_t at = used_.fetch_add(size, std::memory_order_relaxed);
  if (at + size > kMostBytes || texts_.fetch_add(1, std::memory_order_relaxed) >= kMostTexts) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    return {};
  }
  std::span<uint8_t> room(&bytes_[at], size);
  for (const std::span<const uint8_t> part : {text.type, dot, text.name}) {
    const size_t taken = std::min(part.size(), room.size());
    std::copy_n(part.begin(), taken, room.begin());
    room = room.subspan(taken);
  }
  const bool cut = size < all;
  const base::TextId id(static_cast<uint32_t>(&slot - &slots_[0]));
  notes_.add(id, {&bytes_[at], size}, cut, message);
  slot.place.store(at << 16 | size << 1 | uint64_t{cut}, std::memory_order_release);  // partner: text()
  return id;
}

base::TextId TextTable::id_of(std::span<const uint8_t> utf16) { return find({{}, utf16}, kNames, true); }

base::TextId TextTable::id_of_many(std::span<const uint8_t> utf16) { return id_of_many({}, utf16); }

base::TextId TextTable::id_of_many(std::span<const uint8_t> type, std::span<const uint8_t> name) {
  return find({type, name}, kNames, has_half());
}

base::TextId TextTable::id_of_message(std::span<const uint8_t> utf16) {
  return find({{}, utf16}, kMessages, has_half());
}

bool TextTable::has_half() const {
  return used_.load(std::memory_order_relaxed) < kMostBytes / 2 &&
         texts_.load(std::memory_order_relaxed) < kMostTexts / 2;
}

base::TextId TextTable::find(const Text& text, uint64_t seed, bool may_add) {
  if (text.type.empty() && text.name.empty()) return {};
  const uint64_t of_type = text.type.empty() ? seed : base::hash_of(text.type, seed);
  const uint64_t hash = std::max<uint64_t>(base::hash_of(text.name, of_type), 1);  // 0: a free slot
  for (size_t probe = 0; probe < kMostTextProbes; ++probe) {
    const size_t at = (hash + probe) % kSlots;
    if (at == 0) continue;  // no id
    Slot& slot = slots_[at];
    uint64_t known = slot.hash.load(std::memory_order_relaxed);
    if (known == 0 && !may_add) break;
    if (known == 0 && slot.hash.compare_exchange_strong(known, hash, std::memory_order_relaxed))
      return add(slot, text, seed == kMessages);
    if (known == hash) return base::TextId(static_cast<uint32_t>(at));
  }
  refused_.fetch_add(1, std::memory_order_relaxed);
  return {};
}

std::string TextTable::text(base::TextId id) const {
  if (!wire::is_text_id(id)) return {};
  const uint64_t place = slots_[id.value].place.load(std::memory_order_acquire);  // partner: add()
  if (place == 0) return {};
  const size_t size = place >> 1 & 0x7fff;
  return clr::to_utf8({&bytes_[place >> 16], size}, (place & 1) != 0);
}

}  // namespace walkabout::agent
