// What the records of calls that were traced (wire/trace_records.h) add up to. Feed it each. One thread.
// Hostile records: what refers to nothing is left out, and there are bounds. Nanoseconds, the probes' own
// time included.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wire/records.h"

namespace walkabout::recording {

// Of a node in one thread; wire::TraceTimes says what each is.
struct TraceFigures {
  uint64_t calls = 0;
  uint64_t wall = 0;
  uint64_t self = 0;
  uint64_t cpu = 0;
  uint64_t self_cpu = 0;
  uint64_t waiting = 0;
  uint64_t exceptions = 0;
  uint64_t least = 0;  // of no call 0
  uint64_t most = 0;
  uint64_t allocated = 0;
};

class TraceTotals {
 public:
  static constexpr size_t kMostNodes = size_t{1} << 22;
  static constexpr size_t kMostRows = size_t{1} << 21;
  static constexpr size_t kMostCalls = size_t{1} << 20;
  static constexpr size_t kMostChanges = size_t{1} << 20;

  struct Node {
    uint32_t parent = 0;
    uint32_t method = 0;  // index of a CountedMethod
  };
  // A thread in a node.
  struct Row {
    base::ThreadId thread;
    uint32_t node = 0;
    TraceFigures figures;
  };
  // How much more a row had at that time than before: of its calls, its own time, that of it on a processor,
  // exceptions, bytes.
  using Parts = std::array<uint64_t, 5>;
  struct Change {
    uint64_t time_us = 0;
    uint32_t row = 0;
    Parts parts{};
  };
  using Spread = std::vector<std::pair<uint32_t, uint64_t>>;  // bucket, calls

  void add(const wire::TraceNodes& r);
  void add(const wire::TraceTimes& r);
  void add(const wire::TraceSpread& r);
  void add(const wire::TracedCall& r);
  void add(const wire::TraceState& r) {
    state_ = r;
    any_ = true;
  }

  bool any() const { return any_; }
  // By id; the first is none, a root above all.
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Row>& rows() const { return rows_; }
  const std::unordered_map<uint32_t, Spread>& spreads() const { return spreads_; }
  // In the order that they came in.
  const std::vector<wire::TracedCall>& calls() const { return calls_; }
  // Of spans of time that grow with the recording's length; by row, then time.
  std::vector<Change> take_changes();
  const wire::TraceState& state() const { return state_; }
  uint64_t left_out() const { return left_out_; }  // by the bounds above, or because it refers to nothing

 private:
  void keep_changes_bounded(uint64_t time_us);
  void put_changes_together(uint64_t span_us);

  std::vector<Node> nodes_{{}};
  std::vector<Row> rows_;
  std::unordered_map<uint64_t, uint32_t> row_of_;  // by thread and node
  std::vector<Change> changes_;
  std::unordered_map<uint32_t, Spread> spreads_;
  std::vector<wire::TracedCall> calls_;
  wire::TraceState state_;
  uint64_t span_us_ = 1;
  uint64_t left_out_ = 0;
  bool any_ = false;
};

}  // namespace walkabout::recording
