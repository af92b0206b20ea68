// std::mutex as clang's -Wthread-safety understands it: what a lock guards says so where it is declared, a
// function says which lock its caller holds, and clang-tidy (./dev lint) refuses code that keeps to neither.
// Other compilers see a plain mutex.
//
// Not for signal handlers: nothing in a handler takes a lock. Source: clang's documentation, "Thread Safety
// Analysis".
#pragma once

#include <mutex>

#if defined(__clang__)
#define WALKABOUT_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define WALKABOUT_THREAD_SAFETY(attribute)
#endif

// Of a member: read and written under that lock only.
#define WALKABOUT_GUARDED_BY(mutex) WALKABOUT_THREAD_SAFETY(guarded_by(mutex))
// Of a function: its caller holds the lock. Of a lambda as well, whose caller may be a thread that works for
// the lock's holder while that waits.
#define WALKABOUT_REQUIRES(mutex) WALKABOUT_THREAD_SAFETY(requires_capability(mutex))
// Of a function: it runs work of who called it, whatever locks that holds.
#define WALKABOUT_RUNS_CALLERS_WORK WALKABOUT_THREAD_SAFETY(no_thread_safety_analysis)

namespace walkabout::base {

class WALKABOUT_THREAD_SAFETY(capability("mutex")) Mutex {
 public:
  void lock() WALKABOUT_THREAD_SAFETY(acquire_capability()) { mutex_.lock(); }
  void unlock() WALKABOUT_THREAD_SAFETY(release_capability()) { mutex_.unlock(); }
  bool try_lock() WALKABOUT_THREAD_SAFETY(try_acquire_capability(true)) { return mutex_.try_lock(); }

 private:
  friend class Lock;
  std::mutex mutex_;
};

// Holds a mutex from here to the end of the block.
class WALKABOUT_THREAD_SAFETY(scoped_lockable) Lock {
 public:
  explicit Lock(Mutex& mutex) WALKABOUT_THREAD_SAFETY(acquire_capability(mutex)) : lock_(mutex.mutex_) {}
  ~Lock() WALKABOUT_THREAD_SAFETY(release_capability()) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  // Before its time.
  void unlock() WALKABOUT_THREAD_SAFETY(release_capability()) { lock_.unlock(); }
  // For std::condition_variable, which releases it while it waits. A predicate says that it has the lock:
  // [this]() WALKABOUT_REQUIRES(mutex_) { return done_; }
  std::unique_lock<std::mutex>& waiting() { return lock_; }

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace walkabout::base
