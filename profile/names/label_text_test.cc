#include "profile/names/label_text.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

constexpr char kX64[] = "Linux 6.1.0 x86_64";

TEST(LabelText, NamesStatesAndCalls) {
  Profile profile;
  profile.session.os = kX64;
  const wire::SourceLabel state{"state", static_cast<uint32_t>(wire::LabelType::kThreadState)};
  EXPECT_EQ(label_text(profile, state, 1), "running");
  EXPECT_EQ(label_text(profile, state, 2), "runnable");
  EXPECT_EQ(label_text(profile, state, 3), "blocked");
  EXPECT_EQ(label_text(profile, state, 0), "");
  EXPECT_EQ(label_text(profile, state, 257), "unknown") << "not 1, which it would be as a byte";
  const wire::SourceLabel call{"system call", static_cast<uint32_t>(wire::LabelType::kSystemCall)};
  EXPECT_EQ(label_text(profile, call, 203), "futex");
  EXPECT_EQ(label_text(profile, {"lock", static_cast<uint32_t>(wire::LabelType::kAddress)}, 0x7f10),
            "0x7f10");
  EXPECT_EQ(label_text(profile, {"generation", 0}, 2), "2");
  EXPECT_EQ(label_text(profile, {"from a later version", 77}, 2), "2");
}

TEST(LabelText, ATextIsOneOfTheProfiles) {
  Profile profile;
  profile.texts = {"System.String"};
  const wire::SourceLabel type{"type", static_cast<uint32_t>(wire::LabelType::kText)};
  EXPECT_EQ(label_text(profile, type, 1), "System.String");
  EXPECT_EQ(label_text(profile, type, 0), "");
  EXPECT_EQ(label_text(profile, type, 2), "");
}

TEST(LabelText, ANumberMeansACallOnItsMachineAlone) {
  EXPECT_EQ(system_call_text(1, kX64), "read");
  EXPECT_EQ(system_call_text(442, kX64), "epoll_pwait2");
  EXPECT_EQ(system_call_text(1'000, kX64), "system call 999");
  EXPECT_EQ(system_call_text(203, "Linux 6.1.0 aarch64"), "system call 202");
  EXPECT_EQ(system_call_text(203, ""), "system call 202");
  EXPECT_EQ(system_call_text(0, kX64), "");
}

}  // namespace
}  // namespace walkabout::profile
