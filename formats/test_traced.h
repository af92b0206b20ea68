// A small profile of traced calls: Checkout, which calls Query, on main, and Load, an async method that went
// on in another thread than it began in.
#pragma once

#include <string>
#include <utility>

#include "profile/model/profile.h"

namespace walkabout::formats::testing {

inline profile::SlowCall slow_call(uint64_t number, uint64_t caller, uint32_t node, uint64_t begin_ns,
                                   uint64_t wall_ns) {
  profile::SlowCall call;
  call.number = number;
  call.caller = caller;
  call.node = node;
  call.begin_ns = begin_ns;
  call.wall_ns = wall_ns;
  return call;
}

inline profile::Profile traced_profile() {
  using profile::Kind;
  profile::Profile p;
  p.session.command_line = "dotnet shop.dll";
  p.session.pid = 4711;
  p.duration_us = 1'000'000;
  p.complete = true;
  p.threads = {{"main", 4711, wire::ThreadKind::kManaged},
               {".NET TP Worker", 4712, wire::ThreadKind::kManaged}};
  p.frames = {{"Shop.Cart.Checkout(int)", "", "shop.dll", Kind::kManaged, true},
              {"Shop.Db.Query(string)", "", "shop.dll", Kind::kManaged, true},
              {"Shop.Orders.Load(int)", "", "shop.dll", Kind::kManaged, true},
              {"Shop.Program.Main()", "", "shop.dll", Kind::kManaged, true}};
  p.nodes = {{0, 0}, {0, 0}, {1, 1}, {0, 2}, {0, 3}, {4, 0}};
  wire::Source trace, slow;
  trace.id = profile::kTracedSource;
  trace.name = profile::kTracedSourceName;
  trace.values = {{"traced time", "nanoseconds", wire::Adding::kSum}, {"calls", "count", wire::Adding::kSum}};
  trace.clock = static_cast<uint32_t>(wire::Clock::kWall);
  slow.id = base::SourceId(14);
  slow.name = profile::kSlowCallSource;
  slow.values = {{"call time", "nanoseconds", wire::Adding::kSum}};
  p.sources = {trace, slow};
  p.more_values = {3, 5, 2};
  const auto add = [&p](uint64_t time_us, uint64_t weight, uint32_t thread, uint32_t node, uint32_t more) {
    profile::Sample sample{time_us, weight, thread, node};
    sample.count = static_cast<uint32_t>(p.more_values[more]);
    sample.more = more;
    p.samples.push_back(sample);
  };
  add(500'000, 10'000'000, 0, 1, 0);
  add(500'000, 50'000'000, 0, 2, 1);
  add(600'000, 4'000'000, 1, 3, 2);
  p.threads[0].weight = 60'000'000;
  p.threads[1].weight = 4'000'000;
  p.total_weight = 64'000'000;
  profile::Traces traces;
  traces.session = p.session;
  traces.state.cpu = static_cast<uint32_t>(wire::TraceCpu::kExact);
  traces.state.latency_ns = 50'000'000;
  traces.methods.resize(3);
  for (uint32_t i = 0; i < 3; ++i) {
    traces.methods[i].name = p.frames[i].name;
    traces.methods[i].module = "shop.dll";
    traces.methods[i].frame = i;
  }
  traces.nodes = {{}, {0, 0, 1, {}}, {1, 1, 2, {}}, {0, 2, 3, {}}};
  traces.calls = {slow_call(1, 0, 1, 100'000'000, 60'000'000), slow_call(2, 1, 2, 105'000'000, 50'000'000),
                  slow_call(3, 0, 3, 200'000'000, 120'000'000)};
  traces.calls[0].arguments = {{"id", "System.Int32", "42", false}};
  traces.calls[0].outcome = wire::CallOutcome::kException;
  traces.calls[0].result = {{"", "System.TimeoutException", "no answer", false}};
  traces.calls[1].stack = 5;
  traces.calls[1].result = {{"", "System.Int32", "17", false}};
  traces.calls[2].thread = 1;
  traces.calls[2].waiting_ns = 110'000'000;
  p.traces.push_back(std::move(traces));
  return p;
}

}  // namespace walkabout::formats::testing
