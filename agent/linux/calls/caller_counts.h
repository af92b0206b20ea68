// Counts calls by who makes them (`walkabout count --by-caller`): what a counted method calls for that when
// it begins, in place of walkabout_count_call(), and what of it the recording gets.
//
// The function counts as that one does, and then looks for its caller's caller in the code maps
// (unwind/walk/caller.h), or in what the thread has found last. It is called in the same way, and so neither
// calls back nor waits; it is inside of tick_gate() while it looks. Calls whose caller is not found, or finds
// no room, are counted as such.
//
// One at a time begins. begin(), end(): whoever begins and ends the recording. take(): the spooler.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "agent/linux/calls/caller_memo.h"
#include "agent/linux/calls/caller_table.h"
#include "unwind/walk/walker.h"
#include "wire/call_records.h"
#include "wire/counter_blocks.h"

namespace walkabout::agent {

extern "C" void walkabout_count_call_by_caller(uint64_t method);

class CallerCounts {
 public:
  CallerCounts() = default;
  ~CallerCounts() { end(); }
  CallerCounts(const CallerCounts&) = delete;
  CallerCounts& operator=(const CallerCounts&) = delete;

  // code: as of unwind::CodeMap, inside of tick_gate() until a grace period behind end().
  void begin(const unwind::CodeMap& code);
  // No call is added any more, once a grace period of tick_gate() is over: before, this must not go.
  void end();

  // What the frame of a caller is in the recording, where it is declared. Frame(): not known yet.
  class Declare {
   public:
    virtual wire::Frame declare(wire::Frame caller) = 0;

   protected:
    ~Declare() = default;
  };
  // Of the calls since the last time, if there were any; the first time in any case. Before the counters of
  // the methods are read (call_counters.h): so no method ever has more callers than calls.
  std::optional<wire::CallerCounts> take(uint64_t time_us, Declare& to);

 private:
  // Where the counted method stands.
  struct Counted {
    uint32_t method;
    uint64_t pc, sp, bp;
  };
  friend void walkabout_count_call_by_caller(uint64_t method);
  void add(const Counted& counted);
  uint32_t find_pair(const Counted& counted, uint32_t generation, CallerMemo* memo);

  CallerTable table_;
  PagedArray<CallerMemo> memos_{wire::kMostCounterBlocks};  // of the threads that have these blocks
  unwind::CodeMap code_;
  std::atomic<uint64_t> no_room_{0}, not_found_{0};  // calls
  uint64_t taken_no_room_ = 0, taken_not_found_ = 0;
  bool taken_ = false;
};

}  // namespace walkabout::agent
