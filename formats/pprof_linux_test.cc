// The file is read by the real program, `go tool pprof`.
#include <gtest/gtest.h>
#include <stdio.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "formats/format.h"
#include "formats/pprof.h"
#include "formats/test_profile.h"
#include "formats/test_traced.h"
#include "profile/query/view.h"

namespace walkabout::formats {
namespace {

std::string output_of(const std::string& command) {
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::string out;
  char part[4096];
  for (size_t n = 0; (n = ::fread(part, 1, sizeof part, pipe)) > 0;) out.append(part, n);
  ::pclose(pipe);
  return out;
}

class Pprof : public ::testing::Test {
 protected:
  void SetUp() override { write(testing::small_profile()); }
  void write(const profile::Profile& profile) { ASSERT_TRUE(write_file(profile, path_).ok()); }
  void TearDown() override { ::unlink(path_.c_str()); }
  std::string pprof(const std::string& arguments) {
    return output_of("PPROF_TMPDIR=" + ::testing::TempDir() + " GOFLAGS= go tool pprof " + arguments + " " +
                     path_);
  }
  const std::string path_ = ::testing::TempDir() + "walkabout-" + std::to_string(::getpid()) + ".pb.gz";
};

TEST_F(Pprof, ReadsSelfAndTotalOfCpuTime) {
  const std::string out = pprof("-top -nodecount=10 -unit=us");
  EXPECT_NE(out.find("File: Demo.dll"), std::string::npos) << out;
  EXPECT_NE(out.find("Type: cpu"), std::string::npos) << out;
  EXPECT_NE(out.find("Duration: 2.50s"), std::string::npos) << out;
  EXPECT_NE(out.find("25000us"), std::string::npos) << out;
  EXPECT_NE(out.find(" qsort"), std::string::npos) << out;
  EXPECT_NE(out.find("35000us"), std::string::npos) << "total of Sort<int> and Main: " << out;
  EXPECT_NE(out.find("Demo.Sorter.Sort<int>(List<int>)"), std::string::npos) << out;
}

TEST_F(Pprof, CountsSamples) {
  const std::string out = pprof("-top -sample_index=samples -nodecount=10");
  EXPECT_NE(out.find("Type: samples"), std::string::npos) << out;
  EXPECT_NE(out.find("Showing nodes accounting for 5, 100% of 5 total"), std::string::npos) << out;
}

TEST_F(Pprof, TracedCallsHaveTheirTimeAndTheirNumber) {
  write(testing::traced_profile());
  EXPECT_NE(pprof("-top -sample_index=calls").find("Showing nodes accounting for 10, 100% of 10 total"),
            std::string::npos);
  const std::string out = pprof("-top -unit=ms");
  EXPECT_NE(out.find("Type: traced_time"), std::string::npos) << out;
  EXPECT_NE(out.find("50ms"), std::string::npos) << out;
}

TEST_F(Pprof, KnowsThreads) {
  const std::string out = pprof("-tags -unit=us");
  EXPECT_NE(out.find("thread: Total"), std::string::npos) << out;
  EXPECT_NE(out.find("Sorter; #1"), std::string::npos) << out;
  EXPECT_NE(out.find("tid: Total"), std::string::npos) << out;
}

TEST_F(Pprof, KeepsStacksInOrder) {
  const std::string out = pprof("-traces -unit=us");
  const size_t leaf = out.find("qsort");
  const size_t middle = out.find("Demo.Sorter.Sort", leaf);
  EXPECT_LT(middle, out.find("Demo.Program.Main", middle)) << out;
}

TEST_F(Pprof, HasAllEvents) {
  write(testing::two_events());
  const std::string cpu = pprof("-top -unit=us");
  EXPECT_NE(cpu.find("Type: cpu"), std::string::npos) << cpu;
  EXPECT_NE(cpu.find("35000us"), std::string::npos) << cpu;
  const std::string wall = pprof("-top -unit=ms -sample_index=wall_time");
  EXPECT_NE(wall.find("Showing nodes accounting for 3000ms, 100% of 3000ms total"), std::string::npos)
      << wall;
  EXPECT_NE(wall.find("2000ms 66.67% 66.67%     2000ms 66.67%  qsort"), std::string::npos) << wall;
  const std::string count = pprof("-top -sample_index=wall_samples");
  EXPECT_NE(count.find("100% of 3 total"), std::string::npos) << count;
  const std::string blocked =
      pprof("-top -unit=ms -sample_index=wall_time -tagfocus=state=blocked -tagfocus=futex");
  EXPECT_NE(blocked.find("accounting for 2000ms"), std::string::npos) << blocked;
}

TEST_F(Pprof, OfOneOtherEventHasThatAlone) {
  write(profile::viewed(testing::two_events(), {1, 0}));
  const std::string out = pprof("-top -unit=ms");
  EXPECT_NE(out.find("Type: wall_time"), std::string::npos) << out;
  EXPECT_NE(out.find("3000ms total"), std::string::npos) << out;
}

// A recording of version 2 that has CPU time alone is as one of version 1.
TEST(PprofFile, OfCpuTimeAloneDoesNotDependOnTheFormat) {
  profile::Profile declared = testing::small_profile();
  declared.sources = {wire::cpu_source(declared.session)};
  EXPECT_EQ(pprof_message(declared), pprof_message(testing::small_profile()));
}

TEST(PprofFile, HasNoValueOfWhichTheLargestCounts) {
  const std::string message = pprof_message(testing::two_events());
  EXPECT_NE(message.find("wall_time"), std::string::npos);
  EXPECT_EQ(message.find("waiters"), std::string::npos);
}

TEST(PprofFile, IsTheSameEveryTime) {
  std::ostringstream once;
  std::ostringstream again;
  ASSERT_TRUE(write_pprof(testing::small_profile(), once).ok());
  ASSERT_TRUE(write_pprof(testing::small_profile(), again).ok());
  EXPECT_EQ(once.str(), again.str());
  EXPECT_EQ(once.str().substr(0, 3), "\x1f\x8b\x08");
}

}  // namespace
}  // namespace walkabout::formats
