#include "wire/ring.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace walkabout::wire {
namespace {

class RingTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kSize = 4096;
  static constexpr std::align_val_t kPage{4096};
  RingTest() : memory_(static_cast<uint8_t*>(::operator new(kSlotHeaderSize + kSize, kPage))) {
    std::memset(memory_, 0, kSlotHeaderSize + kSize);
    slot_ = new (memory_) SlotHeader;
    slot_->ring_size = kSize;
  }
  ~RingTest() override { ::operator delete(memory_, kPage); }

  bool write(uint32_t frames, uint64_t mark) {
    const uint32_t size = sizeof(RawSample) + frames * 8;
    Producer p(slot_);
    uint8_t* at = p.begin(size);
    if (at == nullptr) return false;
    auto* s = new (at) RawSample;
    s->size = size;
    s->type = static_cast<uint8_t>(RawType::kSample);
    s->time_ns = mark;
    s->frames = frames;
    for (uint32_t i = 0; i < frames; ++i) {
      const Frame f = Frame::at_address(FrameKind::kStub, mark + i);
      std::memcpy(at + sizeof(RawSample) + i * 8, &f, 8);
    }
    slot_->cpu().samples.fetch_add(1);
    p.commit(size);
    return true;
  }

  uint8_t* memory_;
  SlotHeader* slot_;
};

TEST_F(RingTest, ReadsWhatWasWrittenInOrderAcrossManyWraps) {
  Consumer c(slot_, kSize);
  uint64_t written = 0, read = 0;
  for (int round = 0; round < 500; ++round) {
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(write(static_cast<uint32_t>((round * 7 + i) % 60), written++));
    while (const RawSample* s = c.next()) {
      EXPECT_EQ(s->time_ns, read);
      for (uint32_t i = 0; i < s->frames; ++i) EXPECT_EQ(Consumer::frames(s)[i].address(), read + i);
      ++read;
      c.release();
    }
  }
  EXPECT_EQ(read, written);
}

TEST_F(RingTest, RefusesWhatDoesNotFitAndLosesNothingWritten) {
  uint64_t n = 0;
  while (write(20, n)) ++n;
  EXPECT_GE(n, 18u);
  Consumer c(slot_, kSize);
  uint64_t read = 0;
  for (; c.next() != nullptr; c.release()) ++read;
  EXPECT_EQ(read, n);
  EXPECT_TRUE(write(20, 0));
}

TEST_F(RingTest, RefusesARecordLargerThanTheRing) {
  Producer p(slot_);
  EXPECT_EQ(p.begin(kSize + 8), nullptr);
}

TEST_F(RingTest, WriterThatDiesBetweenBeginAndCommitStallsNobody) {
  ASSERT_TRUE(write(3, 1));
  Producer dead(slot_);
  ASSERT_NE(dead.begin(100 * 8), nullptr);
  ASSERT_TRUE(write(3, 2));
  Consumer c(slot_, kSize);
  ASSERT_NE(c.next(), nullptr);
  c.release();
  const RawSample* s = c.next();
  ASSERT_NE(s, nullptr);
  EXPECT_EQ(s->time_ns, 2u);
}

TEST_F(RingTest, DamagedSizesAreCountedAndNeverRead) {
  const uint32_t bad_sizes[] = {0, 4, 7, 12, kSize + 8, 0xffffffff, sizeof(RawSample) - 8};
  uint64_t expected = 0;
  for (uint32_t size : bad_sizes) {
    ASSERT_TRUE(write(2, 9));
    const uint64_t at = slot_->ticks().tail.load() & (kSize - 1);
    std::memcpy(memory_ + kSlotHeaderSize + at, &size, 4);
    Consumer c(slot_, kSize);
    EXPECT_EQ(c.next(), nullptr) << size;
    EXPECT_EQ(slot_->cpu().drops[static_cast<size_t>(DropCause::kCorrupt)].load(), ++expected);
  }
  ASSERT_TRUE(write(2, 9));
  reinterpret_cast<RawSample*>(memory_ + kSlotHeaderSize + (slot_->ticks().tail.load() & (kSize - 1)))
      ->frames = 0x20000000;
  Consumer c(slot_, kSize);
  EXPECT_EQ(c.next(), nullptr);
}

