#include "collect/file_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;

const FileFacts kFacts{"box", 42, 1'795'357'800'999'000'000, 7};

FilePattern pattern(const std::string& text) {
  base::Result<FilePattern> parsed = FilePattern::parse(text);
  EXPECT_TRUE(parsed.ok()) << parsed.message();
  return *parsed;
}

TEST(FilePattern, EveryPartIsFilledIn) {
  EXPECT_EQ(pattern("out/%host-%pid-%t.walk").name(kFacts), "box-42-20261122T143000Z.walk");
  EXPECT_EQ(pattern("100%%-%n.walk").name(kFacts), "100%-7.walk");
  EXPECT_EQ(pattern("plain.walk").name(kFacts), "plain.walk");
  EXPECT_EQ(pattern("%host%pid.walk").name({"a/../b", 1, 0, 1}), "a_.._b1.walk");
}

TEST(FilePattern, TheFolderIsWhatStandsBeforeTheName) {
  EXPECT_EQ(pattern("out/deep/%t.walk").folder(), "out/deep");
  EXPECT_EQ(pattern("/%t.walk").folder(), "/");
  EXPECT_EQ(pattern("%t.walk").folder(), ".");
}

TEST(FilePattern, WhatIsWrongIsReportedWithWhatIsAllowed) {
  for (const char* text :
       {"%x.walk", "%.walk", "a%host%z-%t.walk", "%T.walk", "%time.walk", "%hostname-%t.walk"}) {
    const auto parsed = FilePattern::parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_THAT(parsed.message(), HasSubstr("%host, %pid, %t")) << text;
  }
  EXPECT_THAT(FilePattern::parse("%pid/%t.walk").message(), HasSubstr("folder"));
  EXPECT_THAT(FilePattern::parse("%t.html").message(), HasSubstr("convert"));
  EXPECT_FALSE(FilePattern::parse(".walk").ok());
  EXPECT_FALSE(FilePattern::parse("out/").ok());
  EXPECT_FALSE(FilePattern::parse("").ok());
}

TEST(FilePattern, KnowsWhatDistinguishesFilesAndProcesses) {
  EXPECT_TRUE(pattern("%t.walk").distinguishes_files());
  EXPECT_TRUE(pattern("%n.walk").distinguishes_files());
  EXPECT_FALSE(pattern("%host-%pid.walk").distinguishes_files());
  EXPECT_TRUE(pattern("%pid.walk").has_pid());
  EXPECT_FALSE(pattern("%%pid.walk").has_pid());
}

TEST(FilePattern, KnowsItsOwnFiles) {
  const FilePattern p = pattern("out/%host-%pid-%t.walk");
  const std::string own = p.name(kFacts);
  EXPECT_TRUE(p.may_have_made(own, "box"));
  EXPECT_TRUE(p.may_have_made(FilePattern::other_name(own, 2), "box"));
  EXPECT_TRUE(p.may_have_made("box-1-19990101T000000Z.walk", "box")) << "of an earlier run";
  for (const char* other :
       {"", "box-42.walk", "box-42-20261122T143000Z.walk.part", "box-42-20261122T143000Z.html",
        "xbox-42-20261122T143000Z.walk", "box--20261122T143000Z.walk", "box-42-20261122T143000.walk",
        "box-42-20261122T143000Z-.walk", "box-42-20261122T143000Z-x.walk", "box-42x-20261122T143000Z.walk"}) {
    EXPECT_FALSE(p.may_have_made(other, "box")) << other;
  }
  EXPECT_FALSE(p.may_have_made(own, "bo")) << "another machine's, in a shared folder";
}

TEST(FilePattern, ANumberIsDigits) {
  const FilePattern p = pattern("run%n.walk");
  EXPECT_TRUE(p.may_have_made("run1.walk", ""));
  EXPECT_TRUE(p.may_have_made("run10-3.walk", ""));
  EXPECT_FALSE(p.may_have_made("run.walk", ""));
  EXPECT_FALSE(p.may_have_made("runs.walk", ""));
}

}  // namespace
}  // namespace walkabout::cli
