#include "pdb/source_link.h"

#include <gtest/gtest.h>

#include <string>

namespace walkabout::pdb {
namespace {

TEST(SourceLink, TheLongestRuleCounts) {
  const SourceLink link(
      R"({"documents":{"/_/*":"https://localhost/1/*","/_/sub/*":"https://localhost/2/*"}})");
  EXPECT_EQ(link.url_of("/_/a/b.cs"), "https://localhost/1/a/b.cs");
  EXPECT_EQ(link.url_of("/_/sub/b.cs"), "https://localhost/2/b.cs");
  EXPECT_EQ(link.url_of("/src/b.cs"), "");
}

TEST(SourceLink, ARuleWithoutStarIsForOneFile) {
  const SourceLink link(R"({"documents":{"/_/a.cs":"https://localhost/the-a"}})");
  EXPECT_EQ(link.url_of("/_/a.cs"), "https://localhost/the-a");
  EXPECT_EQ(link.url_of("/_/a.css"), "");
}

TEST(SourceLink, PathsOfWindowsBecomeUrls) {
  const SourceLink link(R"({"documents":{"C:\\Src\\*":"https://localhost/*"}})");
  EXPECT_EQ(link.url_of("c:\\src\\My App\\a#b.cs"), "https://localhost/My%20App/a%23b.cs");
}

TEST(SourceLink, WhatIsNoRuleIsLeftOut) {
  for (const char* json : {"", "{", "[]", R"({"documents":[]})", R"({"documents":{"/a/*":7}})",
                           R"({"documents":{"/a/*":"https://localhost/without"}})"})
    EXPECT_EQ(SourceLink(json).url_of("/a/b.cs"), "") << json;
  EXPECT_EQ(SourceLink(std::string(100'000, '[')).url_of("/a"), "");
}

TEST(SourceLink, KnowsWhatItCosts) {
  EXPECT_EQ(SourceLink("").cost(), 0u);
  std::string json = R"({"documents":{"/never/0*":"https://localhost/*")";
  for (int i = 1; i < 10'000; ++i) json += ",\"/never/" + std::to_string(i) + "*\":\"https://localhost/*\"";
  EXPECT_GE(SourceLink(json + "}}").cost(), 10'000 * std::string("/never/0*").size());
}

// A rule may be as long as the JSON is, and a URL is made for each document.
TEST(SourceLink, RulesAreBounded) {
  const std::string text(5000, 'x');
  const SourceLink link(R"({"documents":{"/a/*":"https://localhost/)" + text + R"(*","/)" + text +
                        R"(*":"https://localhost/*"}})");
  EXPECT_EQ(link.cost(), 0u);
  EXPECT_EQ(link.url_of("/a/b.cs"), "");
  EXPECT_EQ(link.url_of("/" + text + "b.cs"), "");
}

}  // namespace
}  // namespace walkabout::pdb
