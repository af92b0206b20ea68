// Calls that were traced, each of them: `walkabout trace`. Their methods are CountedMethods, what became of
// these CallPattern and CallState (wire/call_records.h). A slow call is also a sample of the source "call",
// whose label "call" is TracedCall.call. docs/design/trace.md says what the figures mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "wire/field.h"
#include "wire/record_type.h"

namespace walkabout::wire {

// New nodes of the call tree of traced methods, in columns: of all threads, for the tree is one. A node's id
// is its place in the order of all nodes, from 1. It stands for its method called by the parent's, whatever
// methods that are not traced stand between them; parent 0: by none that is traced.
struct TraceNodes {
  static constexpr RecordType kType = RecordType::kTraceNodes;
  std::vector<uint64_t> parent;  // lower than the node's own id
  std::vector<uint64_t> method;  // index of a CountedMethod
};
template <typename = void>
constexpr auto fields(const TraceNodes*) {
  return std::tuple(as::column(1, &TraceNodes::parent), as::column(2, &TraceNodes::method));
}

// What one thread did in nodes of the tree since the beginning, in columns; of the nodes where something
// changed. The last one of a thread and a node counts. Nanoseconds, the probes' own time included. A call
// counts when it has ended, in the thread that it ended in; the time of an async method that ran in several
// threads counts in each for what it ran there.
struct TraceTimes {
  static constexpr RecordType kType = RecordType::kTraceTimes;
  uint64_t time_us = 0;
  base::ThreadId thread;
  std::vector<uint64_t> node;        // rising
  std::vector<uint64_t> calls;       // that ended
  std::vector<uint64_t> wall;        // from begin to end; of async methods, while they ran
  std::vector<uint64_t> self;        // of it, outside of traced methods that it called
  std::vector<uint64_t> cpu;         // of wall, on a processor; all 0 where TraceState.cpu is kNone
  std::vector<uint64_t> self_cpu;    // of self, likewise
  std::vector<uint64_t> waiting;     // of async methods, while they did not run
  std::vector<uint64_t> exceptions;  // calls that ended by one
  std::vector<uint64_t> least;       // wall + waiting of the shortest call
  std::vector<uint64_t> most;        // of the longest
  std::vector<uint64_t> allocated;   // bytes, by sampled allocations in self; 0 where they are not on
};
template <typename = void>
constexpr auto fields(const TraceTimes*) {
  return std::tuple(as::time(1, &TraceTimes::time_us), as::number(2, &TraceTimes::thread),
                    as::rising(3, &TraceTimes::node), as::column(4, &TraceTimes::calls),
                    as::column(5, &TraceTimes::wall), as::column(6, &TraceTimes::self),
                    as::column(7, &TraceTimes::cpu), as::column(8, &TraceTimes::self_cpu),
                    as::column(9, &TraceTimes::waiting), as::column(10, &TraceTimes::exceptions),
                    as::column(11, &TraceTimes::least), as::column(12, &TraceTimes::most),
                    as::column(13, &TraceTimes::allocated));
}

// How long the calls of a node took (wall + waiting), since the beginning, of all threads: a row for each
// bucket that is not empty. The last one of a node counts. Buckets: trace_bucket() of nanoseconds.
struct TraceSpread {
  static constexpr RecordType kType = RecordType::kTraceSpread;
  uint64_t node = 0;
  std::vector<uint64_t> bucket;  // rising
  std::vector<uint64_t> calls;
};
template <typename = void>
constexpr auto fields(const TraceSpread*) {
  return std::tuple(as::number(1, &TraceSpread::node), as::rising(2, &TraceSpread::bucket),
                    as::column(3, &TraceSpread::calls));
}

// What an argument is, or the result, or the exception that ended the call.
struct TracedValue {
  std::string name;  // "id", "this"; of a result or an exception nothing
  std::string type;  // "System.Int32", where it is known
  std::string text;  // "42", "\"Anna\"", "[3]", "{ X = 1, Y = 2 }", "null"
  bool cut = false;  // there is more of it
};
template <typename = void>
constexpr auto fields(const TracedValue*) {
  return std::tuple(as::text(1, &TracedValue::name, Place::kNone),
                    as::text(2, &TracedValue::type, Place::kNone),
                    as::text(3, &TracedValue::text, Place::kMessage), as::number(4, &TracedValue::cut));
}

enum class CallOutcome : uint32_t {
  kReturned = 0,
  kException = 1,
  kNotEnded = 2,  // still on when the recording ended
};

// One call that took long, or one that such calls are in.
struct TracedCall {
  static constexpr RecordType kType = RecordType::kTracedCall;
  uint64_t call = 0;  // its number, from 1
  uint64_t caller =
      0;              // the number of the call around it; 0, or one that there is no record of: none is kept
  uint64_t node = 0;  // of the call tree
  uint64_t begin_ns = 0;  // since Session.monotonic_start_ns
  uint64_t wall_ns = 0;   // to its end, waiting included
  uint64_t cpu_ns = 0;
  uint64_t waiting_ns = 0;  // of async methods
  base::ThreadId thread;    // that it began in
  base::ThreadId ended_in;  // of async methods another one, it may be
  uint32_t outcome = 0;     // CallOutcome
  std::vector<TracedValue> arguments;
  std::vector<TracedValue> result;  // none, or one: the result, or the exception
};
template <typename = void>
constexpr auto fields(const TracedCall*) {
  return std::tuple(as::number(1, &TracedCall::call), as::number(2, &TracedCall::caller),
                    as::number(3, &TracedCall::node), as::time(4, &TracedCall::begin_ns),
                    as::time(5, &TracedCall::wall_ns), as::time(6, &TracedCall::cpu_ns),
                    as::time(7, &TracedCall::waiting_ns), as::number(8, &TracedCall::thread),
                    as::number(9, &TracedCall::ended_in), as::number(10, &TracedCall::outcome),
                    as::messages(11, &TracedCall::arguments), as::messages(12, &TracedCall::result));
}

// How CPU times of calls were had.
enum class TraceCpu : uint32_t {
  kNone = 0,   // they were not
  kExact = 1,  // from what the kernel says of the thread
  kSome = 2,   // the same, but for calls of threads that it was not known of at first: theirs count as none
};

// How it was traced, and what of it was not. The last one counts.
struct TraceState {
  static constexpr RecordType kType = RecordType::kTraceState;
  uint64_t time_us = 0;
  uint64_t latency_ns = 0;        // calls as long are kept one by one; 0: none are
  uint64_t clock_ps = 0;          // one reading of the clock, picoseconds
  uint64_t probe_inside_ps = 0;   // of a call's probe what counts as its own time
  uint64_t probe_outside_ps = 0;  // and what counts as its caller's
  uint64_t kept = 0;              // slow calls
  uint64_t not_kept = 0;          // slow calls without a record: there was no room
  uint64_t too_deep = 0;          // calls that were not traced: deeper than a shadow stack is
  uint64_t no_room = 0;           // calls that were not traced: the tree or the thread's figures were full
  uint64_t unmatched = 0;         // calls whose end was not seen
  std::vector<uint64_t> untimed;  // methods by index, rising: called so often that they only have a count
  uint32_t cpu = 0;               // TraceCpu
  bool all = false;               // every managed method, by the runtime's hooks; else chosen ones
};
template <typename = void>
constexpr auto fields(const TraceState*) {
  return std::tuple(as::time(1, &TraceState::time_us), as::time(2, &TraceState::latency_ns),
                    as::number(3, &TraceState::clock_ps), as::number(4, &TraceState::probe_inside_ps),
                    as::number(5, &TraceState::probe_outside_ps), as::number(6, &TraceState::kept),
                    as::number(7, &TraceState::not_kept), as::number(8, &TraceState::too_deep),
                    as::number(9, &TraceState::no_room), as::number(10, &TraceState::unmatched),
                    as::rising(11, &TraceState::untimed), as::number(12, &TraceState::cpu),
                    as::number(13, &TraceState::all));
}

}  // namespace walkabout::wire
