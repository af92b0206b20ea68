// For which test a thread runs, and what ran for it. A test's flow is what the runtime's ExecutionContext
// says: its thread, and all tasks, threads and timers that it starts. Code that is put into test assemblies
// (flow_class.h) says when a thread's changes; each probe asks.
//
// The functions with C names are called by managed code without a transition: they wait for nothing, allocate
// nothing and call nobody. Thread rule: any thread, of itself.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wire/cover_file.h"

namespace walkabout::agent {

inline constexpr uint32_t kTestLanes =
    16;  // test assemblies of a process: each has a value of its own in the flow

// Pages of bits that tests take as they need them. add(): one at a time; all else any thread.
class TestPages {
 public:
  static constexpr uint32_t kPageBytes = wire::kCoverPageProbes / 8;
  static constexpr uint32_t kPiece = 512;  // pages that are added at once
  static constexpr uint32_t kReserve = 2 * wire::kCoverTestPages;

  // memory: of the file; first: where in it the piece's first page is.
  void add(uint8_t* memory, uint32_t first);
  uint32_t left() const;
  // Where in the file; 0: none is left.
  uint32_t take();
  uint8_t* memory() const { return memory_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kMostPieces = 2048;
  std::atomic<uint8_t*> memory_{nullptr};
  std::array<uint32_t, kMostPieces> pieces_{};
  std::atomic<uint32_t> given_{0};  // published behind pieces_
  std::atomic<uint32_t> taken_{0};
};

// The process's.
TestPages& test_pages();
// What ran in no flow that is known is put there. Before any probe is.
void set_unknown_flow(wire::CoverTest* unknown);

// The probe with this number runs. REQUIRES: pages were added.
extern "C" void walkabout_cover_reach(uint64_t probe);
// A method begins that is a test, or another one of a test assembly. -1: it is in a flow already that says
// more; else what its lane had before, and the lane's value is to become this one.
extern "C" int64_t walkabout_cover_enter(int64_t test);
// The lane's value has become this one on this thread; 0: none.
extern "C" void walkabout_cover_flow(uint64_t lane, int64_t test);

}  // namespace walkabout::agent
