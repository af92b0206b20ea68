// A small profile with one of everything a format has to write: two threads, an idle third, mixed stacks,
// names that need escaping.
#pragma once

#include "profile/model/profile.h"

namespace walkabout::formats::testing {

inline profile::Profile small_profile() {
  using profile::Activity;
  using profile::Kind;
  profile::Profile p;
  p.session.command_line = "dotnet demo.dll \"quoted\"";
  p.session.wall_start_ns = 1'700'000'000'000'000'000;
  p.session.interval_ns = 10'000'000;
  p.duration_us = 2'500'000;
  p.threads = {{"main", 10, wire::ThreadKind::kManaged, 4, 0, 0},
               {"Sorter; #1", 11, wire::ThreadKind::kManaged, 1, 0, 0},
               {"idle", 12, wire::ThreadKind::kNative, 0, 0, 0}};
  p.frames = {
      {"Demo.Program.Main(string[])", "Demo.Program.Main(System.String[])", "Demo.dll", Kind::kManaged, true},
      {"Demo.Sorter.Sort<int>(List<int>)", "Demo.Sorter.Sort(...)", "Demo.dll", Kind::kManaged, true},
      {"qsort", "qsort", "libc.so.6", Kind::kNative, true},
      {"weird;name \"x\"\n\xff", "weird", "", Kind::kOther, false}};
  p.nodes = {{0, 0}, {0, 0}, {1, 1}, {2, 2}, {0, 3}};
  const auto rooted = wire::WalkEnd::kRooted;
  p.samples = {{100, 10'000'000, 0, 2, rooted, Activity::kManaged},
               {200, 10'000'400, 0, 3, rooted, Activity::kNative},
               {300, 9'999'600, 0, 3, rooted, Activity::kNative},
               {350, 5'000'000, 1, 3, rooted, Activity::kNative},
               {400, 1'000, 0, 4, rooted, Activity::kManaged}};
  for (const profile::Sample& s : p.samples) {
    p.threads[s.thread].weight += s.weight;
    p.total_weight += s.weight;
  }
  p.complete = true;
  return p;
}

// The same with a second event: 3 s of wall time of the main thread, 2 s of them blocked in qsort.
inline profile::Profile two_events() {
  using profile::Activity;
  profile::Profile p = small_profile();
  p.session.os = "Linux 6.1.0 x86_64";
  wire::Source wall;
  wall.id = base::SourceId(2);
  wall.name = "wall";
  wall.values = {{"wall time", "nanoseconds", wire::Adding::kSum}, {"waiters", "count", wire::Adding::kMax}};
  wall.labels = {{"state", static_cast<uint32_t>(wire::LabelType::kThreadState)},
                 {"system call", static_cast<uint32_t>(wire::LabelType::kSystemCall)}};
  wall.clock = static_cast<uint32_t>(wire::Clock::kWall);
  wall.period = 50'000'000;
  p.sources = {wire::cpu_source(p.session), wall};
  constexpr uint64_t kFutex = 202;
  p.label_sets = {{}, {1, 0}, {3, kFutex + 1}};
  p.more_values = {4, 2, 7};
  const auto add = [&p](uint64_t time_us, uint64_t weight, uint32_t node, uint32_t labels, uint32_t more) {
    profile::Sample s{time_us, weight, 0, node, wire::WalkEnd::kRooted, Activity::kManaged};
    s.source = 1;
    s.labels = labels;
    s.more = more;
    p.samples.push_back(s);
  };
  add(500, 1'000'000'000, 2, 1, 0);
  add(600, 1'500'000'000, 3, 2, 1);
  add(700, 500'000'000, 3, 2, 2);
  p.counters.attempts = 5;
  p.counters.sources = {{wall.id, 6, 3, {2, 1}}};
  return p;
}

}  // namespace walkabout::formats::testing
