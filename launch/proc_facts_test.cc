#include "launch/proc_facts.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace walkabout::cli {
namespace {

class ProcFacts : public ::testing::Test {
 protected:
  ProcFacts() { EXPECT_NE(::mkdtemp(root_.data()), nullptr); }
  ~ProcFacts() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  KernelFolders folders() const { return {root_ + "/proc", root_ + "/cgroup"}; }

  std::string root_ = "/tmp/walkabout-facts-XXXXXX";
};

TEST_F(ProcFacts, OfTheMachine) {
  write("/proc/sys/kernel/perf_event_paranoid", "-1\n");
  write("/proc/sys/kernel/perf_event_max_sample_rate", "63000\n");
  const MachineFacts facts = machine_facts(folders());
  EXPECT_EQ(facts.perf_event_paranoid, -1);
  EXPECT_EQ(facts.max_sample_rate, 63000u);
}

TEST_F(ProcFacts, OfAProcess) {
  write("/proc/7/status",
        "Name:\tSeccomp: x\nState:\tT "
        "(stopped)\nTracerPid:\t12\nUid:\t9\t8\t8\t8\nThreads:\t31\nSigQ:\t5/4096\n"
        "SigIgn:\t0000000000001000\nSigCgt:\t0000000000400000\nCapEff:\t0000004000000000\nSeccomp:\t2\n");
  write("/proc/7/limits",
        "Limit                     Soft Limit           Hard Limit           Units\n"
        "Max file size             unlimited            unlimited            bytes\n"
        "Max processes             50                   60                   processes\n"
        "Max address space         4096                 unlimited            bytes\n"
        "Max open files            1024                 4096                 files\n");
  write("/proc/8/status", "Uid:\t9\t9\t9\t9\nThreads:\t4\n");
  write("/proc/9/status", "Uid:\t0\t9\t9\t9\nThreads:\t400\n");
  write("/proc/7/fd/0", "");
  write("/proc/7/fd/1", "");
  const ProcessFacts facts = process_facts(folders(), "7");
  EXPECT_EQ(facts.state, 'T');
  EXPECT_EQ(facts.tracer, 12u);
  EXPECT_EQ(facts.threads, 31u);
  EXPECT_EQ(facts.thread_limit, 50u);
  EXPECT_EQ(facts.user_threads, 35u);
  EXPECT_EQ(facts.queued_signals, 5u);
  EXPECT_EQ(facts.queued_limit, 4096u);
  EXPECT_EQ(facts.ignored, 0x1000u);
  EXPECT_EQ(facts.caught, 0x400000u);
  EXPECT_TRUE(has_perf_capability(facts));
  EXPECT_TRUE(facts.seccomp_filter);
  EXPECT_EQ(facts.open_files, 2u);
  EXPECT_EQ(facts.open_limit, 1024u);
  EXPECT_EQ(facts.file_size_limit, kUnlimited);
  EXPECT_EQ(facts.address_space_limit, 4096u);
}

TEST_F(ProcFacts, TheTightestControlGroupCounts) {
  write("/proc/7/cgroup", "1:name=x:/other\n0::/pod/app\n");
  write("/cgroup/pod/app/memory.max", "max\n");
  write("/cgroup/pod/app/memory.current", "10\n");
  EXPECT_EQ(process_facts(folders(), "7").memory_limit, kUnlimited);
  write("/cgroup/pod/memory.max", "1000\n");
  write("/cgroup/pod/memory.current", "1200\n");
  const ProcessFacts facts = process_facts(folders(), "7");
  EXPECT_EQ(facts.memory_limit, 1000u);
  EXPECT_EQ(facts.memory_used, 1000u) << "never more than the limit";
}

TEST_F(ProcFacts, WhatIsMissingOrNonsenseLeavesDefaults) {
  write("/proc/7/status", "State:\nThreads:\tmany\nSigQ:\t/\nCapEff:\tzz\n");
  write("/proc/7/limits", "Max open files\n");
  write("/proc/7/cgroup", "0::/../../etc\n");
  write("/proc/sys/kernel/perf_event_paranoid", "high\n");
  for (const char* who : {"7", "8"}) {
    const ProcessFacts facts = process_facts(folders(), who);
    EXPECT_EQ(facts.state, '?');
    EXPECT_EQ(facts.threads, 1u);
    EXPECT_EQ(facts.queued_limit, kUnlimited);
    EXPECT_EQ(facts.open_limit, kUnlimited);
    EXPECT_EQ(facts.memory_limit, kUnlimited);
    EXPECT_FALSE(has_perf_capability(facts));
  }
  EXPECT_FALSE(machine_facts(folders()).perf_event_paranoid.has_value());
}

TEST(ProcFactsHere, ThisProcessHasFilesOpen) {
  const ProcessFacts facts = process_facts({}, std::to_string(::getpid()));
  EXPECT_GE(facts.open_files, 3u);
  EXPECT_GT(facts.open_limit, facts.open_files);
  EXPECT_NE(facts.user_namespace, 0u);
  EXPECT_EQ(facts.state, 'R');
}

}  // namespace
}  // namespace walkabout::cli
