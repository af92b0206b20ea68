// Between an attach that asks the runtime about what is loaded and a program that goes on unloading it.
//
// The runtime checks no id it is given, and frees what one stands for in steps: a module leaves the runtime's
// lists, then ModuleUnloadStarted is raised, then its metadata is freed, then all is suspended and its code
// is erased, and behind a later collection its descriptors are freed (loaderallocator.cpp,
// GCLoaderAllocators; appdomain.cpp, ProcessDelayedUnloadLoaderAllocators). Code is listed to its erasure,
// so what is listed may be of a module without metadata. So the agent reads metadata only of modules that it
// has listed and that have not begun to unload. It asks questions outside of suspensions only, and uses a
// list until the next suspension.
//
// Unloads and suspensions wait in their callbacks for the question at hand, which is short, and the next
// question waits for them. When a callback has waited for its timeout, it goes on, and the agent asks no more
// questions until its catch-up begins anew: once, with a tenth of the timeout. A suspension that waits holds
// the lock of the runtime's threads, so no question may take that lock (EnumThreads does).
//
// A dynamic method is freed behind DynamicMethodUnloaded, its code last.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <unordered_set>

#include "clr/abi/types.h"

namespace walkabout::agent {

class CatchUpGate {
 public:
  // timeout: how long a callback waits for a question. The runtime may answer a question only after that
  // callback.
  explicit CatchUpGate(std::chrono::milliseconds timeout = std::chrono::seconds(1)) : timeout_(timeout) {}

  // Before the callbacks of an attach begin.
  void reset();
  // Runs `work`, which asks the questions; once more where the gate gave up: a question may have waited for a
  // page or a processor for as long as a callback waits.
  template <typename Work>
  void run(const Work& work) {
    begin();
    work();
    if (gave_up()) {
      begin_again();
      work();
    }
    end();
  }
  // The thread that catches up. Before it lists anything, and when it has the last answer.
  void begin();
  void end() { running_.store(false); }
  // Since begin(): a question did not end in time, or a suspension.
  bool gave_up() const { return gave_up_.load(); }

  // While it exists what has an id keeps it. One at a time, on the thread that catches up.
  class Question {
   public:
    explicit Question(CatchUpGate& gate) : gate_(gate) {
      if (gate.ask()) go_on_for(kTurn);
    }
    ~Question() { gate_.answered(); }
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

    bool may_ask() const { return !gate_.gave_up(); }
    // Another one in this one's place: nobody waits, or its turn is not over.
    bool may_go_on() const;
    // Whoever waits, for so long from now: what was listed at some cost is to be of use.
    void go_on_for(std::chrono::nanoseconds time) { until_ = std::chrono::steady_clock::now() + time; }
    // Has it been listed, and not begun to unload?
    bool is_loaded(clr::ModuleID module) const { return gate_.is_loaded(module); }
    // The dynamic method's end has begun.
    bool is_freed(clr::FunctionID method) const { return gate_.gone_.methods.count(method) != 0; }
    // Changes when what was listed before is not to be used any more.
    uint64_t suspensions() const { return gate_.suspensions_.load(); }

   private:
    CatchUpGate& gate_;
    std::chrono::steady_clock::time_point until_{};
  };
  static constexpr std::chrono::microseconds kTurn{500};
  // Within a question.
  void listed(clr::ModuleID module);
  bool is_loaded(clr::ModuleID module) const {
    return modules_.count(module) != 0 && gone_.modules.count(module) == 0;
  }

  // Callbacks, on any thread.
  void unloads(clr::ModuleID module);
  void suspends();
  void resumes();  // or a suspension is given up
  void frees(clr::FunctionID dynamic_method);

 private:
  using Lock = std::unique_lock<std::mutex>;
  void begin_again();
  // True: it has been kept waiting by suspensions and has a turn before those that come.
  bool ask();
  void answered();
  // Until no question is at hand, and starts no other until the lock is released; or gives up.
  void pass(Lock& lock);
  // Modules that have begun to unload, and dynamic methods that are being freed.
  struct Gone {
    std::unordered_set<uintptr_t> modules, methods;
  };
  void leaves(std::unordered_set<uintptr_t> Gone::*kind, uintptr_t id);

  const std::chrono::milliseconds timeout_;
  std::atomic<bool> running_{false};
  std::atomic<bool> gave_up_{false};
  std::atomic<uint32_t> waiting_{0};  // callbacks
  std::mutex mutex_;
  std::condition_variable changed_;
  // Under mutex_, or within a question: nothing of it changes then.
  bool asking_ = false;
  bool again_ = false;                         // the second try: callbacks wait a tenth of the timeout
  bool starving_ = false;                      // a question has waited for long
  uint32_t suspended_ = 0;                     // suspensions under way
  std::atomic<uint64_t> suspensions_{0};       // begun
  std::unordered_set<clr::ModuleID> modules_;  // listed
  Gone gone_;                                  // since begin()
  Gone late_;                                  // gone while a question was at hand that did not end in time
};

}  // namespace walkabout::agent
