#include "cli/linux/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/report_view.h"
#include "cli/test_report.h"
#include "profile/build/builder.h"
#include "profile/build/load.h"
#include "profile/model/test_recording.h"

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr uint64_t kMs = 1'000'000;

// One thread of 200 ms with a sample, one of 300 ms without a clock.
profile::Profile mostly_unsampled() {
  profile::Builder builder{{}};
  profile::testing::TestRecording emit(builder);
  wire::Session session;
  session.interval_ns = 10 * kMs;
  builder.on_session(session);
  const auto sampled = emit.thread("main", 1);
  const auto refused = emit.thread("worker", 2);
  emit.sample(sampled, 10, 50 * kMs, emit.stack({emit.jitted("A", "B")}));
  builder.on_thread_end({sampled, 20, 150 * kMs});
  builder.on_thread_end({refused, 20, 300 * kMs, true});
  wire::Counters counters;
  counters.attempts = 2;
  counters.samples = 1;
  counters.drops = {1};
  counters.process_cpu_ns = 500 * kMs;
  builder.on_counters(counters);
  return builder.build("");
}

std::string summary_of(const profile::Profile& profile) {
  return summary_text(profile, profile::sum_up(profile), 200);
}

constexpr char kWarning[] =
    "the stacks hold 0.2 s of the program's 0.5 s of CPU time (40%): 1 thread without a clock used 0.3 s\n";

TEST(Summary, ReportsHowMuchCpuTimeIsInNoStack) {
  const std::string text = summary_of(mostly_unsampled());
  EXPECT_THAT(text, HasSubstr(std::string("warning: ") + kWarning));
  EXPECT_THAT(text, HasSubstr("1 of 2 threads sampled"));
}

TEST(Summary, CountsOneTick) { EXPECT_THAT(summary_of(mostly_unsampled()), HasSubstr(", 1 tick dropped")); }

TEST(Summary, ShowsEventsSideBySide) {
  const testing::RecordingFile file(testing::two_event_stream());
  const auto profile = profile::load(file.path(), {});
  ASSERT_TRUE(profile.ok()) << profile.message();
  const std::string text = summary_of(*profile);
  EXPECT_THAT(
      text,
      HasSubstr("CPU time 0.03 s:  managed 100.0%\n"
                "\n"
                " event           total      samples\n"
                " cpu           30.0 ms            2\n"
                " wall           10.0 s            4   running 9.0%   runnable 1.0%   blocked 90.0%\n"));
  EXPECT_THAT(summary_of(mostly_unsampled()), Not(HasSubstr("event")));
}

TEST(Report, ReportsHowMuchCpuTimeIsInNoStackOnce) {
  const profile::Profile profile = mostly_unsampled();
  const std::string text = report_text(profile, profile, profile::sum_up(profile), {}, {});
  EXPECT_THAT(text, HasSubstr(std::string("Warning: ") + kWarning));
  EXPECT_THAT(text, Not(HasSubstr("were never sampled")));
}

}  // namespace
}  // namespace walkabout::cli
