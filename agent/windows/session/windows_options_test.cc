#include "agent/windows/session/windows_options.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

namespace walkabout::agent {
namespace {

constexpr uint64_t kMsOfOption = 1'000'000;

void set(const char* name, const char* value) { ::_putenv_s(name, value); }  // an empty one: it is not set

struct WindowsOptionsTest : ::testing::Test {
  WindowsOptionsTest() {
    clear();
    set("WALKABOUT_STREAM", "Z:\\x.stream");
  }
  ~WindowsOptionsTest() override { clear(); }
  static void clear() {
    for (const char* name : {"WALKABOUT_SOCKET", "WALKABOUT_OUTPUT", "WALKABOUT_STREAM", "WALKABOUT_INTERVAL",
                             "WALKABOUT_NATIVE", "WALKABOUT_EVENTS"})
      set(name, "");
  }
};

TEST_F(WindowsOptionsTest, SampleEveryFiveMillisecondsAndEveryFrame) {
  const base::Result<WindowsOptions> options = windows_options();
  ASSERT_TRUE(options.ok()) << options.message();
  EXPECT_EQ(options->common.interval_ns, 5 * kMsOfOption);
  EXPECT_EQ(options->native, NativeFrames::kFull);
}

TEST_F(WindowsOptionsTest, AreWhatWasRequested) {
  set("WALKABOUT_INTERVAL", "2ms");
  set("WALKABOUT_NATIVE", "holes");
  base::Result<WindowsOptions> options = windows_options();
  ASSERT_TRUE(options.ok()) << options.message();
  EXPECT_EQ(options->common.interval_ns, 2 * kMsOfOption);
  EXPECT_EQ(options->native, NativeFrames::kHoles);
  set("WALKABOUT_NATIVE", "none");
  options = windows_options();
  ASSERT_TRUE(options.ok()) << options.message();
  EXPECT_EQ(options->native, NativeFrames::kNone);
}

TEST_F(WindowsOptionsTest, EventsAreThoseOfLinux) {
  set("WALKABOUT_EVENTS", "all");
  base::Result<WindowsOptions> options = windows_options();
  ASSERT_TRUE(options.ok()) << options.message();
  EXPECT_TRUE(wire::is_on(options->common.events, wire::source_id("gc")));
  EXPECT_TRUE(wire::is_on(options->common.events, wire::source_id("jit")));
  set("WALKABOUT_EVENTS", "cpu,gin");
  options = windows_options();
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.message().find("WALKABOUT_EVENTS: no event is called 'gin'"), std::string::npos)
      << options.message();
}

// Files of a pattern are written by a collector, which there is on Linux only.
TEST_F(WindowsOptionsTest, WithoutAPlaceForTheStreamThereIsNoRecording) {
  set("WALKABOUT_STREAM", "");
  for (const char* output : {"", "out.walk"}) {
    set("WALKABOUT_OUTPUT", output);
    const base::Result<WindowsOptions> options = windows_options();
    ASSERT_FALSE(options.ok());
    EXPECT_NE(options.message().find("WALKABOUT_STREAM"), std::string::npos) << options.message();
  }
}

// What the environment holds may be a secret that was put into the wrong variable.
TEST_F(WindowsOptionsTest, AWrongValueIsRefusedAndNotShown) {
  set("WALKABOUT_NATIVE", "hunter2");
  const base::Result<WindowsOptions> options = windows_options();
  ASSERT_FALSE(options.ok());
  EXPECT_NE(options.message().find("WALKABOUT_NATIVE"), std::string::npos) << options.message();
  EXPECT_EQ(options.message().find("hunter2"), std::string::npos) << options.message();
}

}  // namespace
}  // namespace walkabout::agent
