// Which texts of source files a profile is given, and what is said of those it is not.
#include "profile/query/source_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TextLines, AreThoseOfTheCompiler) {
  EXPECT_THAT(text_lines("a\r\nb\nc\rd\xc2\x85"
                         "e\xe2\x80\xa8"
                         "f\xe2\x80\xa9\n"),
              ElementsAre("a", "b", "c", "d", "e", "f", ""));
  EXPECT_THAT(text_lines("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(text_lines("\xe2\x80\xa6\n"), ElementsAre("\xe2\x80\xa6")) << "no end of a line";
  EXPECT_THAT(text_lines(""), ElementsAre());
}

TEST(TextLines, OfOtherEncodings) {
  using std::string_literals::operator""s;
  EXPECT_THAT(text_lines("\xef\xbb\xbf// a\n"), ElementsAre("// a"));
  EXPECT_THAT(text_lines("\xff\xfe"
                         "a\0\n\0\xe4\0\x3d\xd8\x00\xde"s),
              ElementsAre("a", "ä\U0001F600"));
  EXPECT_THAT(text_lines("\xfe\xff"
                         "\0a\0\n\0b"s),
              ElementsAre("a", "b"));
  EXPECT_THAT(text_lines("\xff\xfe"
                         "a"),
              ElementsAre())
      << "cut off";
}

std::string numbered(int lines) {
  std::string text;
  for (int i = 1; i <= lines; ++i) text += std::to_string(i) + "\r\n";
  return text;
}

// Main at /a.cs line 5 (its method is lines 4 to 6), called from it /b.cs line 50 (48 to 52): 1 sample in the
// first, 2 in the other. Nobody was at /c.cs.
Profile two_files() {
  Profile p;
  p.threads = {{"main", 1}};
  p.frames = {{"A", "A", "m.dll", Kind::kManaged},
              {"B", "B", "m.dll", Kind::kManaged},
              {"f", "f", "libc", Kind::kNative}};
  p.frames[0].place = {"/a.cs", {5}, true, 4, 6};
  p.frames[1].place = {"/b.cs", {50}, true, 48, 52};
  p.nodes = {{0, 0}, {0, 0}, {1, 1}, {2, 2}};
  p.samples = {{1, 10, 0, 1}, {2, 10, 0, 2}, {3, 10, 0, 3}};
  p.documents = {{"/a.cs"}, {"/b.cs"}, {"/c.cs"}};
  return p;
}

FoundText hundred_lines(const SourceDocument&) { return {numbered(100), ""}; }

TEST(SourceText, OfFilesWithSamples) {
  Profile p = two_files();
  std::vector<std::string> asked;
  add_source_text(p, [&asked](const SourceDocument& document) {
    asked.push_back(document.path);
    return FoundText{"x\n", ""};
  });
  EXPECT_THAT(asked, ElementsAre("/b.cs", "/a.cs")) << "of native code its caller counts";
  ASSERT_EQ(p.documents[0].text.size(), 1u);
  EXPECT_EQ(p.documents[0].text[0].first, 1u);
  EXPECT_EQ(p.documents[0].text[0].text, "x\n");
  EXPECT_EQ(p.documents[0].lines, 1u);
  EXPECT_EQ(p.documents[0].note, "");
  EXPECT_TRUE(p.documents[2].text.empty());
}

TEST(SourceText, OfALongFileTheMethods) {
  Profile p = two_files();
  add_source_text(p, hundred_lines, {.all = 10'000, .whole = 100});
  ASSERT_EQ(p.documents[1].text.size(), 1u);
  EXPECT_EQ(p.documents[1].text[0].first, 45u);
  EXPECT_EQ(p.documents[1].text[0].text, "45\n46\n47\n48\n49\n50\n51\n52\n53\n54\n55\n");
  EXPECT_EQ(p.documents[1].lines, 100u);
  EXPECT_THAT(p.documents[1].note, HasSubstr("of its 100 lines only the methods"));
  EXPECT_EQ(p.documents[0].text[0].first, 1u) << "not line -1";
}

TEST(SourceText, OfALongMethodWhatIsAroundItsLines) {
  Profile p = two_files();
  p.frames[1].place.first = 1;
  p.frames[1].place.last = 4'000'000'000;
  p.frames[1].place.lines = {20, 90};
  add_source_text(p, hundred_lines, {.all = 10'000, .whole = 100});
  ASSERT_EQ(p.documents[1].text.size(), 2u);
  EXPECT_EQ(p.documents[1].text[0].first, 8u);
  EXPECT_EQ(p.documents[1].text[1].first, 78u);
  EXPECT_TRUE(p.documents[1].text[1].text.ends_with("\n100\n"));
  EXPECT_THAT(p.documents[1].note, HasSubstr("only those around samples"));
}

TEST(SourceText, RangesThatMeetAreOnePiece) {
  Profile p = two_files();
  p.frames.push_back(p.frames[1]);
  p.frames.back().place = {"/b.cs", {57}, true, 56, 58};
  p.nodes.push_back({1, 3});
  p.samples.push_back({4, 10, 0, 4});
  add_source_text(p, hundred_lines, {.all = 10'000, .whole = 100});
  ASSERT_EQ(p.documents[1].text.size(), 1u);
  EXPECT_EQ(p.documents[1].text[0].first, 45u);
  EXPECT_TRUE(p.documents[1].text[0].text.ends_with("\n61\n"));
}

TEST(SourceText, WhatHasNoRoomIsSaid) {
  Profile p = two_files();
  add_source_text(p, hundred_lines, {.all = 400, .whole = 1000});
  EXPECT_FALSE(p.documents[1].text.empty());
  EXPECT_TRUE(p.documents[0].text.empty());
  EXPECT_THAT(p.documents[0].note, HasSubstr("no more room"));
}

TEST(SourceText, WhatIsNotFoundIsSaid) {
  Profile p = two_files();
  p.documents[1].several = true;
  add_source_text(p, [](const SourceDocument&) { return FoundText{"", "it is not there"}; });
  EXPECT_EQ(p.documents[0].note, "it is not there");
  EXPECT_EQ(p.documents[1].note, "files of this path were compiled that differ");
}

// A recording may say anything.
TEST(SourceText, OfLinesThatTheFileDoesNotHave) {
  Profile p = two_files();
  p.frames[1].place = {"/b.cs", {4'294'967'295}, true, 4'294'967'290, 4'294'967'295};
  add_source_text(p, hundred_lines, {.all = 10'000, .whole = 100});
  EXPECT_TRUE(p.documents[1].text.empty());
}

}  // namespace
}  // namespace walkabout::profile
