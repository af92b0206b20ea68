#include "profile/model/documents.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

constexpr auto kKind = wire::HashKind::kSha256;

TEST(Documents, AFileOfTwoAssembliesIsOne) {
  const auto all =
      one_of_each({{"/b.cs", kKind, "x", ""}, {"/a.cs", kKind, "y", ""}, {"/b.cs", kKind, "x", "url"}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].path, "/a.cs");
  EXPECT_EQ(all[1].path, "/b.cs");
  EXPECT_EQ(all[1].url, "url");
  EXPECT_FALSE(all[1].several);
}

// Broken by taking the first: the text of one build would stand beside the time of another.
TEST(Documents, FilesOfOnePathThatDifferAreToldApart) {
  auto all = one_of_each({{"/a.cs", kKind, "x", ""}, {"/a.cs", kKind, "y", ""}});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].several);
  all.push_back({"/a.cs", kKind, "x", ""});
  EXPECT_TRUE(one_of_each(all).at(0).several) << "also of several processes";
}

}  // namespace
}  // namespace walkabout::profile
