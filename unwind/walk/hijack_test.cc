#include "unwind/walk/hijack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "unwind/walk/fake_process.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the process's spelling

constexpr uint64_t kThread = 0x5000'0000;
constexpr size_t kThreadWords = kThreadObjectBytes / 8;
constexpr uint64_t kReturnRoutine = FakeProcess::kNative + 0x380;  // native code that no call precedes

// A process whose thread has a Thread object that can be read up to some word.
class Hijack : public ::testing::Test {
 protected:
  Hijack() : object_(kThreadWords, 0x1234'5678) {
    caller_ = p_.load(calling_method(), 1);
    leaf_ = p_.load(calling_method(), 2);
    p_.enter(caller_);
    fall_back_ = p_.memory;
    p_.memory.slow = read;
    p_.memory.context = this;
    p_.memory.runtime_thread = kThread;
  }
  // The leaf is called, and its return address taken away. Where the two words lie: at `word`, in any order.
  void hijack(size_t word, bool slot_first = false) {
    expected_ = p_.walk_from(p_.regs).frames;
    original_ = p_.regs.pc();
    states_ = p_.call(leaf_);
    slot_ = states_.front().sp();
    *reinterpret_cast<uint64_t*>(slot_) = kReturnRoutine;
    object_[word] = slot_first ? slot_ : original_;
    object_[word + 1] = slot_first ? original_ : slot_;
  }
  uint64_t find() { return find_hijacked(kThread, slot_, p_.map, nullptr, p_.memory); }
  void expect_callers(const Registers& leaf, WalkMemo* memo = nullptr) {
    const auto walked = p_.walk_from(leaf, memo);
    EXPECT_EQ(walked.outcome.end, wire::WalkEnd::kRooted);
    ASSERT_EQ(walked.frames.size(), expected_.size() + 1);
    EXPECT_TRUE(std::equal(expected_.begin(), expected_.end(), walked.frames.begin() + 1));
  }

  static bool read(void* context, uint64_t address, void* to, size_t size) {
    auto* self = static_cast<Hijack*>(context);
    ++self->all_reads_;
    if (address - kThread < kThreadObjectBytes) {
      ++self->reads_;
      if (address + size > kThread + self->readable_ * 8) return false;
      std::memcpy(to, reinterpret_cast<const char*>(self->object_.data()) + (address - kThread), size);
      return true;
    }
    if (address == kReturnRoutine - kLongestCallBytes) {
      std::memset(to, 0x90, size);
      return true;
    }
    return self->fall_back_.slow(self->fall_back_.context, address, to, size);
  }
  static constexpr uint64_t kLongestCallBytes = 8;

  FakeProcess p_;
  Memory fall_back_;
  std::vector<uint64_t> object_;
  size_t readable_ = kThreadWords;
  int reads_ = 0;  // of the object
  int all_reads_ = 0;
  uint64_t caller_ = 0, leaf_ = 0, original_ = 0, slot_ = 0;
  std::vector<Registers> states_;
  std::vector<wire::Frame> expected_;
};

TEST_F(Hijack, ThePairIsFoundWhereverItLies) {
  hijack(0);
  const uint64_t garbage = 0x1234'5678;
  for (const bool slot_first : {false, true}) {
    for (size_t word = 0; word + 1 < kThreadWords; ++word) {
      std::fill(object_.begin(), object_.end(), garbage);
      object_[word] = slot_first ? slot_ : original_;
      object_[word + 1] = slot_first ? original_ : slot_;
      ASSERT_EQ(find(), original_) << word;
    }
  }
}

TEST_F(Hijack, AnotherSlotsAddressIsNotTaken) {
  hijack(70);
  EXPECT_EQ(find_hijacked(kThread, slot_ + 8, p_.map, nullptr, p_.memory), 0u);
  EXPECT_EQ(find_hijacked(kThread, slot_ - 8, p_.map, nullptr, p_.memory), 0u);
}

TEST_F(Hijack, WhatLiesBesideItMustBeAReturnAddress) {
  hijack(70);
  for (const uint64_t bad :
       {uint64_t{0}, uint64_t{7}, UINT64_MAX, original_ - 1, kReturnRoutine, slot_, FakeProcess::kNowhere}) {
    object_[70] = bad;
    EXPECT_EQ(find(), 0u) << bad;
  }
  std::fill(object_.begin(), object_.end(), slot_);  // a hostile one
  EXPECT_EQ(find(), 0u);
}

TEST_F(Hijack, AnObjectThatCannotBeReadIsGivenUp) {
  hijack(200);
  readable_ = 128;
  EXPECT_EQ(find(), 0u);
  for (const uint64_t thread : {uint64_t{0}, uint64_t{8}, kThread + 1, UINT64_MAX - 7, FakeProcess::kNowhere})
    EXPECT_EQ(find_hijacked(thread, slot_, p_.map, nullptr, p_.memory), 0u) << thread;
}

// At each instruction of the method, with and without a memo; the walk of an untouched stack comes between.
TEST_F(Hijack, AWalkSeesTheCallerAsIfNothingHadHappened) {
  const MappedMemo memo = map_memo();
  hijack(99);
  for (int round = 0; round < 2; ++round) {
    for (const Registers& at : states_) {
      *reinterpret_cast<uint64_t*>(slot_) = kReturnRoutine;
      expect_callers(at);
      expect_callers(at, memo.get());
      *reinterpret_cast<uint64_t*>(slot_) = original_;
      expect_callers(at, memo.get());
    }
  }
}

// Deeper frames: what the method calls before it returns.
TEST_F(Hijack, AWalkSeesThroughItBelowOtherFrames) {
  hijack(99);
  for (size_t i = 1; i < states_.size(); ++i) {
    if (states_[i].pc() - states_[i - 1].pc() == 5) p_.regs = states_[i];  // behind the call
  }
  expected_.insert(expected_.begin(), FakeProcess::jitted_frame(2, p_.regs.pc() - leaf_));
  p_.enter_native();
  expect_callers(p_.regs);
}

// Behind the method's return the slot holds what it returned until the runtime has put the address there.
TEST_F(Hijack, AWalkSeesThroughWhatTheRoutineHasPutThere) {
  for (const uint64_t returned : {uint64_t{0}, uint64_t{77}, FakeProcess::kNowhere, FakeProcess::kStub}) {
    p_.start();
    p_.enter(caller_);
    hijack(99);
    *reinterpret_cast<uint64_t*>(slot_) = returned;
    p_.regs.sp() = slot_ - 8;
    p_.regs.pc() = FakeProcess::kFrame + 0x40;
    expect_callers(p_.regs);
    p_.regs.sp() = slot_;
    p_.regs.pc() = FakeProcess::kLeaf + 0x40;  // one push later
    expect_callers(p_.regs);
  }
}

TEST_F(Hijack, NothingIsSearchedForOnStacksThatAreWhole) {
  hijack(99);
  *reinterpret_cast<uint64_t*>(slot_) = original_;
  for (const Registers& at : states_) expect_callers(at);
  EXPECT_EQ(reads_, 0);
}

TEST_F(Hijack, ADamagedStackDoesNotSearchAtEachOfItsFrames) {
  hijack(99);
  object_[99] = object_[100] = 0;
  p_.walk_from(states_.front());
  EXPECT_LE(reads_, 4 * 8);
}

// The compiling thread may be held up by the very suspension that replaces the address.
TEST_F(Hijack, TheCallerOfAMethodNotReportedYetIsFound) {
  leaf_ = p_.load_unreported(calling_method());
  hijack(100);
  for (const Registers& regs : states_) {
    if (regs.pc() - leaf_ < calling_method().code().size() && regs.sp() <= slot_) expect_callers(regs);
  }
}

// Each word a place behind a call in code that no map knows, beside the slot's address.
TEST_F(Hijack, ADamagedObjectDoesNotSearchForCodeAtEachOfItsWords) {
  hijack(100);
  const uint64_t behind_call = p_.place({0x90, 0x90, 0x90, 0xe8, 0, 0, 0, 0}) + 8;
  for (size_t i = 0; i < kThreadWords; ++i) object_[i] = i % 2 == 0 ? slot_ : behind_call;
  const int before = all_reads_;
  EXPECT_EQ(find(), 0u);
  EXPECT_LE(all_reads_ - before, static_cast<int>(kThreadWords) + 200);
}

TEST_F(Hijack, AMethodNotReportedYetMayBeTheCaller) {
  p_.start();
  caller_ = p_.load_unreported(calling_method());
  p_.enter(caller_);
  hijack(100);
  for (const Registers& regs : states_) {
    if (regs.pc() - leaf_ < calling_method().code().size() && regs.sp() <= slot_) expect_callers(regs);
  }
}

}  // namespace
}  // namespace walkabout::unwind
