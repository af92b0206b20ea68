// Learns which classes and methods async stacks go through, for the handler to use: what unwind/async looks
// up. The spooler asks the CLR; callbacks only say what is new.
//
// class_loaded(), class_unloaded() and module_unloads(): any thread, in a callback. learn() and see(): the
// spooler.
//
// Classes and methods of collectible modules may go, and others come at their addresses. The runtime says so
// (ModuleUnloadStarted) before it frees anything of the module, and waits for module_unloads(): until then
// the CLR may be asked about them, and there they are forgotten. What may go is asked for under a lock, which
// the callback takes as well.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
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
  // A collectible module is about to be unloaded: after CodeRegistry::module_unloaded(). Waits for the
  // question at hand, which is short.
  void module_unloads(clr::ModuleID module);
  // All threads stand, and no handler reads the heap: what was forgotten before is read by nobody.
  void all_stand() { stands_.fetch_add(1, std::memory_order_seq_cst); }
  // Collectible modules whose unloading has begun.
  uint32_t unloads() const { return registry_.unloads(); }
  // Classes of objects that were there when unloads() was so. lives: as lives_on() said then.
  void found(std::span<const uint64_t> types, std::span<const uint8_t> lives, uint32_t unloads);
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
    bool may_go = false;
    bool done = false;
    uint64_t due_ns = 0;
    uint64_t wait_ns = kFirstWaitNs;
  };
  struct Loaded {
    clr::ClassID type;
    bool may_go;
  };
  static constexpr size_t kTypes = 1 << 15, kCodes = 1 << 20, kFrames = 1 << 17, kHints = 1 << 12;
  static constexpr int kMostWaits = 10'000, kWaitUs = 100;  // of an unloading for a question: a second
  static constexpr uint64_t kFirstWaitNs = 10'000'000, kLongestWaitNs = 60'000'000'000;

  void learn_methods();
  size_t learn_classes(uint64_t now_ns);
  // The rest: who asks holds asking_.
  size_t take_loaded() WALKABOUT_REQUIRES(asking_);
  void renew_types() WALKABOUT_REQUIRES(asking_);
  void note(clr::ClassID type, bool may_go) WALKABOUT_REQUIRES(asking_);
  bool learn_class(Waiting& one, uint64_t now_ns) WALKABOUT_REQUIRES(asking_);
  void forget(clr::ClassID type) WALKABOUT_REQUIRES(asking_);
  template <typename Such>
  void forget_all(Such such) WALKABOUT_REQUIRES(asking_);
  void forget_after_giving_up() WALKABOUT_REQUIRES(asking_);
  // In a callback of an unloading.
  template <typename Work>
  void between_questions(Work work);
  void let_unloads_pass() const;
  bool add(const Waiting& one, const clr::AsyncClass& learnt) WALKABOUT_REQUIRES(asking_);
  uint32_t role_of_code(const CompiledMethod& method) WALKABOUT_REQUIRES(asking_);
  uint32_t role_of_function(clr::FunctionID function) WALKABOUT_REQUIRES(asking_);
  base::CodeId name_of(clr::ClassID machine, bool may_go) WALKABOUT_REQUIRES(asking_);

  CodeRegistry& registry_;
  base::Mutex asking_;  // before mutex_
  clr::AsyncClasses classes_;
  clr::MethodNames names_ WALKABOUT_GUARDED_BY(asking_);
  PagedArray<unwind::AsyncTypes::Slot> type_slots_{kTypes}, other_type_slots_{kTypes};
  PagedArray<std::atomic<uint32_t>> code_roles_{kCodes};
  PagedArray<unwind::AsyncMethods::Slot> frame_slots_{kFrames};
  PagedArray<unwind::AsyncMachine> machines_{kMachines};
  PagedArray<std::atomic<uint64_t>> hint_words_{kHints};
  unwind::AsyncTypes types_;
  unwind::AsyncMethods methods_;
  unwind::AsyncHints hints_;
  std::unordered_map<clr::FunctionID, uint32_t> roles_ WALKABOUT_GUARDED_BY(asking_);
  std::unordered_map<clr::ClassID, base::CodeId> method_ids_
      WALKABOUT_GUARDED_BY(asking_);  // by state machine
  // Of collectible modules: by module's file and state machine.
  std::map<std::pair<std::string, std::string>, base::CodeId> codes_by_name_ WALKABOUT_GUARDED_BY(asking_);
  uint32_t next_code_ = 1;
  uint64_t learnt_ = 0;
  bool full_ = false;
  // That were ever loaded: those that stay; those that may go, which are there now.
  std::unordered_set<clr::ClassID> stay_ WALKABOUT_GUARDED_BY(asking_), may_go_ WALKABOUT_GUARDED_BY(asking_);
  std::vector<Waiting> waiting_ WALKABOUT_GUARDED_BY(asking_);
  std::atomic<uint32_t> stands_{0};
  uint32_t renewed_at_ WALKABOUT_GUARDED_BY(asking_) = 0;  // stands_
  std::atomic<uint32_t> unloading_{0};                     // callbacks that wait for the question at hand
  std::atomic<bool> gave_up_{false};  // an unloading did not wait for the question at hand
  base::Mutex mutex_;
  std::vector<Loaded> loaded_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent
