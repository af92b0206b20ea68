#include "profile/query/by_line.h"

#include <gtest/gtest.h>

#include "profile/names/place_text.h"

namespace walkabout::profile {
namespace {

DisplayFrame at_lines(const std::string& name, std::vector<uint32_t> lines, bool sure) {
  DisplayFrame frame{name, name, "a.dll", Kind::kManaged, true};
  frame.place = {"/src/a.cs", std::move(lines), sure};
  return frame;
}

Profile profile() {
  Profile p;
  p.threads = {{"main", 1}};
  p.frames = {at_lines("F<int>", {1}, true),
              at_lines("F<long>", {1}, true),
              at_lines("G", {2, 3}, false),
              {"H", "H", "a.dll", Kind::kManaged, true},
              {"memcpy", "memcpy", "libc.so", Kind::kNative, true}};
  p.nodes = {{0, 0}, {0, 0}, {1, 1}, {2, 2}, {2, 3}, {2, 4}};
  for (uint32_t node = 1; node < p.nodes.size(); ++node) p.samples.push_back({0, 10 * node, 0, node});
  return p;
}

TEST(ByLine, InstantiationsOfOnePlaceAreOne) {
  const Profile lines = by_line(profile());
  const Totals totals = sum_up(lines);
  ASSERT_EQ(lines.frames.size(), 4u);
  EXPECT_EQ(lines.frames[0].name, "F<int>");
  EXPECT_EQ(totals.frame_self[0].weight, 30u);
  EXPECT_EQ(totals.frame_total[0].weight, 150u) << "on a stack twice, it counts once";
  EXPECT_EQ(totals.frame_self[1].weight, 30u) << "G";
}

TEST(ByLine, FilesOfOnePathAreToldApart) {
  Profile p = profile();
  p.frames[1].module = "b.dll";
  EXPECT_EQ(by_line(p).frames.size(), 5u) << "of two assemblies";
  p.frames[1].module = p.frames[0].module;
  p.frames[1].place.hash = "other";
  EXPECT_EQ(by_line(p).frames.size(), 5u) << "of one, where a recording has no folders";
}

TEST(ByLine, TellsHowMuchIsCertain) {
  const Profile lines = by_line(profile());
  const LineCover cover = line_cover(lines, lines, sum_up(lines));
  EXPECT_EQ(cover.managed.weight, 100u);
  EXPECT_EQ(cover.sure.weight, 30u);
  EXPECT_EQ(cover.unsure.weight, 30u);
  EXPECT_EQ(cover.native.weight, 50u);
  EXPECT_EQ(cover.native_sure.weight, 0u);
}

TEST(PlaceText, SaysWhatIsNotCertain) {
  const auto text = [](std::vector<uint32_t> lines, bool sure) {
    return place_text({"C:\\src\\a.cs", std::move(lines), sure});
  };
  EXPECT_EQ(text({22}, true), "a.cs:22");
  EXPECT_EQ(text({22}, false), "a.cs:22 or near");
  EXPECT_EQ(text({22, 23}, false), "a.cs:22 or 23");
  EXPECT_EQ(text({22, 23, 25}, false), "a.cs:22, 23 or 25");
  EXPECT_EQ(text({22, 23, 25, 26, 40}, false), "a.cs:22 to 40");
  EXPECT_EQ(text({}, false), "");
}

}  // namespace
}  // namespace walkabout::profile
