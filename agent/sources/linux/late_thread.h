// Which thread came last when the runtime stopped all of them, and from 1 ms on its stack, taken while the
// others waited for it.
//
// Who must be waited for is in cooperative mode (clr/abi/thread_mode.h) when the suspension starts. Each of
// these says when it stands; one that goes into native code instead does not. So a thread of the agent's
// looks 1 ms after the start, and again while the suspension lasts, who still is in that mode: the last is
// one of those that its last look found. Where that leaves two, the last is not known; nor before the first
// look, where a thread came later that was not in that mode at the start.
//
// starts, all_stand, ends: the suspending thread, as Source::on_suspension(). came: the thread that stands.
// The rest: one thread.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "agent/linux/bell.h"
#include "agent/linux/stack_request.h"
#include "agent/sources/event_capture.h"
#include "agent/sources/linux/source_thread.h"

namespace walkabout::agent {

// One suspension for which the runtime waited 1 ms or more, when all threads stand.
struct LateThreadFound {
  uint64_t number = 0;
  base::ThreadId thread;  // who came last
  pid_t tid = 0;
  uint32_t slot = 0;
  uint64_t waited_ns = 0;  // for all threads
  uint64_t ended_ns = 0;   // CLOCK_MONOTONIC
  uint64_t reason = 0;     // as it was given to starts()
};

class LateThread {
 public:
  // What is made of one that was found: on a thread of the agent's, whose writer's slot it is. The stack may
  // be empty.
  using Emit = std::function<void(ThreadSlot& writer, const LateThreadFound&, const RequestedStack&)>;

  // No-op where it is not known for the runtime how a thread's mode can be read.
  base::Status start(const SourceContext& context, Emit emit);
  void stop();
  bool is_on() const { return on_.load(std::memory_order_acquire); }

  void starts(uint64_t reason);
  void came(const Place& place);
  void all_stand();
  void ends() { under_way_.store(0, std::memory_order_release); }
  // How often it was looked, in the suspension under way, who runs still. For tests.
  uint32_t looks() const {
    const uint64_t looked = looked_.load(std::memory_order_acquire);
    return looked / kMostLooks == count_.load() ? static_cast<uint32_t>(looked % kMostLooks) : 0;
  }
  // Of the suspension that ended last, or is under way and whose threads all stand; 0: not known.
  pid_t last_tid() const { return last_tid_.load(std::memory_order_relaxed); }

 private:
  // What one slot's thread has of a suspension.
  struct Mark {
    std::atomic<uint64_t> number;     // the last one for which it was waited
    std::atomic<uint64_t> came_ns;    // 0: it did not say that it stands
    std::atomic<uint64_t> looked_at;  // the last look that found it running still
  };
  struct Asked {
    std::unique_ptr<StackRequest> request;
    uint32_t slot = 0;
    uint64_t of = 0;  // the suspension; 0: it is free
  };
  static constexpr size_t kMostRequests = 3;
  // That wait for the agent's thread; a busy machine may give it no processor for a while.
  static constexpr size_t kMostFound = 1024;
  // A look: its suspension and its turn, from 1 on. So the agent's thread, when it comes late, is not taken
  // to speak of the next suspension.
  static constexpr uint64_t kMostLooks = 1 << 20;
  static uint64_t look_of(uint64_t number, uint64_t turn) {
    return number * kMostLooks + std::min(turn, kMostLooks - 1);
  }

  bool is_under_way(uint64_t number) const {
    return under_way_.load(std::memory_order_acquire) == number && !stops_.load(std::memory_order_relaxed);
  }
  bool is_cooperative(const ThreadSlot& slot) const;
  bool may_be_cooperative(uint32_t slot) const;
  uint32_t last_of(uint64_t number) const;
  void run(ThreadSlot* writer);
  void watch(uint64_t number);
  void look(uint64_t number, uint32_t turn);
  void ask(uint64_t number, uint32_t slot);
  void emit_found();
  void forget_requests();

  std::unique_ptr<SourceContext> context_;
  Emit emit_;
  uint32_t mode_offset_ = 0;
  std::atomic<bool> on_{false}, stops_{false};
  mutable PagedArray<Mark> marks_{wire::kMaxSlots};
  // The suspending thread's.
  std::atomic<uint64_t> count_{0};
  std::atomic<uint64_t> under_way_{0};  // its number; 0: none
  std::atomic<uint64_t> began_ns_{0};
  std::atomic<uint32_t> suspender_{0};  // its slot
  uint64_t reason_ = 0;
  std::atomic<uint64_t> looked_{0};         // the last that was finished
  std::atomic<uint64_t> unexpected_ns_{0};  // when one came last for whom it was not waited, as it seemed
  std::atomic<pid_t> last_tid_{0};
  // Written by the suspending thread, read by the agent's.
  PagedArray<LateThreadFound> found_{kMostFound};
  std::atomic<uint64_t> found_count_{0}, taken_count_{0};

  Bell bell_;
  SourceThread thread_;
  // The agent's thread's.
  ThreadSlot* writer_ = nullptr;
  std::unique_ptr<BlockedStacks> blocked_;
  std::array<Asked, kMostRequests> asked_;
};

}  // namespace walkabout::agent
