#include "profile/names/label_text.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

constexpr char kX64[] = "Linux 6.1.0 x86_64";

TEST(LabelText, NamesStatesAndCalls) {
  const wire::SourceLabel state{"state", static_cast<uint32_t>(wire::LabelType::kThreadState)};
  EXPECT_EQ(label_text(state, 1, kX64), "running");
  EXPECT_EQ(label_text(state, 2, kX64), "runnable");
  EXPECT_EQ(label_text(state, 3, kX64), "blocked");
  EXPECT_EQ(label_text(state, 0, kX64), "");
  EXPECT_EQ(label_text(state, 257, kX64), "unknown") << "not 1, which it would be as a byte";
  const wire::SourceLabel call{"system call", static_cast<uint32_t>(wire::LabelType::kSystemCall)};
  EXPECT_EQ(label_text(call, 203, kX64), "futex");
  EXPECT_EQ(label_text({"lock", static_cast<uint32_t>(wire::LabelType::kAddress)}, 0x7f10, kX64), "0x7f10");
  EXPECT_EQ(label_text({"generation", 0}, 2, kX64), "2");
  EXPECT_EQ(label_text({"from a later version", 77}, 2, kX64), "2");
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
