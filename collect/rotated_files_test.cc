#include "collect/rotated_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace walkabout::cli {
namespace {

using ::testing::UnorderedElementsAre;

class RotatedFilesTest : public ::testing::Test {
 protected:
  RotatedFilesTest() : folder_(::testing::TempDir() + "rotated-XXXXXX") { ::mkdtemp(folder_.data()); }
  ~RotatedFilesTest() override { std::filesystem::remove_all(folder_); }

  RotatedFiles files(const std::string& name, const char* keep = nullptr) const {
    Rotation rotation{*FilePattern::parse(folder_ + "/new/deep/" + name), std::nullopt};
    if (keep != nullptr) rotation.keep = *Retention::parse(keep);
    return {rotation, 42};
  }
  std::set<std::string> left() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/new/deep"))
      names.insert(entry.path().filename());
    return names;
  }
  mode_t mode(const std::string& path) const {
    struct stat info {};
    EXPECT_EQ(::stat((folder_ + path).c_str(), &info), 0) << path;
    return info.st_mode & 0777;
  }
  std::string folder_;
};

TEST_F(RotatedFilesTest, AFileHasItsNameWhenItIsWhole) {
  RotatedFiles files = this->files("%pid-%n.walk");
  for (const int round : {1, 2}) {
    ASSERT_TRUE(files.begin(0).ok());
    EXPECT_TRUE(left().count("42-" + std::to_string(round) + ".walk.part"));
    ASSERT_TRUE(files.end().ok());
  }
  EXPECT_THAT(left(), UnorderedElementsAre("42-1.walk", "42-2.walk"));
  EXPECT_EQ(files.count(), 2u);
  EXPECT_EQ(files.last(), folder_ + "/new/deep/42-2.walk");
}

TEST_F(RotatedFilesTest, NobodyElseCanReadThem) {
  RotatedFiles files = this->files("%n.walk");
  ASSERT_TRUE(files.begin(0).ok());
  EXPECT_EQ(mode("/new"), 0700u);
  EXPECT_EQ(mode("/new/deep"), 0700u);
  EXPECT_EQ(mode("/new/deep/1.walk.part"), 0600u);
}

TEST_F(RotatedFilesTest, WhatIsThereIsNotReplaced) {
  for (const int round : {1, 2, 3}) {
    RotatedFiles files = this->files("%n.walk");  // each begins with number 1
    ASSERT_TRUE(files.begin(0).ok()) << round;
    ASSERT_TRUE(files.end().ok());
  }
  EXPECT_THAT(left(), UnorderedElementsAre("1.walk", "1-2.walk", "1-3.walk"));
}

TEST_F(RotatedFilesTest, NorWhatAppearsMeanwhile) {
  RotatedFiles files = this->files("%n.walk");
  ASSERT_TRUE(files.begin(0).ok());
  std::ofstream(folder_ + "/new/deep/1.walk") << "another's";
  ASSERT_TRUE(files.end().ok());
  EXPECT_THAT(left(), UnorderedElementsAre("1.walk", "1-2.walk"));
  EXPECT_EQ(std::filesystem::file_size(folder_ + "/new/deep/1.walk"), 9u);
}

TEST_F(RotatedFilesTest, OldOnesGoWhenOneIsWhole) {
  RotatedFiles files = this->files("%n.walk", "2");
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(files.begin(0).ok());
    ASSERT_TRUE(files.end().ok());
  }
  EXPECT_THAT(left(), UnorderedElementsAre("3.walk", "4.walk"));
}

TEST_F(RotatedFilesTest, AFolderThatCannotBeUsedFailsAndIsTriedAgain) {
  std::ofstream(folder_ + "/new") << "a file where the folder should be";
  RotatedFiles files = this->files("%n.walk");
  EXPECT_FALSE(check_folder(*FilePattern::parse(folder_ + "/new/deep/%n.walk")).ok());
  EXPECT_FALSE(files.begin(0).ok());
  EXPECT_TRUE(files.end().ok()) << "nothing is open";
  std::filesystem::remove(folder_ + "/new");
  ASSERT_TRUE(files.begin(0).ok());
  files.discard();
  EXPECT_TRUE(left().empty());
}

}  // namespace
}  // namespace walkabout::cli
