#include "wire/ring.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <new>
#include <thread>

namespace walkabout::wire {
namespace {

class RingTest : public testing::Test {
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
  reinterpret_cast<RawSample*>(memory_ + kSlotHeaderSize + (slot_->ticks().tail.load() & (kSize - 1)))->frames =
      0x20000000;
  Consumer c(slot_, kSize);
  EXPECT_EQ(c.next(), nullptr);
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
