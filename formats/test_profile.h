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

}  // namespace walkabout::formats::testing
