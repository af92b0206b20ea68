// The calls of a recording that were traced, each of them: `walkabout trace`. A part of a Profile, whose
// nodes, frames and threads it refers to. Times are nanoseconds. Immutable once it is built; any thread.
//
// The probes' own time is left out where it is not called raw: of each call what the recording says falls
// into its own time, and what falls into its caller's. No time falls below 0 by that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wire/records.h"

namespace walkabout::profile {

// The source of a Profile's samples that are times of traced calls, added up: it is made when a recording is
// read, and no agent has it. Its values: time (own), CPU time, calls, exceptions, allocated bytes. A sample
// is what a thread had at a node within a span of time; its count are the calls that ended.
inline constexpr base::SourceId kTracedSource(200);
inline constexpr char kTracedSourceName[] = "trace";
// The source of the agent's whose samples are the stacks of slow calls; its label of this name says which.
inline constexpr char kSlowCallSource[] = "call";
inline constexpr char kSlowCallLabel[] = "call";

// Calls that ended.
struct CallFigures {
  uint64_t calls = 0;
  uint64_t exceptions = 0;  // of them ended by one
  uint64_t self = 0;        // outside of traced methods that it called; of async methods while they ran
  uint64_t total = 0;       // of it and of those below it; recursion counts once
  uint64_t raw_self = 0;
  uint64_t raw_total = 0;
  uint64_t self_cpu = 0;  // where CPU times are known
  uint64_t total_cpu = 0;
  uint64_t waiting = 0;    // of async methods, while they did not run
  uint64_t allocated = 0;  // bytes, by samples, in self
  // How long a call took from begin to end, waiting included; of its own probe's time alone it is freed.
  uint64_t least = 0;
  uint64_t median = 0;  // within 6.25%
  uint64_t p99 = 0;     // likewise
  uint64_t most = 0;
  bool spread_known = false;  // median and p99 are
};

struct TracedMethod {
  std::string name;   // "Orders.Cart.Add(Item)"
  std::string match;  // what patterns are compared with
  std::string module;
  std::string problem;   // why it was not traced; empty: it was
  bool untimed = false;  // it only has its count: it was called too often
  uint32_t frame = 0;    // of the Profile
  CallFigures figures;
};

// Its own callers are above it; the first one is the root.
struct TracedNode {
  uint32_t parent = 0;  // lower than its own
  uint32_t method = 0;  // index into methods
  uint32_t node = 0;    // of the Profile
  CallFigures figures;
};

// A call that took long, or one that such a call was made in.
struct SlowCall {
  uint64_t number = 0;
  uint64_t caller = 0;  // the number of the one around it; 0: none is kept
  uint64_t begin_ns = 0;
  uint64_t wall_ns = 0;
  uint64_t cpu_ns = 0;
  uint64_t waiting_ns = 0;
  uint32_t node = 0;      // index into Traces::nodes
  uint32_t thread = 0;    // of the Profile
  uint32_t ended_in = 0;  // likewise
  uint32_t stack = 0;  // a node of the Profile: where it ended, of async methods where it waited; 0: unknown
  wire::CallOutcome outcome = wire::CallOutcome::kReturned;
  std::vector<wire::TracedValue> arguments;
  std::vector<wire::TracedValue> result;  // none, or the result, or the exception
};

// What a thread did in traced calls.
struct TracedThread {
  uint32_t thread = 0;  // of the Profile
  uint64_t calls = 0;
  uint64_t self = 0;
};

struct Traces {
  wire::Session session;
  wire::TraceState state;
  wire::CallState choice;  // of the methods
  std::vector<wire::CallPattern> patterns;
  std::vector<TracedMethod> methods;  // by index in the recording
  std::vector<TracedNode> nodes;      // parents come before children
  std::vector<TracedThread> threads;  // the most time first
  std::vector<SlowCall> calls;        // by begin
  uint64_t duration_us = 0;           // of a process that ran already since all methods were asked for
  uint64_t left_out = 0;              // of the recording, for it refers to nothing or there is too much of it
  bool complete = false;              // the agent ended it in good order

  bool knows_cpu() const { return state.cpu != static_cast<uint32_t>(wire::TraceCpu::kNone); }
  // Calls of some threads have none.
  bool lacks_cpu() const { return state.cpu == static_cast<uint32_t>(wire::TraceCpu::kSome); }
  uint64_t all_calls() const;
  uint64_t all_self() const;
};

// "id: 42, name: \"Anna\"".
std::string arguments_text(const SlowCall& call);
// "42"; "System.InvalidOperationException: no such order"; empty: nothing is known, or there is none.
std::string result_text(const SlowCall& call);

}  // namespace walkabout::profile
