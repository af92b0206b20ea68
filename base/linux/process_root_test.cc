#include "base/linux/process_root.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace walkabout::base {
namespace {

namespace fs = std::filesystem;

class ProcessRoot : public ::testing::Test {
 protected:
  ProcessRoot() : folder_(::testing::TempDir() + "root-XXXXXX") {
    EXPECT_NE(::mkdtemp(folder_.data()), nullptr);
    fs::create_directory(folder_ + "/etc");
    std::ofstream(folder_ + "/etc/inside") << "inside";
    fs::create_symlink("/etc/inside", folder_ + "/link");
    root_ = Fd(::open(folder_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  ~ProcessRoot() override { fs::remove_all(folder_); }

  std::string folder_;
  Fd root_;
};

TEST_F(ProcessRoot, OursIsTheRootAndTheNamespaceOfThisProcess) {
  const Fd own(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  EXPECT_TRUE(has_own_files(own, ::getpid()));
  EXPECT_FALSE(has_own_files(root_, ::getpid()));
  EXPECT_FALSE(has_own_files(own, -1)) << "nothing is known of a process that is not there";
}

TEST_F(ProcessRoot, LinksStayInside) {
  const Fd found = open_in_root(root_, "/link", O_RDONLY);
  if (!found.valid() && (errno == ENOSYS || errno == EPERM)) GTEST_SKIP() << "a kernel without openat2";
  ASSERT_TRUE(found.valid());
  char text[6] = {};
  EXPECT_EQ(::read(found.get(), text, sizeof text), 6);
  EXPECT_EQ(std::string(text, sizeof text), "inside");
  EXPECT_TRUE(open_in_root(root_, "/../../etc/inside", O_RDONLY).valid());
}

TEST_F(ProcessRoot, BelowIsRelativeToTheRoot) {
  EXPECT_TRUE(open_below(root_, "//etc/inside", O_RDONLY).valid());
  EXPECT_TRUE(open_below(root_, "/", O_PATH).valid());
  EXPECT_FALSE(open_below(root_, "/missing", O_RDONLY).valid());
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace walkabout::base
