// Where jitted code lies and how to step out of it.
//
// Readers (signal handlers) call find() inside a ReaderGate, without locks or allocation: an immutable sorted
// snapshot plus a short append-only tail that holds what was published since. Writers (compiling threads, the
// unloading thread, the maintenance tick) are serialised by the caller's lock. A method is found as soon as
// publish() returns and until retire() or until other code is published over it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.h"
#include "unwind/code/reader_gate.h"

namespace walkabout::unwind {

// A region of one compiled method with one unwind rule: the main function or a funclet.
struct JitRegion {
  uint64_t begin = 0;
  uint64_t method_start = 0;  // of the whole compiled method: a frame's offset counts from here
  uint32_t size = 0;
  std::atomic<uint32_t> code{0};    // CodeId; 0 = retired
  const uint8_t* unwind = nullptr;  // UNWIND_INFO, interned, lives as long as the map
  uint32_t unwind_size = 0;

  JitRegion() = default;
  JitRegion(const JitRegion& o)
      : begin(o.begin),
        method_start(o.method_start),
        size(o.size),
        code(o.code.load(std::memory_order_relaxed)),
        unwind(o.unwind),
        unwind_size(o.unwind_size) {}
  JitRegion& operator=(const JitRegion&) = delete;
  uint64_t end() const { return begin + size; }
};

class JitMap {
 public:
  explicit JitMap(ReaderGate& gate);
  ~JitMap();

  // REQUIRES: inside the gate. Null when no live region holds pc.
  const JitRegion* find(uint64_t pc) const;
  // REQUIRES: inside the gate, no live region holds pc. Where the nearest live one below it ends; 0: there is
  // none.
  uint64_t end_below(uint64_t pc) const;

  // Writers; serialised by the caller.
  // True when it lies over code whose unloading was not announced, which is retired by it.
  bool publish(const JitRegion& region);
  // Takes every region of the method that begins at `method_start` out. False when there is none.
  bool retire(uint64_t method_start);
  // Merges the tail into the snapshot when it holds anything and frees what no reader can hold. Call now and
  // then.
  void maintain();

  size_t size() const;
  size_t bytes() const;

 private:
  struct Snapshot;
  struct Retired;
  Snapshot* merged(const JitRegion* extra) const;
  void replace(Snapshot* next);
  bool retire_overlapping(uint64_t begin, uint64_t end);
  template <typename F>
  void for_each_overlapping(Snapshot& s, uint64_t begin, uint64_t end, F f);

  ReaderGate& gate_;
  std::atomic<Snapshot*> current_;
  std::vector<Retired> retired_;
};

}  // namespace walkabout::unwind
