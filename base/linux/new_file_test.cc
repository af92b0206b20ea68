#include "base/linux/new_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace walkabout::base {
namespace {

namespace fs = std::filesystem;

class NewFileTest : public ::testing::Test {
 protected:
  NewFileTest() { ::mkdtemp(folder_.data()); }
  ~NewFileTest() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  static struct stat look(const std::string& path) {
    struct stat s {};
    EXPECT_EQ(::lstat(path.c_str(), &s), 0) << path;
    return s;
  }
  std::string folder_ = "/tmp/walkabout-new-XXXXXX";
};

TEST_F(NewFileTest, OnlyItsOwnerMayReadIt) {
  const mode_t before = ::umask(0);
  const auto file = create_beside(at("out"));
  ::umask(before);
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_EQ(look(file->path).st_mode & 07777, 0600u);
}

TEST_F(NewFileTest, ItHasModeAndOwnerOfTheOneItReplaces) {
  std::ofstream(at("out")) << "old";
  ASSERT_EQ(::chmod(at("out").c_str(), 0644), 0);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(at("out").c_str(), 12345, 54321), 0);
  }
  const auto file = create_beside(at("out"));
  ASSERT_TRUE(file.ok()) << file.message();
  const struct stat old = look(at("out")), fresh = look(file->path);
  EXPECT_EQ(fresh.st_mode, old.st_mode);
  EXPECT_EQ(fresh.st_uid, old.st_uid);
  EXPECT_EQ(fresh.st_gid, old.st_gid);
}

// Whoever foresees the name gains nothing, whether by a link or by a file of their own.
TEST_F(NewFileTest, WhatIsThereAlreadyIsNotTouched) {
  std::ofstream(at("precious")) << "precious";
  const std::string foreseen = create_beside(at("out"))->path;
  ASSERT_EQ(::unlink(foreseen.c_str()), 0);
  fs::create_symlink(at("precious"), foreseen);
  const auto file = create_beside(at("out"));
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_NE(file->path, foreseen);
  EXPECT_EQ(fs::file_size(at("precious")), 8u);
}

// A link is replaced, not followed: what it leads to keeps its own mode to itself.
TEST_F(NewFileTest, ALinksTargetIsNotChecked) {
  std::ofstream(at("public")) << "x";
  ASSERT_EQ(::chmod(at("public").c_str(), 0666), 0);
  fs::create_symlink(at("public"), at("out"));
  const auto file = create_beside(at("out"));
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_EQ(look(file->path).st_mode & 07777, 0600u);
}

TEST_F(NewFileTest, AFolderThatIsNotThere) {
  const auto file = create_beside(at("missing/out"));
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.message().find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace walkabout::base
