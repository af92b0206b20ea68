// For tests: the ring memory of an agent, to be filled with samples and handed to the collector. One thread.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <initializer_list>
#include <new>
#include <string>

#include "base/fd.h"
#include "wire/notes.h"
#include "wire/ring.h"

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
  // One sample as the handler writes it, frames leaf first.
  wire::RawSample* sample(uint32_t index, uint64_t time_ns, std::initializer_list<wire::Frame> frames) {
    wire::SlotHeader* shared = slot(index);
    const auto size = static_cast<uint32_t>(sizeof(wire::RawSample) + frames.size() * sizeof(wire::Frame));
    wire::Producer producer(shared);
    uint8_t* room = producer.begin(size);
    if (room == nullptr) return nullptr;
    auto* raw = new (room) wire::RawSample;
    raw->size = size;
    raw->type = static_cast<uint8_t>(wire::RawType::kSample);
    raw->time_ns = time_ns;
    raw->value = 1'000'000;
    raw->frames = static_cast<uint32_t>(frames.size());
    std::memcpy(room + sizeof *raw, frames.begin(), frames.size() * sizeof(wire::Frame));
    raw->index = static_cast<uint32_t>(shared->samples.load());
    shared->attempts += 1;
    shared->samples += 1;
    producer.commit(size);
    return raw;
  }

 private:
  base::Fd fd_;
  size_t size_;
  uint8_t* memory_ = nullptr;
};

}  // namespace walkabout::cli::testing
