// Learns which classes and methods async stacks go through, for the handler to use: what unwind/async looks
// up. The spooler asks the CLR; callbacks only say what is new.
//
// class_loaded() and class_unloaded(): any thread, in a callback. learn() and see(): the spooler.
// What is learnt stays. Types and methods of collectible modules are not learnt: they may go, and others come
// at their addresses. Their MoveNexts are known to be such, so that what is behind them counts as unknown.
#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/core/code_registry.h"
#include "agent/shared/pages.h"
#include "base/mutex.h"
#include "clr/abi/info.h"
#include "clr/async/async_classes.h"
#include "clr/names/method_name.h"
#include "unwind/async/async_root.h"

namespace walkabout::agent {

class AsyncLearner {
 public:
  static constexpr size_t kMachines = 1 << 16;

  // attached: the runtime does not report the classes that it had loaded before. Whoever finds one, by an
  // object, calls class_loaded() for it.
  AsyncLearner(CodeRegistry& registry, clr::ICorProfilerInfo2* info, bool attached = false);

  unwind::AsyncKnowledge knowledge() { return {types_, methods_, hints_}; }

  void class_loaded(clr::ClassID type);
  void class_unloaded(clr::ClassID type);
  // Whether the class, which is there now, is there for good. Any thread; takes no lock of the runtime's and
  // no memory.
  bool lives_on(clr::ClassID type);
  // What was loaded and compiled since the last call. In each pass, before samples are emitted. now_ns: as of
  // CLOCK_MONOTONIC. Returns how many classes are known now that were not.
  size_t learn(uint64_t now_ns);
  // A frame of ready-to-run code that is emitted for the first time, and the function it lies in; 0: none.
  void see(wire::Frame frame, clr::FunctionID function);
  // How much was learnt so far. Where it grows there is more to come: of new code stacks are not whole
  // before.
  uint64_t learnt() const { return learnt_; }
  // There was no room for all of it: awaiters stay unknown where the rest is.
  bool full() const { return full_; }
  // What the frame is now, which the handler may not have known.
  uint32_t role_of(wire::Frame frame);

 private:
  // A class that the CLR has not completed. It is asked for again after a wait, which doubles each time.
  struct Waiting {
    clr::ClassID type;
    uint64_t due_ns = 0;
    uint64_t wait_ns = kFirstWaitNs;
  };
  static constexpr size_t kTypes = 1 << 15, kCodes = 1 << 20, kFrames = 1 << 17, kHints = 1 << 12;
  static constexpr uint64_t kFirstWaitNs = 10'000'000, kLongestWaitNs = 60'000'000'000;

  void learn_methods();
  size_t learn_classes(uint64_t now_ns);
  bool add(clr::ClassID type, const clr::AsyncClass& learnt);
  uint32_t role_of_function(clr::FunctionID function);
  base::CodeId name_of(clr::ClassID machine);

  CodeRegistry& registry_;
  clr::AsyncClasses classes_;
  clr::MethodNames names_;
  PagedArray<unwind::AsyncTypes::Slot> type_slots_{kTypes};
  PagedArray<std::atomic<uint32_t>> code_roles_{kCodes};
  PagedArray<unwind::AsyncMethods::Slot> frame_slots_{kFrames};
  PagedArray<unwind::AsyncMachine> machines_{kMachines};
  PagedArray<std::atomic<uint64_t>> hint_words_{kHints};
  unwind::AsyncTypes types_;
  unwind::AsyncMethods methods_;
  unwind::AsyncHints hints_;
  std::unordered_map<clr::FunctionID, uint32_t> roles_;
  std::unordered_map<clr::ClassID, base::CodeId> method_ids_;  // by state machine
  uint32_t next_code_ = 1;
  uint64_t learnt_ = 0;
  bool full_ = false;
  std::unordered_set<clr::ClassID> seen_;
  std::vector<Waiting> again_;
  base::Mutex mutex_;
  std::vector<clr::ClassID> loaded_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent
