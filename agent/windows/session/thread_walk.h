// One sample of one thread, in the order the profiling API asks for: everything that allocates is there
// before; the thread is stopped; its registers are taken; the topmost managed frame is looked for; the CLR
// walks from it; the thread runs again; only then are native frames filled in from the copied words and
// frames named.
//
// The sampler's thread, which never runs managed code. Sources: the documentation of
// ICorProfilerInfo2::DoStackSnapshot ("profiler stack walking in .NET: basics and beyond"); facts measured in
// docs/windows.md.
#pragma once

#include <vector>

#include "agent/core/code_registry.h"
#include "agent/shared/mixed_stack.h"
#include "agent/windows/dynamic_function.h"
#include "agent/windows/figures.h"
#include "agent/windows/session/snapshot.h"
#include "agent/windows/stopped_thread.h"
#include "clr/abi/info.h"
#include "wire/ring.h"

namespace walkabout::agent {

class ThreadWalk {
 public:
  struct Setup {
    clr::ICorProfilerInfo2* info;
    CodeRegistry& registry;
    Watchdog& watchdog;
    NativeFrames native;
    uint32_t depth;
    bool verify;  // both walks, and both are recorded
  };
  explicit ThreadWalk(const Setup& setup);

  // Before anything is stopped: whatever the CLR and the system make at a first walk is made now.
  void prepare();

  enum class Result : uint8_t { kSampled, kBlocked, kGone };
  // clr: the CLR's id of the thread; 0: it has none, and only our own walk is to be had. sample: as begun in
  // the ring, with room for twice `depth` frames behind it; its frames, end, flags and the CLR's walk are
  // set.
  Result walk(const ThreadHandle& thread, const StackBounds& bounds, clr::ThreadID clr,
              wire::RawSample* sample);
  // The calling thread, from a callback of the CLR's: nothing is stopped.
  Result walk_self(const StackBounds& bounds, wire::RawSample* sample);
  // Of the thread that was walked last, where the walk found it.
  const unwind::Registers& registers() const { return stopped_.registers(); }
  const Figures& figures() const { return figures_; }

 private:
  void take_code();
  bool request_clr_walk(clr::ThreadID clr);
  void put_back_return(const unwind::Registers& topmost, clr::ThreadID clr);
  void fill(bool requested, wire::RawSample* sample);
  void record_clr_walk(wire::RawSample* sample);
  unwind::PeCodeMap code() const;
  bool is_managed(uint64_t pc) const;

  const Setup setup_;
  StoppedThread stopped_;
  Snapshot snapshot_;
  Figures figures_;
  clr::HRESULT answer_ = clr::E_FAIL;
  bool seeded_ = false;
  alignas(16) CONTEXT seed_{};
};

}  // namespace walkabout::agent
