// The stack of a thread of the program, for a thread of the agent's: of one that is blocked read from
// outside, without waking it (blocked_stack.h); of one that runs taken by itself, in a tick of its own that
// it is sent (handler/asked_stack.h). The tick comes in the program's own code, or when a system call
// returns: no call notices it. One that blocks before its tick comes is read from outside. After 200 ms
// without an answer the request is over.
//
// One thread, which has the host's table. Allocates.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "agent/linux/blocked_stack.h"
#include "agent/linux/handler/asked_stack.h"
#include "agent/linux/thread_table.h"

namespace walkabout::agent {

struct RequestedStack {
  std::vector<wire::Frame> frames;  // leaf first; empty: there is none
  wire::WalkEnd end = wire::WalkEnd::kNotWalked;
  uint8_t flags = 0;     // wire::SampleFlag
  uint64_t time_ns = 0;  // CLOCK_MONOTONIC
  Awaiters awaiters;     // empty where async stacks are not taken
};

class StackRequest {
 public:
  StackRequest(ThreadTable& threads, BlockedStacks& blocked) : threads_(threads), blocked_(blocked) {}
  ~StackRequest() { give_up(); }
  StackRequest(const StackRequest&) = delete;
  StackRequest& operator=(const StackRequest&) = delete;

  // Of the thread that has this slot. Blocked, its stack is there at once, whatever the condition.
  void ask(uint32_t slot, const AskedWhile& condition = {});
  // Whether an answer may still come.
  bool waits() const { return asked_ != nullptr; }
  // Looks for the answer. True: the stack is there.
  bool look();
  // No answer is wanted any more. What has come stays.
  void give_up();
  const RequestedStack& stack() const { return stack_; }
  // Whether a thread whose stack was read from outside is still where it was then. Of a stack that a thread
  // took itself, true: its condition held.
  bool stands_there() const;

 private:
  bool read_blocked();
  bool waited_long_enough();

  ThreadTable& threads_;
  BlockedStacks& blocked_;
  AskedStack* asked_ = nullptr;
  CpuClock clock_;
  ThreadTable::Living thread_;  // who is asked
  uint64_t asked_ns_ = 0, looked_ns_ = 0;
  RequestedStack stack_;
  std::optional<Ran> stood_;
};

}  // namespace walkabout::agent
