// What async stacks need as long as the agent records: what is learnt of classes and methods, and the gate
// between the handlers that read the heap and the collections that move it.
//
// learner: see there. suspends(), all_stand() and resumes(): the callbacks of suspensions, on the thread that
// suspends.
#pragma once

#include <sched.h>
#include <unistd.h>

#include <memory>

#include "agent/core/async_learner.h"
#include "agent/core/pending_snapshots.h"
#include "agent/linux/background_collector.h"
#include "agent/linux/handler/capture.h"
#include "agent/linux/heap_map.h"
#include "agent/shared/collection_state.h"
#include "agent/shared/heap_gate.h"

namespace walkabout::agent {

struct AsyncStacks {
  // attached: a collection may run already, also one in the background.
  AsyncStacks(CodeRegistry& registry, clr::ICorProfilerInfo2* info, bool attached)
      : learner(registry, info, attached),
        collections(attached),
        gate(attached),
        heap(info, gate, collections) {}

  // The calling thread begins to stop the others; its slot, or null. Nothing moves before they stand.
  void suspends(clr::COR_PRF_SUSPEND_REASON reason, ThreadSlot* slot) {
    if (slot != nullptr && reason == clr::COR_PRF_SUSPEND_FOR_GC &&
        slot->clr_thread.load(std::memory_order_relaxed) != 0)
      heap.collected_by_program();
  }
  // They stand. Nothing moves before this returns. Who still reads is a thread outside of managed code, which
  // is not stopped: its handler is done within microseconds of processor time.
  void all_stand() {
    owed.stop();
    int yields = 0;
    gate.close([&yields] {
      if (++yields < kYields)
        ::sched_yield();
      else
        ::usleep(kWaitUs);
    });
    learner.all_stand();
    collections.all_stand();
    heap.all_stand();
  }
  void resumes() {
    collections.resumes();
    heap.resumes();
    gate.open();
    answer_owed(setup);
  }

  void collection_finished() {
    if (collections.finished() && pending != nullptr) pending->collection_finished();
  }

  AsyncLearner learner;
  CollectionState collections;
  HeapGate gate;
  HeapMap heap;
  OwedAwaiters owed;
  AsyncSetup setup{learner.knowledge(), gate, heap.tables(), owed};
  BackgroundCollector background;
  std::unique_ptr<PendingSnapshots> pending;  // null: not asked for

 private:
  static constexpr int kYields = 16;
  static constexpr useconds_t kWaitUs = 20;
};

}  // namespace walkabout::agent
