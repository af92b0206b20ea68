// The awaiters of samples that are taken while all threads stand, when the heap may move. A thread that
// stands stays in the same call of its async method. The stack of its first such sample is kept here, and
// looked through when the heap stands still again, before the thread goes on. What is found is the answer for
// all samples of the thread in that time; each has the answer's ticket in place of its awaiters.
//
// stop() and answer(): who stops the threads and lets them go on. owe(): a handler, of its own thread; never
// waits, async-signal-safe. is_due() and find(): the spooler.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "agent/shared/pages.h"
#include "unwind/async/async_root.h"
#include "wire/frame.h"
#include "wire/ring.h"

namespace walkabout::agent {

class OwedAwaiters {
 public:
  static constexpr size_t kMostStacks =
      32;  // threads with samples in one suspension; of others nothing is found
  static constexpr size_t kMostFrames = 512, kMostStackPointers = 256;

  struct Answer {
    uint32_t joint = 0;   // as of unwind::AsyncStack; 0: the stack tells all callers
    uint32_t outer = 0;   // frames of the stack behind the joint
    bool unseen = false;  // there was code that nobody had looked at, as of unwind::AsyncStack
    wire::Frame resumed;  // frames[joint - 1]
    std::vector<wire::Frame> awaiters;
  };

  // Before the gate closes. seq_cst: who finds it closed has the new number; partner: owe().
  void stop() { suspension_.fetch_add(1, std::memory_order_seq_cst); }

  // REQUIRES: the gate is closed. who: one for each thread. The ticket; 0: there is no room.
  uint64_t owe(const void* who, const unwind::WalkedStackView& stack) {
    const uint64_t suspension = suspension_.load(std::memory_order_seq_cst);
    for (size_t i = 0; i < stacks_.size(); ++i) {
      const uint64_t ticket = ticket_of(suspension, i);
      if (stacks_[i].ticket.load(std::memory_order_acquire) == ticket &&  // partner: keep()
          stacks_[i].who.load(std::memory_order_relaxed) == who)
        return ticket;
    }
    if (stack.frames.size() > kMostFrames) return 0;
    for (size_t i = 0; i < stacks_.size(); ++i) {
      uint64_t free = kFree;
      if (!stacks_[i].ticket.compare_exchange_strong(free, kBeingFilled, std::memory_order_acquire)) continue;
      keep(who, stack, &stacks_[i]);
      stacks_[i].ticket.store(ticket_of(suspension, i),
                              std::memory_order_release);  // partner: owe(), answer()
      return ticket_of(suspension, i);
    }
    return 0;
  }

  // The heap stands still, the threads do not run yet. find: (stack, room for awaiters) → unwind::AsyncStack.
  template <typename Find>
  void answer(Find find) {
    const uint64_t suspension = suspension_.load(std::memory_order_relaxed);
    for (size_t i = 0; i < stacks_.size(); ++i) {
      Stack& owed = stacks_[i];
      const uint64_t ticket = owed.ticket.load(std::memory_order_acquire);  // partner: owe()
      if (ticket == kFree || ticket == kBeingFilled) continue;
      if (ticket == ticket_of(suspension, i)) answer_one(ticket, owed, find);
      owed.ticket.store(kFree, std::memory_order_release);  // one that came too late stays without an answer
    }
    answered_.store(suspension, std::memory_order_release);  // partner: is_due()
  }

  // Whether the answer, if there will be one, is there.
  bool is_due(uint64_t ticket) const {
    return answered_.load(std::memory_order_acquire) >= ticket / kTickets;  // partner: answer()
  }
  // Null: there is none. Until the next call.
  const Answer* find(uint64_t ticket) {
    take_answers();
    const auto known = answers_.find(ticket);
    return known == answers_.end() ? nullptr : &known->second;
  }

 private:
  // Places of stacks_, and free, and being filled.
  static constexpr uint64_t kTickets = 64, kFree = 0, kBeingFilled = 1, kFirst = 2;
  static_assert(kMostStacks + kFirst <= kTickets);
  static constexpr size_t kMostWords = 1 << 14;  // of answers, that nobody has taken yet
  static constexpr size_t kMostKept = 4096;      // answers, for samples that are read later
  static constexpr size_t kHead = 4;             // words of an answer before its awaiters

