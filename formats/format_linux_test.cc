#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "formats/format.h"
#include "formats/output_file.h"
#include "formats/test_profile.h"

namespace walkabout::formats {
namespace {

namespace fs = std::filesystem;

class Folder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("walkabout-format-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(at(name)).rdbuf();
    return out.str();
  }
  size_t files() const { return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {})); }
  fs::path folder_;
};

TEST(Format, IsChosenBySuffix) {
  EXPECT_STREQ(format_of("a/b.html")->suffix, ".html");
  EXPECT_STREQ(format_of("x.speedscope.json")->suffix, ".speedscope.json");
  EXPECT_STREQ(format_of("x.pb.gz")->suffix, ".pb.gz");
  EXPECT_STREQ(format_of("x.collapsed")->suffix, ".collapsed");
  EXPECT_TRUE(is_recording("x.walk"));
  for (const char* name : {"x.json", "x", "", ".html", "x.html.bak", "x.gz"})
    EXPECT_EQ(format_of(name), nullptr) << name;
}

TEST(Format, ReportsWhichSuffixesThereAre) {
  EXPECT_TRUE(check_suffix("x.html").ok());
  EXPECT_EQ(check_suffix("out.svg").message(),
            "cannot tell what kind of file out.svg should be: end its name in .walk, .html, .collapsed, "
            ".speedscope.json, .trace.json or .pb.gz");
}

TEST_F(Folder, WritesEachFormat) {
  for (const Format& format : all_formats()) {
    if (format.write == nullptr) continue;
    const std::string name = std::string("x") + format.suffix;
    const base::Status status = write_file(testing::small_profile(), at(name));
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_GT(read(name).size(), 50u) << name;
  }
  EXPECT_EQ(files(), all_formats().size() - 1) << "no temporary file is left";
}

TEST_F(Folder, ReplacesAFileOnlyWhenTheNewOneIsWhole) {
  std::ofstream(at("x.collapsed")) << "old";
  {
    OutputFile file(at("x.collapsed"));
    ASSERT_TRUE(file.open().ok());
    file.stream() << "half";
    EXPECT_EQ(read("x.collapsed"), "old");
  }
  EXPECT_EQ(read("x.collapsed"), "old");
  EXPECT_EQ(files(), 1u);
  ASSERT_TRUE(write_file(testing::small_profile(), at("x.collapsed")).ok());
  EXPECT_NE(read("x.collapsed"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Folder, ANewFileIsItsUsersAlone) {
  ASSERT_TRUE(write_file(testing::small_profile(), at("x.collapsed")).ok());
  EXPECT_EQ(fs::status(at("x.collapsed")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(at("x.collapsed"), static_cast<fs::perms>(0644));
  ASSERT_TRUE(write_file(testing::small_profile(), at("x.collapsed")).ok());
  EXPECT_EQ(fs::status(at("x.collapsed")).permissions(), static_cast<fs::perms>(0644)) << "as it was";
}

// A link is replaced, not followed; where another user put it, nothing is written at all.
TEST_F(Folder, LinksOfOthersAreNotFollowed) {
  std::ofstream(at("precious")) << "precious";
  fs::create_symlink(at("precious"), at("x.collapsed"));
  ASSERT_TRUE(write_file(testing::small_profile(), at("x.collapsed")).ok());
  EXPECT_EQ(read("precious"), "precious");
  EXPECT_FALSE(fs::is_symlink(at("x.collapsed")));
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make another user's link";
  fs::create_symlink("/dev/null", at("planted.collapsed"));
  ASSERT_EQ(::lchown(at("planted.collapsed").c_str(), 12345, 12345), 0);
  ASSERT_EQ(::mkfifo(at("pipe.collapsed").c_str(), 0666), 0);
  ASSERT_EQ(::lchown(at("pipe.collapsed").c_str(), 12345, 12345), 0);
  for (const char* name : {"planted.collapsed", "pipe.collapsed"})
    EXPECT_EQ(write_file(testing::small_profile(), at(name)).message(),
              "cannot write " + at(name) + ": another user put a link or pipe there");
}

TEST_F(Folder, NamesTheCauseOfAFailure) {
  const std::string nowhere = at("no/such/folder/x.html");
  EXPECT_EQ(write_file(testing::small_profile(), nowhere).message(),
            "cannot write " + nowhere + ": No such file or directory");
  fs::create_directory(at("folder.html"));
  EXPECT_EQ(write_file(testing::small_profile(), at("folder.html")).message(),
            "cannot write " + at("folder.html") + ": Is a directory");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Folder, AFullDiskIsNamed) {
  fs::create_symlink("/dev/full", at("full.html"));
  EXPECT_EQ(write_file(testing::small_profile(), at("full.html")).message(),
            "cannot write " + at("full.html") + ": No space left on device");
}

TEST_F(Folder, WritesStraightIntoAPipe) {
  fs::create_symlink("/dev/null", at("null.collapsed"));
  EXPECT_TRUE(write_file(testing::small_profile(), at("null.collapsed")).ok());
  EXPECT_TRUE(fs::is_symlink(at("null.collapsed"))) << "not replaced by a file";
}

}  // namespace
}  // namespace walkabout::formats
