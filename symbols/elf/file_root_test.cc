#include "symbols/elf/file_root.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace walkabout::symbols {
namespace {

namespace fs = std::filesystem;

std::string read_all(const base::Fd& fd) {
  char buffer[100];
  const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
  return n > 0 ? std::string(buffer, static_cast<size_t>(n)) : std::string();
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

class FileRootTest : public ::testing::Test {
 protected:
  FileRootTest() : folder_(fs::path(::testing::TempDir()) / ("root-" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "lib");
  }
  ~FileRootTest() override { fs::remove_all(folder_); }
  const fs::path folder_;
};

TEST_F(FileRootTest, OwnRootOpensPlainPaths) {
  write(folder_ / "a", "here");
  const FileRoot own;
  EXPECT_TRUE(own.is_own());
  EXPECT_EQ(read_all(own.open(folder_ / "a", O_RDONLY)), "here");
  EXPECT_FALSE(own.open(folder_ / "b", O_RDONLY).valid());
}

TEST_F(FileRootTest, ProcessThatSeesOurFilesHasOurRoot) {
  EXPECT_TRUE(FileRoot::of_process(::getpid()).is_own());
  EXPECT_TRUE(FileRoot::of_process(::getppid()).is_own());
}

TEST_F(FileRootTest, ProcessThatIsGoneOrNeverWasHasOurRoot) {
  EXPECT_TRUE(FileRoot::of_process(0).is_own());
  EXPECT_TRUE(FileRoot::of_process(1 << 30).is_own());
}

TEST_F(FileRootTest, LinksStayInside) {
  write(folder_ / "lib" / "real", "inside");
  fs::create_symlink("/lib/real", folder_ / "absolute");
  fs::create_symlink("../../../../../lib/real", folder_ / "upwards");
  const FileRoot root = std::move(*FileRoot::folder(folder_));
  EXPECT_FALSE(root.is_own());
  EXPECT_EQ(read_all(root.open("/absolute", O_RDONLY)), "inside");
  EXPECT_EQ(read_all(root.open("/upwards", O_RDONLY)), "inside");
  EXPECT_EQ(read_all(root.open("/lib/real", O_RDONLY)), "inside");
  EXPECT_FALSE(root.open("/etc/passwd", O_RDONLY).valid());
}

TEST_F(FileRootTest, FolderThatIsNotThereIsAnError) {
  EXPECT_THAT(FileRoot::folder("/no/such").message(), ::testing::HasSubstr("/no/such: No such file"));
}

// In the child: a shell with mounts of its own, where `folder` is empty but for a file; until its input ends.
[[noreturn]] void live_apart(const fs::path& folder, int ready, int until) {
  const std::string script = "mount -t tmpfs none '" + folder.string() + "' && printf inside >'" +
                             folder.string() + "/only' && echo y; read x";
  ::dup2(until, STDIN_FILENO);
  ::dup2(ready, STDOUT_FILENO);
  ::execlp("unshare", "unshare", "-Urm", "sh", "-c", script.c_str(), nullptr);
  ::_exit(127);
}

TEST_F(FileRootTest, MountsOfAnotherNamespaceAreReadAlsoAfterItsLastProcess) {
  int ready[2], until[2];
  ASSERT_EQ(::pipe2(ready, O_CLOEXEC) + ::pipe2(until, O_CLOEXEC), 0);
  const pid_t child = ::fork();
  if (child == 0) live_apart(folder_, ready[1], until[0]);
  ::close(ready[1]);
  const base::Fd output(ready[0]), ours(until[0]);
  EXPECT_EQ(read_all(output), "y\n") << "no namespaces to be had here";
  const FileRoot root = FileRoot::of_process(child);
  const std::string before = read_all(root.open(folder_ / "only", O_RDONLY));
  ::close(until[1]);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(root.is_own());
  EXPECT_EQ(before, "inside");
  EXPECT_EQ(read_all(root.open(folder_ / "only", O_RDONLY)), "inside");
  EXPECT_FALSE(fs::exists(folder_ / "only"));
}

}  // namespace
}  // namespace walkabout::symbols