  struct Stack {
    std::atomic<uint64_t> ticket;
    std::atomic<const void*> who;
    uint64_t sp, lo, hi;  // of the stack what can be read
    uint32_t frames, stack_pointers;
    wire::Frame frame[kMostFrames];
    uint64_t stack_pointer[kMostStackPointers];
  };

  static uint64_t ticket_of(uint64_t suspension, size_t i) { return suspension * kTickets + kFirst + i; }

  static void keep(const void* who, const unwind::WalkedStackView& from, Stack* to) {
    to->who.store(who, std::memory_order_relaxed);
    to->sp = from.leaf.sp();
    to->lo = from.lo;
    to->hi = from.hi;
    to->frames = static_cast<uint32_t>(from.frames.size());
    to->stack_pointers =
        static_cast<uint32_t>(std::min<size_t>(from.stack_pointers.size(), kMostStackPointers));
    std::copy(from.frames.begin(), from.frames.end(), to->frame);
    std::copy_n(from.stack_pointers.begin(), to->stack_pointers, to->stack_pointer);
  }

  // The registers are those of the sample: what they refer to may have moved. The collector has updated the
  // references on the stack.
  template <typename Find>
  void answer_one(uint64_t ticket, const Stack& owed, Find find) {
    unwind::Registers leaf;
    leaf.sp() = owed.sp;
    unwind::Memory memory;
    memory.lo = owed.lo;
    memory.hi = owed.hi;
    const unwind::AsyncStack found = find(unwind::WalkedStackView{leaf,
                                                                  memory,
                                                                  {owed.frame, owed.frames},
                                                                  {owed.stack_pointer, owed.stack_pointers},
                                                                  owed.lo,
                                                                  owed.hi},
                                          std::span(room_));
    if (found.joint > owed.frames) return;
    const uint64_t tail = tail_.load(std::memory_order_relaxed);
    const uint64_t used = tail - head_.load(std::memory_order_acquire);  // partner: take_answers()
    if (used + kHead + found.count > kMostWords) return;
    word(tail) = ticket;
    word(tail + 1) = uint64_t{found.joint} << 32 | (owed.frames - found.joint);
    word(tail + 2) = found.joint == 0 ? 0 : owed.frame[found.joint - 1].bits;
    word(tail + 3) = uint64_t{found.unseen != 0} << 32 | found.count;
    for (uint32_t i = 0; i < found.count; ++i) word(tail + kHead + i) = room_[i].bits;
    tail_.store(tail + kHead + found.count, std::memory_order_release);  // partner: take_answers()
  }

  void take_answers() {
    const uint64_t tail = tail_.load(std::memory_order_acquire);  // partner: answer_one()
    uint64_t head = head_.load(std::memory_order_relaxed);
    while (head != tail) {
      Answer& answer = answers_[word(head)];
      answer.joint = static_cast<uint32_t>(word(head + 1) >> 32);
      answer.outer = static_cast<uint32_t>(word(head + 1));
      answer.resumed.bits = word(head + 2);
      answer.unseen = word(head + 3) >> 32 != 0;
      const auto count = static_cast<uint32_t>(word(head + 3));
      for (uint32_t i = 0; i < count; ++i) answer.awaiters.push_back({word(head + kHead + i)});
      head += kHead + count;
      if (answers_.size() > kMostKept) answers_.erase(answers_.begin());
    }
    head_.store(head, std::memory_order_release);  // partner: answer_one()
  }
  uint64_t& word(uint64_t at) { return words_[at % kMostWords]; }

  std::atomic<uint64_t> suspension_{0}, answered_{0};
  PagedArray<Stack> stacks_{kMostStacks};
  PagedArray<uint64_t> words_{kMostWords};
  std::atomic<uint64_t> head_{0}, tail_{0};  // of words_
  wire::Frame room_[wire::kMostAwaiters] = {};
  std::map<uint64_t, Answer> answers_;  // the spooler's
};

}  // namespace walkabout::agent
