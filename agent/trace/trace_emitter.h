// From what threads have counted to records. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "agent/trace/trace_process.h"

namespace walkabout::agent {

class TraceEmitter {
 public:
  // What threads could not trace, and kept.
  struct Sums {
    uint64_t kept = 0, not_kept = 0, too_deep = 0, no_room = 0, unmatched = 0, without_cpu = 0;
  };

  // monotonic_start_ns: Session's.
  TraceEmitter(TraceReader& reader, uint64_t monotonic_start_ns)
      : reader_(reader), start_ns_(monotonic_start_ns) {}

  void set_rate(const TickMoment& begin, TickRate rate, bool knows_cpu) {
    begin_ = begin;
    rate_ = rate;
    knows_cpu_ = knows_cpu;
  }

  // Nodes that are new; and a thread's slow calls alone.
  void emit_nodes(std::string* records);
  void emit_kept(ThreadTrace& thread, std::string* records);
  // A look at all threads begins. Nodes that are new.
  void begin_round(std::string* records);
  // What a thread has counted, as far as it has changed, and slow calls. False: not all of it can be said
  // yet.
  bool emit_thread(ThreadTrace& thread, uint64_t time_us, std::string* records);
  // The same of one that has ended.
  bool emit_ended(ThreadTrace& thread, uint64_t time_us, std::string* records);
  // How long calls took, of nodes where something changed since.
  void emit_spreads(std::string* records);
  // What is on for longer than is slow, as of `now`: in a thread, and of async methods that wait.
  void emit_not_ended(const ThreadTrace& thread, uint64_t now, std::string* records);
  void emit_waiting(uint64_t now, std::string* records);

  // Of the round: of all threads, and calls by method.
  const Sums& sums() const { return sums_; }
  const std::vector<uint64_t>& calls() const { return calls_; }

 private:
  bool emit_figures(ThreadTrace& thread, uint64_t time_us, std::string* records);
  bool know_thread(ThreadTrace& thread);
  void emit_call(const KeptCall& call, std::span<const uint8_t> values, std::string* records);
  uint64_t begin_ns(uint64_t ticks) const;

  TraceReader& reader_;
  const uint64_t start_ns_;
  TickMoment begin_;
  TickRate rate_;
  bool knows_cpu_ = false;
  uint32_t nodes_ = 0;  // emitted
  Sums sums_, ended_;   // of the round; of threads that have ended
  std::vector<uint64_t> calls_, ended_calls_;
  std::vector<bool> changed_;          // nodes whose spread has changed
  std::map<uint64_t, uint64_t> past_;  // spreads of threads that have ended: node and bucket, calls
};

}  // namespace walkabout::agent
