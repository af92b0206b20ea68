// Whether a lock that a thread waits for is held by the thread that held it when the wait began, read from
// the runtime's memory: Monitor's lock, which stays where it is, and System.Threading.Lock, which is an
// object that collections move. Of a Lock that may have been moved the reference is looked for on the stack
// of the thread that waits, which uses it when it goes on: words that lead to one object of that type with
// that owner. Where they lead to two, which of them is waited for is not known.
//
// suspends, resumes: the thread that stops all others. The rest: one thread, which has the host's table.
// Sources: AwareLock in src/coreclr/vm/syncblk.h, System.Threading.Lock; offsets were measured on .NET 8
// to 10.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace walkabout::agent {

enum class Holding : uint8_t {
  kHeld,
  kLetGo,
  kUnknown,  // threads are stopped, or the object was not found
};

struct WaitedLock {
  uint64_t lock = 0;         // as the runtime's event names it
  uint64_t object = 0;       // where it was when the wait began
  uint64_t suspensions = 0;  // how often threads had been stopped then
  pid_t owner = 0, waiter = 0;
  uint64_t reference_at = 0;  // on the stack of who waits; 0: not known
  bool monitor = false;       // it was seen to be one
  uint64_t held_at = 0;       // where the word was that named the owner last
};

class HeldLock {
 public:
  void suspends() {
    suspended_.store(true, std::memory_order_relaxed);
    suspensions_.fetch_add(1, std::memory_order_release);
  }
  void resumes() { suspended_.store(false, std::memory_order_release); }
  uint64_t suspensions() const { return suspensions_.load(std::memory_order_relaxed); }
  // For WaitedLock::suspensions, of an object's address that the calling thread just had. While threads are
  // stopped it may be one of before: nothing equals what is returned.
  uint64_t suspensions_of_addresses() const {
    const uint64_t now = suspensions();
    return suspended_.load(std::memory_order_acquire) ? ~uint64_t{0} : now;
  }

  Holding look(WaitedLock& waited);

 private:
  Holding look_at(WaitedLock& waited);
  bool is_owned_lock(uint64_t object, pid_t owner) const;
  Holding find_reference(WaitedLock& waited);

  std::atomic<uint64_t> suspensions_{0};
  std::atomic<bool> suspended_{false};
  uint64_t lock_type_ = 0;  // of System.Threading.Lock's objects, once one was seen
  std::vector<uint64_t> stack_;
};

}  // namespace walkabout::agent
