#include "base/file_name.h"

#include <gtest/gtest.h>

namespace walkabout::base {
namespace {

TEST(FileName, IsWhatFollowsTheLastSeparator) {
  EXPECT_EQ(file_name("/usr/lib/libc.so.6"), "libc.so.6");
  EXPECT_EQ(file_name("libc.so.6"), "libc.so.6");
  EXPECT_EQ(file_name("/usr/lib/"), "");
  EXPECT_EQ(file_name(""), "");
}

TEST(FileName, ABackslashSeparatesOnWindowsAlone) {
  EXPECT_EQ(file_name("/tmp/a\\b.dll"), "a\\b.dll");
  EXPECT_EQ(file_name_of_any("C:\\app\\b.dll"), "b.dll");
  EXPECT_EQ(file_name_of_any("C:\\app/b.dll"), "b.dll");
  EXPECT_EQ(file_name_of_any("b.dll"), "b.dll");
  EXPECT_EQ(file_name_of_any("/opt/a\\b.so"), "a\\b.so");
}

}  // namespace
}  // namespace walkabout::base
