#include "recording/index.h"

#include <gtest/gtest.h>

#include "recording/test_file.h"

namespace walkabout::recording {
namespace {

Index two_processes() {
  Index index;
  index.folder = "app.walk.d";
  index.processes = {{12, "12.walk", "dotnet build"}, {34, "34.walk", "MSBuild.dll\twith\ntabs"}};
  index.missed = {{56, "vstest.console.dll", "its runtime is .NET 6"}};
  return index;
}

TEST(Index, ReadsWhatItWrote) {
  const auto read = parse_index(index_text(two_processes()));
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->folder, "app.walk.d");
  ASSERT_EQ(read->processes.size(), 2u);
  EXPECT_EQ(read->processes[0].pid, 12u);
  EXPECT_EQ(read->processes[0].file, "12.walk");
  EXPECT_EQ(read->processes[1].name, "MSBuild.dll with tabs");
  ASSERT_EQ(read->missed.size(), 1u);
  EXPECT_EQ(read->missed[0].why, "its runtime is .NET 6");
}

TEST(Index, IsReadFromAFileAndKnownByItsFirstLine) {
  const testing::TestFile file(index_text(two_processes()));
  EXPECT_TRUE(is_index(file.path()));
  const auto index = read_index(file.path());
  ASSERT_TRUE(index.ok()) << index.message();
  EXPECT_EQ(path_of("/x/app.walk", *index, index->processes[0]), "/x/app.walk.d/12.walk");
  EXPECT_EQ(path_of("app.walk", *index, index->processes[0]), "app.walk.d/12.walk");
  const testing::TestFile other("walkabout index 2\n");
  EXPECT_FALSE(is_index(other.path()));
  EXPECT_FALSE(is_index("/no/such/file"));
}

TEST(Index, LeadsNowhereElse) {
  const std::string magic(kIndexMagic);
  for (const std::string lines : {"folder\t..\nprocess\t1\ta\tb\n", "folder\t/etc\nprocess\t1\ta\tb\n",
                                  "folder\tx\nprocess\t1\t../a\tb\n",
                                  "folder\tx\nprocess\t1\t/etc/passwd\tb\n", "folder\tx\nprocess\t-1\ta\tb\n",
                                  "folder\tx\nprocess\t1\ta\n", "folder\tx\n", "process\t1\ta\tb\n", ""})
    EXPECT_FALSE(parse_index(magic + lines).ok()) << lines;
  EXPECT_FALSE(parse_index("").ok());
}

TEST(Index, LeavesOutWhatALaterVersionHas) {
  const auto read = parse_index(std::string(kIndexMagic) + "folder\tx\nhost\tabc\nprocess\t1\ta\tb\n");
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->processes.size(), 1u);
}

}  // namespace
}  // namespace walkabout::recording