// Sources, values and labels are numbers of places: one too many would be read behind the record.
TEST_F(RingTest, CountsBeyondTheirBoundsAreDamage) {
  const auto damages = {+[](RawSample* s) { s->source = 0; },
                        +[](RawSample* s) { s->source = kMostSources + 1; },
                        +[](RawSample* s) { s->more_values = kMostSampleValues; },
                        +[](RawSample* s) { s->labels = kMostSampleLabels + 1; },
                        +[](RawSample* s) { s->more_values = 3; },
                        +[](RawSample* s) { s->labels = 3; },
                        +[](RawSample* s) { s->clr_frames = 3; }};
  uint64_t expected = 0;
  for (const auto damage : damages) {
    ASSERT_TRUE(write(2, 9));
    damage(
        reinterpret_cast<RawSample*>(memory_ + kSlotHeaderSize + (slot_->ticks().tail.load() & (kSize - 1))));
    Consumer c(slot_, kSize);
    EXPECT_EQ(c.next(), nullptr) << expected;
    EXPECT_EQ(slot_->cpu().drops[static_cast<size_t>(DropCause::kCorrupt)].load(), ++expected);
  }
}

TEST_F(RingTest, WhatLiesBehindASampleIsInItsOrder) {
  Producer p(slot_);
  constexpr uint32_t kSizeOfAll = sizeof(RawSample) + 7 * 8;
  auto* s = new (p.begin(kSizeOfAll)) RawSample;
  s->size = kSizeOfAll;
  s->type = static_cast<uint8_t>(RawType::kSample);
  s->more_values = 1, s->labels = 2, s->frames = 3, s->clr_frames = 1;
  s->source = kMostSources;
  auto* words = reinterpret_cast<uint64_t*>(s + 1);
  for (uint64_t i = 0; i < 7; ++i) words[i] = i;
  p.commit(kSizeOfAll);
  Consumer c(slot_, kSize);
  const RawSample* read = c.next();
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(Consumer::more_values(read)[0], 0u);
  EXPECT_EQ(Consumer::labels(read)[1], 2u);
  EXPECT_EQ(Consumer::frames(read)[2].bits, 5u);
  EXPECT_EQ(Consumer::clr_frames(read)[0], 6u);
  c.refuse();
  EXPECT_EQ(slot_->ticks().of(base::SourceId(kMostSources)).drops[static_cast<size_t>(DropCause::kCorrupt)],
            1u);
  EXPECT_EQ(slot_->ticks().taken[kMostSources - 1], 0u);
  EXPECT_EQ(c.next(), nullptr);
}

// Broken by lanes that share an index or a count.
TEST_F(RingTest, LanesAreApart) {
  std::vector<uint64_t> other(kSize / 8);
  auto* ring = reinterpret_cast<uint8_t*>(other.data());
  LaneHeader& lane = slot_->lane(Lane::kCallback);
  constexpr base::SourceId kSource(2);
  for (uint64_t n = 0; n < 200; ++n) {
    Producer outside(lane, ring, kSize);
    auto* half_written = new (outside.begin(sizeof(RawSample))) RawSample;
    ASSERT_TRUE(write(5, n)) << "a tick in the middle";
    half_written->size = sizeof(RawSample);
    half_written->type = static_cast<uint8_t>(RawType::kSample);
    half_written->source = static_cast<uint8_t>(kSource.value);
    half_written->time_ns = 1000 + n;
    add_alone(lane.of(kSource).samples, 1);
    outside.commit(sizeof(RawSample));
    Consumer ticks(slot_, kSize), callbacks(lane, ring, kSize);
    ASSERT_EQ(ticks.next()->time_ns, n);
    ASSERT_EQ(callbacks.next()->time_ns, 1000 + n);
    ticks.release();
    callbacks.release();
    EXPECT_EQ(ticks.next(), nullptr);
    EXPECT_EQ(callbacks.next(), nullptr);
  }
  EXPECT_EQ(slot_->ticks().taken[0], 200u);
  EXPECT_EQ(lane.taken[kSource.value - 1], 200u);
  EXPECT_EQ(lane.taken[0], 0u);
}

