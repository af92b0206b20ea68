// A recording of traced calls for tests: a shop whose Main checks orders out, on two threads.
//   Main ─ Checkout ─┬ Query        and in the worker: Load (async) ─ Query
//                    └ Sum ─ Sum
#pragma once

#include <utility>
#include <vector>

#include "profile/model/test_recording.h"
#include "profile/model/traces.h"
#include "wire/trace_bucket.h"

namespace walkabout::profile::testing {

inline wire::Source slow_call_source() {
  wire::Source source;
  source.id = base::SourceId(14);
  source.name = kSlowCallSource;
  source.values = {{"call time", "nanoseconds", wire::Adding::kSum}};
  source.labels = {{kSlowCallLabel, static_cast<uint32_t>(wire::LabelType::kNumber)}};
  return source;
}

inline wire::TraceTimes trace_times(base::ThreadId thread, uint64_t time_us,
                                    const std::vector<std::vector<uint64_t>>& rows) {
  wire::TraceTimes r;
  r.thread = thread;
  r.time_us = time_us;
  for (const std::vector<uint64_t>& row : rows) {
    r.node.push_back(row[0]);
    r.calls.push_back(row[1]);
    r.wall.push_back(row[2]);
    r.self.push_back(row[3]);
    r.cpu.push_back(row[2]);
    r.self_cpu.push_back(row[3] / 2);
    r.waiting.push_back(row[4]);
    r.exceptions.push_back(row[5]);
    r.least.push_back(row[6]);
    r.most.push_back(row[7]);
    r.allocated.push_back(0);
  }
  return r;
}

inline wire::TracedCall traced_call(uint64_t number, uint64_t caller, uint64_t node, uint64_t begin_ns,
                                    uint64_t wall_ns, base::ThreadId thread) {
  wire::TracedCall call;
  call.call = number;
  call.caller = caller;
  call.node = node;
  call.begin_ns = begin_ns;
  call.wall_ns = wall_ns;
  call.cpu_ns = wall_ns / 4;
  call.thread = call.ended_in = thread;
  return call;
}

// Of a Session, with sources and all else.
inline void emit_trace(recording::RecordVisitor& out) {
  TestRecording emit(out);
  wire::Session session;
  session.pid = 4711;
  session.command_line = "dotnet shop.dll";
  session.runtime = ".NET 10.0.1";
  session.os = "Linux 6.1.0 x86_64";
  out.on_session(session);
  out.on_source(slow_call_source());
  const base::ThreadId main = emit.thread("main", 4711, "main");
  const base::ThreadId worker = emit.thread(".NET TP Worker", 4712);
  out.on_call_pattern({0, "Shop.*", 6, ""});
  out.on_call_pattern({1, "Shpo.*", 0, "Shop.Cart, Shop.Db"});
  const auto method = [&out](uint32_t index, const char* type, const char* name, const char* parameters,
                             const char* problem = "") {
    wire::CountedMethod record;
    record.index = index;
    record.type = type;
    record.method = name;
    record.parameters = parameters;
    record.module = "shop.dll";
    record.problem = problem;
    out.on_counted_method(record);
  };
  method(0, "Shop.Program", "Main", "System.String[]");
  method(1, "Shop.Cart", "Checkout", "System.Int32");
  method(2, "Shop.Db", "Query", "System.String");
  method(3, "Shop.Cart", "Sum", "");
  method(4, "Shop.Orders", "Load", "System.Int32");
  method(5, "Shop.Cart", "Twist", "", "the body cannot be read");
  method(6, "Shop.Item", "get_Price", "");
  out.on_trace_nodes({{0, 1, 2, 2, 4}, {0, 1, 2, 3, 3}});
  out.on_trace_nodes({{0, 6, 4}, {4, 2, 6}});
  // node, calls, wall, self, waiting, exceptions, least, most
  out.on_trace_times(trace_times(main, 500'000,
                                 {{2, 10, 400'000'000, 100'000'000, 0, 1, 30'000'000, 60'000'000},
                                  {3, 10, 200'000'000, 200'000'000, 0, 0, 9'000'000, 40'000'000}}));
  out.on_trace_times(trace_times(main, 1'000'000,
                                 {{1, 1, 900'000'000, 100'000'000, 0, 0, 900'000'000, 900'000'000},
                                  {2, 20, 800'000'000, 200'000'000, 0, 1, 30'000'000, 60'000'000},
                                  {3, 20, 400'000'000, 400'000'000, 0, 0, 9'000'000, 50'000'000},
                                  {4, 20, 200'000'000, 150'000'000, 0, 0, 5'000'000, 20'000'000},
                                  {5, 20, 50'000'000, 50'000'000, 0, 0, 1'000'000, 5'000'000},
                                  {8, 1'000'000, 0, 0, 0, 0, 0, 0}}));
  out.on_trace_times(trace_times(worker, 1'000'000,
                                 {{6, 5, 20'000'000, 10'000'000, 480'000'000, 0, 90'000'000, 120'000'000},
                                  {7, 5, 10'000'000, 10'000'000, 0, 0, 1'000'000, 3'000'000}}));
  out.on_trace_spread({3, {wire::trace_bucket(20'000'000), wire::trace_bucket(50'000'000)}, {18, 2}});
  out.on_trace_spread({7, {wire::trace_bucket(2'000'000)}, {5}});
  const auto root = emit.stack({emit.jitted("Shop.Program", "Main")});
  const auto checkout = emit.push(root, emit.jitted("Shop.Cart", "Checkout"));
  wire::TracedCall outer = traced_call(1, 0, 2, 100'000'000, 60'000'000, main);
  outer.arguments = {{"id", "System.Int32", "42", false}};
  outer.outcome = static_cast<uint32_t>(wire::CallOutcome::kException);
  outer.result = {{"", "System.TimeoutException", "no answer", false}};
  wire::TracedCall inner = traced_call(2, 1, 3, 105'000'000, 50'000'000, main);
  inner.arguments = {{"sql", "System.String", "\"SELECT * FROM orders", true}};
  inner.result = {{"", "System.Int32", "17", false}};
  wire::TracedCall load = traced_call(3, 0, 6, 200'000'000, 120'000'000, worker);
  load.waiting_ns = 110'000'000;
  load.ended_in = main;
  out.on_traced_call(inner);
  out.on_traced_call(outer);
  out.on_traced_call(load);
  const auto slow = [&](uint64_t time_us, uint64_t weight, base::StackId stack, uint64_t call) {
    wire::Samples samples{main, {time_us},          {weight}, {stack}, {wire::WalkEnd::kRooted},
                          {0},  base::SourceId(14), {call}};
    out.on_samples(samples);
  };
  slow(155'000, 50'000'000, checkout, 2);
  slow(160'000, 60'000'000, root, 1);
  wire::TraceState state;
  state.time_us = 1'000'000;
  state.latency_ns = 50'000'000;
  state.clock_ps = 12'000;
  state.probe_inside_ps = 15'000;
  state.probe_outside_ps = 10'000;
  state.kept = 3;
  state.not_kept = 4;
  state.untimed = {6};
  state.cpu = static_cast<uint32_t>(wire::TraceCpu::kExact);
  out.on_trace_state(state);
  wire::CallState choice;
  choice.time_us = 1'000'000;
  choice.looked = true;
  choice.chosen = 7;
  out.on_call_state(choice);
  out.on_end({1'000'000});
}

}  // namespace walkabout::profile::testing
