// For tests: the ring memory of an agent, to be filled with samples and handed to the collector. One thread.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "wire/notes.h"
#include "wire/ring.h"
#include "wire/sums.h"
#include "wire/text_note.h"

namespace walkabout::cli::testing {

class TestRings {
 public:
  static constexpr uint32_t kRing = 4096;

  explicit TestRings(uint32_t ring_size = kRing)
      : fd_(::memfd_create("test-rings", MFD_CLOEXEC)), size_(wire::mapping_size(ring_size)) {
    if (::ftruncate(fd_.get(), static_cast<off_t>(size_)) != 0) return;
    void* memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_.get(), 0);
    memory_ = static_cast<uint8_t*>(memory);
    new (memory_) wire::RingHeader;
    header()->ring_size = ring_size;
    header()->slots = wire::slots_of(ring_size);
  }
  ~TestRings() { ::munmap(memory_, size_); }
  TestRings(const TestRings&) = delete;
  TestRings& operator=(const TestRings&) = delete;

  int fd() const { return fd_.get(); }
  wire::RingHeader* header() { return reinterpret_cast<wire::RingHeader*>(memory_); }
  uint8_t* at(uint32_t slot) { return memory_ + wire::slot_offset(slot, header()->ring_size); }
  wire::SlotHeader* slot(uint32_t index) { return reinterpret_cast<wire::SlotHeader*>(at(index)); }

  // A thread that has nothing in its ring yet.
  wire::SlotHeader* arm(uint32_t index, uint32_t thread, uint32_t tid) {
    auto* slot = new (at(index)) wire::SlotHeader;
    slot->ring_size = header()->ring_size;
    slot->thread = thread;
    slot->tid = tid;
    return slot;
  }
  // A note about code, as the agent writes it.
  void note(const std::string& records) {
    uint8_t* notes = memory_ + wire::notes_offset(header()->ring_size);
    auto* shared = reinterpret_cast<wire::NotesHeader*>(notes);
    const auto size = static_cast<uint32_t>(records.size());
    std::string entry(reinterpret_cast<const char*>(&size), sizeof size);
    entry += records;
    for (const char c : entry)
      notes[wire::kSlotHeaderSize + shared->end++ % wire::kNotesSize] = static_cast<uint8_t>(c);
  }
  wire::NotesHeader* notes() {
    return reinterpret_cast<wire::NotesHeader*>(memory_ + wire::notes_offset(header()->ring_size));
  }
  // A text's note, as the agent writes it.
  void note_text(base::TextId id, std::u16string_view text) {
    auto* bytes = reinterpret_cast<uint8_t*>(text_notes()) + wire::kSlotHeaderSize;
    const wire::TextNote note{id, static_cast<uint32_t>(text.size() * sizeof(char16_t))};
    const uint64_t head = note.head() | wire::TextNote::kWritten;
    uint8_t* entry = bytes + text_notes()->used.fetch_add(note.entry_size());
    std::memcpy(entry, &head, sizeof head);
    std::memcpy(entry + sizeof head, text.data(), note.size);
  }
  wire::TextNotesHeader* text_notes() {
    return reinterpret_cast<wire::TextNotesHeader*>(memory_ + wire::text_notes_offset(header()->ring_size));
  }
  // Zeroes are sums without a row.
  wire::Sums* sums() {
    return reinterpret_cast<wire::Sums*>(memory_ + wire::sums_offset(header()->ring_size));
  }
  // A sum that nothing was emitted of.
  wire::SumRow* sum(size_t index, uint32_t thread, base::SourceId source,
                    std::initializer_list<uint64_t> values, std::initializer_list<uint64_t> labels) {
    sums()->keys[index] = wire::Sums::kLeastHash + index;
    wire::SumRow* row = &sums()->rows[index];
    row->thread = thread;
    row->source = source.value;
    std::copy(values.begin(), values.end(), row->values);
    std::copy(labels.begin(), labels.end(), row->labels);
    return row;
  }
  uint8_t* ring(uint32_t index, wire::Lane lane) {
    return memory_ + wire::lane_offset(index, lane, header()->ring_size);
  }
  // One sample as the handler writes it, frames leaf first.
  wire::RawSample* sample(uint32_t index, uint64_t time_ns, std::initializer_list<wire::Frame> frames) {
    return sample({index, time_ns, frames});
  }
  struct Captured {
    uint32_t slot = 0;
    uint64_t time_ns = 0;
    std::vector<wire::Frame> frames;
    wire::Lane lane = wire::Lane::kHandler;
    base::SourceId source = base::SourceId(1);
    std::vector<uint64_t> values = {1'000'000};
    std::vector<uint64_t> labels;
    uint32_t subject = 0;
    uint32_t number = 0;  // of the subject's
  };
  wire::RawSample* sample(const Captured& c) {
    wire::SlotHeader* shared = slot(c.slot);
    wire::LaneHeader& lane = shared->lane(c.lane);
    const size_t words = c.values.size() - 1 + c.labels.size() + c.frames.size();
    const auto size = static_cast<uint32_t>(sizeof(wire::RawSample) + words * sizeof(wire::Frame));
    wire::Producer producer(lane, ring(c.slot, c.lane), shared->ring_size);
    uint8_t* room = producer.begin(size);
    if (room == nullptr) return nullptr;
    auto* raw = new (room) wire::RawSample;
    raw->size = size;
    raw->type = static_cast<uint8_t>(wire::RawType::kSample);
    raw->time_ns = c.time_ns;
    raw->source = static_cast<uint8_t>(c.source.value);
    raw->value = c.values[0];
    raw->more_values = static_cast<uint8_t>(c.values.size() - 1);
    raw->labels = static_cast<uint8_t>(c.labels.size());
    raw->frames = static_cast<uint32_t>(c.frames.size());
    auto* word = reinterpret_cast<uint64_t*>(raw + 1);
    word = std::copy(c.values.begin() + 1, c.values.end(), word);
    word = std::copy(c.labels.begin(), c.labels.end(), word);
    std::memcpy(word, c.frames.data(), c.frames.size() * sizeof(wire::Frame));
    wire::SourceAccount& account = lane.of(c.source);
    raw->subject = c.subject;
    raw->index = c.subject != 0 ? c.number : static_cast<uint32_t>(account.samples.load());
    account.attempts += 1;
    account.samples += 1;
    producer.commit(size);
    return raw;
  }

 private:
  base::Fd fd_;
  size_t size_;
  uint8_t* memory_ = nullptr;
};

}  // namespace walkabout::cli::testing
