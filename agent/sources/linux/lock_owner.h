// What the owner of a lock does while others wait for it: its stack, for waits of 1 ms and more, taken while
// it held the lock.
//
// Who waits leaves here for what and since when; a thread of the agent's looks at those that wait, once a
// millisecond while there are any, and takes at most a fiftieth of a processor for it. Of a wait that lasts
// it asks the owner for its stack (StackRequest). An owner that runs takes it while the lock names it, which
// it reads itself; of one that is blocked the lock is read behind that, and the owner must not have run
// since. From then on it looks whether the owner holds the lock still.
//
// begins, ends, leaves: the thread that waits, in a callback of the runtime's. locks(): see HeldLock.
// The rest: one thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "agent/linux/bell.h"
#include "agent/linux/stack_request.h"
#include "agent/sources/event_capture.h"
#include "agent/sources/linux/held_lock.h"
#include "agent/sources/linux/source_thread.h"
#include "clr/events/waiting.h"

namespace walkabout::agent {

// A wait that is over, or whose lock was let go.
struct HeldUp {
  uint64_t lock = 0;
  pid_t owner = 0;
  Place owner_place;
  uint64_t held_ns = 0;   // that the owner had the lock and the other one waited, at least
  uint64_t until_ns = 0;  // CLOCK_MONOTONIC; not before the one emitted before
};

class LockOwners {
 public:
  // On a thread of the agent's, whose writer's slot it is.
  using Emit = std::function<void(ThreadSlot& writer, const HeldUp&, const RequestedStack&)>;

  base::Status start(const SourceContext& context, Emit emit);
  void stop();

  void begins(const Place& place, const clr::ContentionStart& start, uint64_t now_ns);
  void ends(const Place& place, uint64_t now_ns);
  // The thread ends. One that was interrupted in its wait never said that it was over.
  void leaves(size_t slot);
  HeldLock& locks() { return locks_; }

 private:
  // Of a slot's thread: what it waits for. Its own, but for reading.
  struct alignas(64) Wait {
    std::atomic<uint64_t> number;  // of the wait; odd: it lasts
    std::atomic<uint32_t> thread;  // whose it is
    std::atomic<uint64_t> lock, object, owner, began_ns, suspensions;
    std::atomic<uint64_t> ended_ns;  // of the wait before this number, where that is even
  };
  enum class Stage : uint8_t { kSeen, kAsked, kHeld, kOver };
  // What the agent's thread knows of the wait of a slot.
  struct Watch {
    uint64_t number = 0;  // 0: of none
    Stage stage = Stage::kSeen;
    WaitedLock lock;
    uint64_t began_ns = 0;
    Place owner;
    uint32_t asked = 0;  // requests for the owner's stack that were sent
    uint64_t held_until_ns = 0;
    std::shared_ptr<const RequestedStack> stack;
  };
  struct Asked {
    std::unique_ptr<StackRequest> request;
    uint32_t waiter = 0;  // the slot whose wait it is for
    uint64_t number = 0;  // 0: it is free
  };
  static constexpr size_t kMostRequests = 2;
  static constexpr uint32_t kMostAskedFor = 3;

  void run(ThreadSlot* writer);
  bool anybody_waits() const;
  uint64_t wait_of(uint32_t slot) const;
  void rest(uint64_t pass_cpu_ns) const;
  void pass();
  void look(uint32_t slot);
  bool read(uint32_t slot, uint64_t number, Watch* watch) const;
  void begin_watch(uint32_t slot, Watch& watch);
  bool share_stack(Watch& watch) const;
  void take_answers();
  void answered(const Asked& asked, bool there, Watch& watch);
  static void took(Watch& watch, const RequestedStack& stack);
  void end_watch(uint32_t slot, Watch& watch);
  static uint64_t held_until(const Watch& watch, uint64_t at_most_ns);
  void emit(Watch& watch, uint64_t at_most_ns);
  void give_up_owner(uint64_t lock, const Place& owner);
  bool find_owner(pid_t tid, Place* place) const;

  std::unique_ptr<SourceContext> context_;
  Emit emit_;
  std::atomic<bool> on_{false}, stops_{false};
  mutable PagedArray<Wait> waits_{wire::kMaxSlots};
  HeldLock locks_;
  Bell bell_;
  SourceThread thread_;
  // The agent's thread's.
  ThreadSlot* writer_ = nullptr;
  std::unique_ptr<BlockedStacks> blocked_;
  std::vector<Watch> watches_;
  std::array<Asked, kMostRequests> asked_;
  uint64_t emitted_ns_ = 0;  // the moment of the last sample
  uint64_t lasting_ns_ = 0;  // when a wait was seen last that lasted
};

}  // namespace walkabout::agent
