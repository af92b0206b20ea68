#include "profile/build/merge.h"

#include <gtest/gtest.h>

#include "profile/names/process_name.h"
#include "profile/query/totals.h"

namespace walkabout::profile {
namespace {

// Main calls Work; one sample each of 10 ms, at 1 ms and 2 ms.
Profile process(uint32_t pid, uint64_t start_ns) {
  Profile p;
  p.session.pid = pid;
  p.session.monotonic_start_ns = start_ns;
  p.threads = {{"main", pid, wire::ThreadKind::kManaged, 2, 20'000'000, 0}};
  p.frames = {{"Main", "Main", "a.dll", Kind::kManaged, true},
              {"Work", "Work", "a.dll", Kind::kManaged, true}};
  p.nodes = {{}, {0, 0}, {1, 1}};
  p.samples = {{1'000, 10'000'000, 0, 1}, {2'000, 10'000'000, 0, 2}};
  p.counters.attempts = 3;
  p.counters.samples = 2;
  p.counters.drops = {0, 1};
  p.duration_us = 3'000;
  p.total_weight = 20'000'000;
  p.complete = true;
  return p;
}

// "a > b > c" of a sample.
std::string stack(const Profile& p, const Sample& sample) {
  std::string text;
  for (uint32_t node = sample.node; node != 0; node = p.nodes[node].parent)
    text.insert(0, p.frames[p.nodes[node].frame].name + (text.empty() ? "" : " > "));
  return text;
}

Profile two() {
  Merger merger;
  merger.add(process(7, 1'000'000'000), "dotnet build");
  Profile second = process(8, 1'000'500'000);
  second.damage = "its end is missing";
  second.messages = {{100, wire::Severity::kWarning, "careful"}};
  merger.add(std::move(second), "MSBuild.dll");
  return merger.take(true);
}

TEST(Merge, TheProcessIsTheOutermostFrame) {
  const Profile p = two();
  ASSERT_EQ(p.samples.size(), 4u);
  EXPECT_EQ(stack(p, p.samples[0]), "dotnet build (pid 7) > Main");
  EXPECT_EQ(stack(p, p.samples[1]), "MSBuild.dll (pid 8) > Main");
  EXPECT_EQ(stack(p, p.samples[2]), "dotnet build (pid 7) > Main > Work");
  EXPECT_EQ(p.frames.size(), 4u) << "equal functions of two processes are one";
  EXPECT_EQ(p.frames[p.nodes[1].frame].origin, Origin::kMarker) << "a process is nobody's code";
  for (size_t i = 1; i < p.nodes.size(); ++i) EXPECT_LT(p.nodes[i].parent, i);
}

TEST(Merge, TimeIsCountedFromTheFirst) {
  const Profile p = two();
  EXPECT_EQ(p.samples[1].time_us, 1'500u);
  EXPECT_EQ(p.duration_us, 3'500u);
  EXPECT_EQ(p.session.pid, 7u);
  EXPECT_EQ(p.processes, 2u);
}

TEST(Merge, NothingIsLostAndEachNamesItsThread) {
  const Profile p = two();
  EXPECT_EQ(p.total_weight, 40'000'000u);
  EXPECT_EQ(sum_up(p).all.weight, 40'000'000u);
  EXPECT_EQ(p.counters.attempts, 6u);
  EXPECT_EQ(p.counters.drops[1], 2u);
  ASSERT_EQ(p.threads.size(), 2u);
  EXPECT_EQ(p.threads[p.samples[1].thread].name, "main · MSBuild.dll (pid 8)");
  EXPECT_EQ(p.damage, "MSBuild.dll (pid 8): its end is missing");
  EXPECT_EQ(p.messages[0].text, "MSBuild.dll (pid 8): careful");
  EXPECT_TRUE(p.complete);
}

TEST(Merge, AClockThatIsBehindIsNotBeforeTheStart) {
  Merger merger;
  merger.add(process(7, 1'000'000'000), "a");
  merger.add(process(8, 5), "b");
  EXPECT_EQ(merger.take(false).samples[2].time_us, 1'000u);
}

TEST(ProcessName, IsTheProgramAndWhatItHosts) {
  EXPECT_EQ(process_name("/usr/bin/dotnet exec --roll-forward Major /x/App.dll --port 5"), "dotnet App.dll");
  EXPECT_EQ(process_name("dotnet build -v q"), "dotnet build");
  EXPECT_EQ(process_name("\"C:\\My apps\\dotnet.exe\" \"C:\\My apps\\App.dll\" x"), "dotnet.exe App.dll");
  EXPECT_EQ(process_name("\"unfinished"), "\"unfinished");
  EXPECT_EQ(process_name("dotnet"), "dotnet");
  EXPECT_EQ(process_name("dotnet /sdk/MSBuild.dll /nologo"), "dotnet MSBuild.dll");
  EXPECT_EQ(process_name("/opt/MyService --x"), "MyService");
  EXPECT_EQ(process_name(""), "process");
}

// Sources that were declared otherwise are others, and no process's samples become another event's.
TEST(Merge, OnlySourcesThatAreAlikeAreOne) {
  Merger merger;
  for (uint32_t process = 0; process < 6; ++process) {
    Profile part;
    part.nodes.resize(1);
    part.threads.resize(1);
    for (int i = 0; i < 63; ++i) {
      wire::Source source;
      source.name = "event";
      source.values = {
          {"value", std::to_string(process * 63 + static_cast<uint32_t>(i)), wire::Adding::kSum}};
      part.sources.push_back(source);
      Sample sample;
      sample.weight = process * 63 + static_cast<uint32_t>(i);
      sample.source = static_cast<uint8_t>(i);
      part.samples.push_back(sample);
    }
    merger.add(std::move(part), "p");
  }
  const Profile all = merger.take(false);
  EXPECT_EQ(all.sources.size(), 255u);
  EXPECT_EQ(all.samples.size(), 255u);
  EXPECT_NE(all.damage.find("more events than can be shown"), std::string::npos);
  for (const Sample& sample : all.samples)
    EXPECT_EQ(all.sources[sample.source].values.front().unit, std::to_string(sample.weight));
}

}  // namespace
}  // namespace walkabout::profile
