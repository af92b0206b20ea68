#include "collect/ring_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "wire/counter_blocks.h"
#include "wire/notes.h"
#include "wire/text_note.h"

namespace walkabout::cli {
namespace {

constexpr uint32_t kSmallestRing = 1024;
constexpr uint32_t kLargestRing = 16u << 20;
constexpr int kTries = 3;
constexpr size_t kCacheLine = 64;  // divides every size here, as aligned_alloc asks

bool power_of_two(uint32_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace

void RingFile::FreePages::operator()(uint8_t* memory) const { std::free(memory); }

RingFile::Pages RingFile::allocate(size_t size) {
  auto* memory = static_cast<uint8_t*>(std::aligned_alloc(kCacheLine, size));
  if (memory != nullptr) std::memset(memory, 0, size);
  return Pages(memory);
}

RingFile::RingFile(int fd, Pages memory)
    : fd_(fd),
      first_page_(std::move(memory)),
      header_(reinterpret_cast<const wire::RingHeader*>(first_page_.get())) {}

base::Result<RingFile> RingFile::open(int fd) {
  // Only memory can be sealed: reading any other file might wait.
  struct stat s {};
  if (::fcntl(fd, F_GET_SEALS) < 0 || ::fstat(fd, &s) != 0) return base::Status::error("it is not memory");
  RingFile file(fd, allocate(wire::kSlotHeaderSize));
  if (file.first_page_ == nullptr || !file.read(0, file.first_page_.get(), sizeof(wire::RingHeader))) {
    return base::Status::error("it cannot be read");
  }
  const wire::RingHeader& h = *file.header_;
  if (h.magic != wire::kRingMagic || h.version != wire::kRingVersion)
    return base::Status::error("the agent is of another version");
  if (!power_of_two(h.ring_size) || h.ring_size < kSmallestRing || h.ring_size > kLargestRing ||
      h.slots != wire::slots_of(h.ring_size) ||
      static_cast<uint64_t>(s.st_size) < wire::mapping_size(h.ring_size)) {
    return base::Status::error("its sizes make no sense");
  }
  file.slot_ = allocate(wire::kSlotHeaderSize + size_t{wire::kLanes} * h.ring_size);
  if (file.slot_ == nullptr) return base::Status::error("there is no memory for a copy");
  return file;
}

bool RingFile::read(uint64_t offset, void* to, size_t size) const {
  auto* at = static_cast<uint8_t*>(to);
  while (size > 0) {
    const ssize_t n = ::pread(fd_, at, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, offset += static_cast<uint64_t>(n), size -= static_cast<size_t>(n);
  }
  return true;
}

std::string RingFile::read_notes(uint64_t* lost) const {
  const uint64_t offset = wire::notes_offset(ring_size());
  wire::NotesHeader before, after;
  if (!read(offset, &before, sizeof before)) return "";
  const uint64_t from = before.begin, end = before.end;
  if (from > end || end - from > wire::kNotesSize) return "";
  std::string notes(end - from, '\0');
  const uint64_t place = from % wire::kNotesSize;
  const size_t first = std::min<size_t>(notes.size(), wire::kNotesSize - place);
  const uint64_t bytes = offset + wire::kSlotHeaderSize;
  if (!read(bytes + place, notes.data(), first) || !read(bytes, notes.data() + first, notes.size() - first) ||
      !read(offset, &after, sizeof after))
    return "";
  *lost = after.lost;
  const uint64_t begin = after.begin;  // what lies in front of it may have been overwritten meanwhile
  return begin < from || begin > end ? "" : notes.substr(begin - from);
}

std::string RingFile::read_text_notes(uint64_t* lost) const {
  const uint64_t offset = wire::text_notes_offset(ring_size());
  wire::TextNotesHeader header;
  if (!read(offset, &header, sizeof header) || header.used > wire::kTextNotesSize) return "";
  std::string notes(header.used, '\0');
  if (!read(offset + wire::kSlotHeaderSize, notes.data(), notes.size())) return "";
  *lost = header.lost;
  return notes;
}

const wire::Sums* RingFile::read_sums() {
  sums_ = allocate(sizeof(wire::Sums));
  if (sums_ == nullptr || !read(wire::sums_offset(ring_size()), sums_.get(), sizeof(wire::Sums)))
    return nullptr;
  return reinterpret_cast<const wire::Sums*>(sums_.get());
}

// The process may go on: more blocks and counters than it had when it was opened. A block may have fewer than
// others, and the file end there.
std::vector<uint64_t> RingFile::read_calls() const {
  wire::RingHeader now;
  if (!read(0, static_cast<void*>(&now), sizeof now)) return {};
  const uint32_t counters = std::min(now.counters.load(), wire::kMostCountedMethods);
  const uint32_t blocks = std::min(now.counter_blocks.load(), wire::kMostCounterBlocks);
  std::vector<uint64_t> sums(counters), block(counters);
  for (uint32_t i = 0; i < blocks; ++i) {
    std::fill(block.begin(), block.end(), 0);
    static_cast<void>(
        read(wire::counter_block_offset(i, ring_size()), block.data(), counters * sizeof(uint64_t)));
    for (uint32_t k = 0; k < counters; ++k) sums[k] += block[k];
  }
  return sums;
}

wire::Consumer RingFile::ring(wire::Lane lane) {
  auto* slot = reinterpret_cast<wire::SlotHeader*>(slot_.get());
  return {slot->lane(lane), copy_of(lane), ring_size()};
}

bool RingFile::read_rings(uint32_t index) {
  const auto* slot = reinterpret_cast<const wire::SlotHeader*>(slot_.get());
  for (const wire::Lane lane : {wire::Lane::kHandler, wire::Lane::kCallback}) {
    if (slot->lane(lane).head == slot->lane(lane).tail) continue;
    bytes_read_ += ring_size();
    if (bytes_read_ > wire::kRingBudget) {
      too_large_ = true;
      return false;
    }
    if (!read(wire::lane_offset(index, lane, ring_size()), copy_of(lane), ring_size())) return false;
  }
  return true;
}

wire::SlotHeader* RingFile::read_slot(uint32_t index) {
  const uint64_t offset = wire::slot_offset(index, ring_size());
  auto* slot = reinterpret_cast<wire::SlotHeader*>(slot_.get());
  // Most slots are nobody's.
  if (!read(offset, slot, offsetof(wire::SlotHeader, lanes)) || slot->thread == 0) return nullptr;
  for (int i = 0; i < kTries; ++i) {
    if (!read(offset, slot, sizeof *slot) || slot->thread == 0) return nullptr;
    if (slot->ticks().head == slot->ticks().tail &&
        slot->lane(wire::Lane::kCallback).head == slot->lane(wire::Lane::kCallback).tail)
      return slot;
    if (!read_rings(index)) return nullptr;
    // Nobody wrote between tail and head if the tail stands where it stood.
    alignas(wire::SlotHeader) uint8_t bytes[sizeof(wire::SlotHeader)];
    if (!read(offset, bytes, sizeof bytes)) return nullptr;
    const auto* now = reinterpret_cast<const wire::SlotHeader*>(bytes);
    const bool stands =
        std::equal(std::begin(now->lanes), std::end(now->lanes), slot->lanes,
                   [](const wire::LaneHeader& a, const wire::LaneHeader& b) { return a.tail == b.tail; });
    if (now->thread == slot->thread && stands) return slot;
  }
  return nullptr;
}

}  // namespace walkabout::cli
