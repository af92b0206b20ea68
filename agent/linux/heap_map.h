// Asks the runtime which memory the managed heap has: after each suspension, and from time to time for the
// regions that came since.
//
// all_stand() and resumes(): the callbacks of suspensions, while the gate is closed. started() and
// finished(): those of collections. refresh(): the spooler.
#pragma once

#include <atomic>
#include <cstdint>

#include "agent/shared/heap_gate.h"
#include "agent/shared/heap_tables.h"
#include "agent/shared/pages.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

class HeapMap {
 public:
  HeapMap(clr::ICorProfilerInfo2* info, const HeapGate& gate) : info_(info), tables_(gate) {}

  // A thread of the program collects: there is one heap, which gives memory back in collections only. With
  // several a thread of the runtime's collects, and gives it back at any time (gcServer).
  void collected_by_program() { one_heap_.store(true, std::memory_order_relaxed); }
  void all_stand() { tables_.all_stand(); }
  void resumes();
  void started() { under_way_.fetch_add(1, std::memory_order_relaxed); }
  void finished() { under_way_.fetch_sub(1, std::memory_order_relaxed); }
  void refresh();
  const HeapTables& tables() const { return tables_; }

 private:
  bool ask(unwind::HeapRegions& table, const unwind::HeapRegions& before);

  clr::ICorProfilerInfo2* const info_;
  std::atomic<bool> one_heap_{false};
  std::atomic<int> under_way_{0};  // collections
  PagedArray<clr::COR_PRF_GC_GENERATION_RANGE> ranges_{HeapTables::kMost};
  HeapTables tables_;
};

}  // namespace walkabout::agent
