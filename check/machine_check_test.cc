#include "check/machine_check.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kPerfmon = uint64_t{1} << 38, kBpf = uint64_t{1} << 39;
const EngineProbe kAll{0, true, 0, 4'000'000, 0};
const EngineProbe kOwnCode{0, false, 0, 4'000'000, 0};
const EngineProbe kTimers{EPERM, false, 0, 4'000'000, 0};
const EngineProbe kNothing{EACCES, false, EPERM, 4'000'000, 0};

uint64_t bit(int signal) { return uint64_t{1} << (signal - 1); }
CheckResult line(const CheckResults& results, const std::string& about) {
  for (const CheckResult& f : results) {
    if (f.about == about) return f;
  }
  return {Verdict::kNo, "", "there is no line " + about, ""};
}
CheckResult engine(const EngineProbe& probe, int paranoid, bool filter) {
  return check_engine(probe, {paranoid, 100'000}, filter, false)[0];
}

TEST(MachineCheck, TheBestEngineNeedsNoRemedy) {
  EXPECT_EQ(engine(kAll, 1, false).verdict, Verdict::kOk);
  EXPECT_EQ(engine(kAll, 1, false).remedy, "");
  EXPECT_EQ(engine(kOwnCode, 2, false).verdict, Verdict::kWarn);
  EXPECT_THAT(engine(kOwnCode, 2, false).remedy, HasSubstr("CAP_BPF"));
  EngineProbe old = kOwnCode;
  old.disturbing = true;
  EXPECT_THAT(engine(old, 2, false).remedy, HasSubstr("6.11"));
}

TEST(MachineCheck, TimersNameTheReasonAndTheRemedyOfThatReason) {
  const CheckResult by_filter = engine(kTimers, 1, true);
  EXPECT_EQ(by_filter.verdict, Verdict::kWarn);
  EXPECT_THAT(by_filter.what, HasSubstr("Operation not permitted"));
  EXPECT_THAT(by_filter.remedy, HasSubstr("seccomp"));
  EXPECT_THAT(by_filter.remedy, Not(HasSubstr("paranoid")));
  const CheckResult by_level = engine(kTimers, 4, false);
  EXPECT_THAT(by_level.remedy, HasSubstr("perf_event_paranoid=2"));
  EXPECT_THAT(by_level.remedy, Not(HasSubstr("seccomp")));
}

TEST(MachineCheck, WithoutAnyEngineNothingCanBeProfiled) {
  const CheckResults found = check_engine(kNothing, {4, 100'000}, true, false);
  EXPECT_EQ(found[0].verdict, Verdict::kNo);
  EXPECT_THAT(found[0].what, HasSubstr("timer_create"));
  EXPECT_THAT(line(found, "rate").what, HasSubstr("there is no line"));
}

TEST(MachineCheck, TheRateIsTheEnginesOrTheKernels) {
  EXPECT_EQ(rate_cap(kAll, {2, 100'000}), 10'000u);
  EXPECT_EQ(rate_cap(kAll, {2, 1'500}), 1'500u);
  EXPECT_EQ(rate_cap(kTimers, {2, 100'000}), 250u);
  EXPECT_EQ(rate_cap(kNothing, {2, 100'000}), 0u);
  EXPECT_EQ(line(check_engine(kAll, {2, 1'500}, false, false), "rate").verdict, Verdict::kWarn);
  EXPECT_THAT(line(check_engine(kTimers, {2, {}}, false, false), "rate").what, HasSubstr("250 samples"));
}

TEST(MachineCheck, AProcessWithFewerRightsGetsLess) {
  ProcessFacts root, user;
  root.capabilities = kPerfmon | kBpf;
  EXPECT_TRUE(probe_for(kAll, {2, {}}, root, root).kernel_ticks);
  EXPECT_FALSE(probe_for(kAll, {1, {}}, root, user).kernel_ticks) << "the filter takes rights at any level";
  user.capabilities = kPerfmon;
  EXPECT_FALSE(probe_for(kAll, {4, {}}, root, user).kernel_ticks) << "the filter takes CAP_BPF";
  EXPECT_EQ(probe_for(kAll, {4, {}}, root, user).perf_error, 0);
  user.capabilities = 0;
  EXPECT_FALSE(probe_for(kAll, {2, {}}, root, user).kernel_ticks);
  EXPECT_EQ(probe_for(kAll, {2, {}}, root, user).perf_error, 0);
  EXPECT_EQ(probe_for(kAll, {3, {}}, root, user).perf_error, EACCES);
  ProcessFacts elsewhere = root;
  elsewhere.user_namespace = 7;
  EXPECT_FALSE(probe_for(kAll, {2, {}}, root, elsewhere).kernel_ticks) << "root of a container only";
  EXPECT_TRUE(probe_for(kAll, {-1, {}}, user, user).kernel_ticks);
}

TEST(MachineCheck, AFilterOfTheProcessAloneCannotBeLookedInto) {
  EXPECT_EQ(line(check_engine(kAll, {2, {}}, false, true), "seccomp").verdict, Verdict::kWarn);
  EXPECT_EQ(line(check_engine(kAll, {2, {}}, true, false), "seccomp").verdict, Verdict::kOk);
}

TEST(MachineCheck, LimitsLeaveRoomForOneOfEachPerThread) {
  ProcessFacts facts;
  facts.threads = 100;
  facts.open_files = 850, facts.open_limit = 1024;
  EXPECT_EQ(line(check_limits(kAll, facts), "files").verdict, Verdict::kOk);
  facts.open_limit = 1000;
  EXPECT_EQ(line(check_limits(kAll, facts), "files").verdict, Verdict::kWarn);
  EXPECT_EQ(line(check_limits(kTimers, facts), "files").verdict, Verdict::kOk) << "timers need none";
  facts.queued_signals = 20, facts.queued_limit = 10;
  EXPECT_EQ(line(check_limits(kAll, facts), "pending").verdict, Verdict::kWarn);
  facts.queued_limit = kUnlimited;
  EXPECT_EQ(line(check_limits(kAll, facts), "pending").verdict, Verdict::kOk);
}

TEST(MachineCheck, ThreadsOfItsUserAreLimited) {
  ProcessFacts facts;
  facts.user = 1000;
  facts.thread_limit = 100, facts.user_threads = 90;
  EXPECT_EQ(line(check_limits(kAll, facts), "threads").verdict, Verdict::kOk);
  facts.user_threads = 99;
  EXPECT_EQ(line(check_limits(kAll, facts), "threads").verdict, Verdict::kNo);
  facts.capabilities = bit(25);  // CAP_SYS_RESOURCE is 24, and bit() counts from 1
  for (const CheckResult& result : check_limits(kAll, facts)) EXPECT_NE(result.about, "threads");
}

TEST(MachineCheck, AddressSpaceIsALineOnlyWhereItIsLimited) {
  ProcessFacts facts;
  for (const CheckResult& result : check_limits(kAll, facts)) EXPECT_NE(result.about, "space");
  facts.address_space_limit = uint64_t{64} << 30;
  facts.address_space = uint64_t{8} << 30;
  EXPECT_EQ(line(check_limits(kAll, facts), "space").verdict, Verdict::kOk);
  facts.address_space = uint64_t{40} << 30;
  EXPECT_EQ(line(check_limits(kAll, facts), "space").verdict, Verdict::kNo);
  facts.address_space = uint64_t{80} << 30;
  EXPECT_EQ(line(check_limits(kAll, facts), "space").verdict, Verdict::kNo);
}

TEST(MachineCheck, MemoryForTheRings) {
  ProcessFacts facts;
  EXPECT_EQ(line(check_limits(kAll, facts), "memory").verdict, Verdict::kOk);
  facts.memory_limit = uint64_t{512} << 20;
  EXPECT_EQ(line(check_limits(kAll, facts), "memory").verdict, Verdict::kOk);
  facts.memory_used = uint64_t{500} << 20;
  EXPECT_EQ(line(check_limits(kAll, facts), "memory").verdict, Verdict::kWarn);
  facts.file_size_limit = uint64_t{100} << 20;
  EXPECT_EQ(line(check_limits(kAll, facts), "memory").verdict, Verdict::kNo);
  EngineProbe refused = kAll;
  refused.memory_error = EPERM;
  EXPECT_THAT(line(check_limits(refused, {}), "memory").what, HasSubstr("memfd_create"));
}

TEST(MachineCheck, TheFirstFreeSignalIsTaken) {
  ProcessFacts facts;
  EXPECT_EQ(check_signals(kOwnCode, facts).what, "ticks will arrive as SIGURG");
  EXPECT_EQ(check_signals(kAll, facts).what, "ticks will arrive as SIGTRAP, in reserve as SIGURG");
  facts.caught = bit(SIGURG);
  facts.ignored = bit(SIGPROF);
  EXPECT_EQ(check_signals(kOwnCode, facts).what,
            "ticks will arrive as SIGVTALRM; SIGURG has a handler, SIGPROF is ignored");
  facts.caught |= bit(SIGVTALRM);
  EXPECT_EQ(check_signals(kOwnCode, facts).verdict, Verdict::kWarn);
}

}  // namespace
}  // namespace walkabout::cli