TEST(RingLayout, NothingOverlaps) {
  for (const uint32_t size : {1024u, 64u << 10, 128u << 10, 4u << 20}) {
    const uint32_t slots = slots_of(size);
    EXPECT_LE(uint64_t{slots} * (kSlotHeaderSize + size), kRingBudget);
    EXPECT_EQ(slot_offset(1, size), slot_offset(0, size) + kSlotHeaderSize + size);
    EXPECT_EQ(lane_offset(0, Lane::kHandler, size), slot_offset(0, size) + kSlotHeaderSize);
    EXPECT_EQ(lane_offset(0, Lane::kCallback, size), slot_offset(slots, size));
    EXPECT_EQ(notes_offset(size), lane_offset(slots - 1, Lane::kCallback, size) + size);
    EXPECT_EQ(text_notes_offset(size), notes_offset(size) + kSlotHeaderSize + kNotesSize);
    EXPECT_EQ(sums_offset(size), text_notes_offset(size) + kSlotHeaderSize + kTextNotesSize);
    EXPECT_EQ(mapping_size(size), sums_offset(size) + kSumsSize);
  }
}

TEST_F(RingTest, IndexesBetweenRecordsAreDamage) {
  for (const uint64_t at : {uint64_t{4}, uint64_t{kSize - 3}, uint64_t{kSize + 1}}) {
    slot_->ticks().tail = at;  // the first word read there might reach behind the ring
    slot_->ticks().head = at + 16;
    slot_->cpu().samples = slot_->cpu().drops[static_cast<size_t>(DropCause::kCorrupt)] + 1;
    Consumer c(slot_, kSize);
    EXPECT_EQ(c.next(), nullptr) << at;
    EXPECT_EQ(slot_->cpu().drops[static_cast<size_t>(DropCause::kCorrupt)], slot_->cpu().samples) << at;
    EXPECT_EQ(slot_->ticks().tail, slot_->ticks().head) << at;
    EXPECT_FALSE(write(1, 9)) << "nor may a filler";
  }
  slot_->ticks().tail = 8;
  slot_->ticks().head = 8 + 12;
  Consumer c(slot_, kSize);
  EXPECT_EQ(c.next(), nullptr) << "the head alone";
}

TEST_F(RingTest, WhatWasPassedStaysUntilItIsReleased) {
  ASSERT_TRUE(write(3, 1));
  ASSERT_TRUE(write(3, 2));
  Consumer c(slot_, kSize);
  for (const uint64_t mark : {1u, 2u}) {
    const RawSample* s = c.next();
    ASSERT_NE(s, nullptr);
    EXPECT_EQ(s->time_ns, mark);
    c.pass();
  }
  EXPECT_EQ(c.next(), nullptr);
  EXPECT_EQ(slot_->ticks().taken[0], 2u);
  ASSERT_NE(Consumer(slot_, kSize).next(), nullptr) << "another reader finds them still";
  while (write(20, 3)) {
  }
  EXPECT_EQ(Consumer(slot_, kSize).next()->time_ns, 1u) << "nothing is written over them";
  c.release();
  EXPECT_EQ(Consumer(slot_, kSize).next()->time_ns, 3u);
  EXPECT_EQ(slot_->ticks().taken[0], 2u);
}

TEST_F(RingTest, ProducerAndConsumerOnTwoThreads) {
  constexpr uint64_t kCount = 20000;
  std::thread writer([&] {
    for (uint64_t i = 0; i < kCount;) {
      if (write(static_cast<uint32_t>(i % 50), i))
        ++i;
      else
        std::this_thread::yield();
    }
  });
  Consumer c(slot_, kSize);
  for (uint64_t i = 0; i < kCount;) {
    const RawSample* s = c.next();
    if (s == nullptr) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(s->time_ns, i);
    ASSERT_EQ(s->frames, i % 50);
    c.release();
    ++i;
  }
  writer.join();
}

}  // namespace
}  // namespace walkabout::wire
