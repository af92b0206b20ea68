#include "collect/retention.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/fd.h"
#include "recording/constants.h"

namespace walkabout::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kNow = 2'000'000'000 * kSecond;
constexpr uint64_t kBytes = 1000;  // of each file

TEST(Retention, FilesBytesAndAge) {
  EXPECT_EQ(Retention::parse("24")->files, 24u);
  EXPECT_EQ(Retention::parse("500MB")->bytes, 500'000'000u);
  EXPECT_EQ(Retention::parse("1.5GiB")->bytes, 1'610'612'736u);
  EXPECT_EQ(Retention::parse("7d")->age_ns, 7 * 86'400 * kSecond);
  const Retention all = *Retention::parse("24,1GB,90m");
  EXPECT_EQ(all.files, 24u);
  EXPECT_EQ(all.bytes, 1'000'000'000u);
  EXPECT_EQ(all.age_ns, 5'400 * kSecond);
}

TEST(Retention, RefusesWhatIsNone) {
  for (const char* text :
       {"", "0", "-1", "all", "24,", ",24", "1 GB", "5 files", "1XB", "0s", "0MB", "99999999999999999999"})
    EXPECT_FALSE(Retention::parse(text).ok()) << text;
}

class RemoveOldFiles : public ::testing::Test {
 protected:
  RemoveOldFiles() : folder_(::testing::TempDir() + "keep-XXXXXX") { ::mkdtemp(folder_.data()); }
  ~RemoveOldFiles() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void file(const std::string& name, uint64_t age_s, bool recording = true) const {
    std::ofstream out(path(name), std::ios::binary);
    const std::string head(recording ? recording::kMagic : "some text");
    out << head << std::string(kBytes - head.size(), 'x');
    out.close();
    const timespec when{static_cast<time_t>(kNow / kSecond - age_s), 0};
    const timespec times[] = {when, when};
    ::utimensat(AT_FDCWD, path(name).c_str(), times, 0);
  }
  unsigned remove(const std::string& keep) const {
    return remove_old_files(*FilePattern::parse(path("app-%n.walk")), "box", *Retention::parse(keep), kNow);
  }
  std::set<std::string> left() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.insert(entry.path().filename());
    return names;
  }
  std::string folder_;
};

TEST_F(RemoveOldFiles, TheOldestGoFirst) {
  for (const int n : {1, 2, 3, 4}) file("app-" + std::to_string(n) + ".walk", 100 * static_cast<uint64_t>(n));
  EXPECT_EQ(remove("3"), 1u);
  EXPECT_THAT(left(), UnorderedElementsAre("app-1.walk", "app-2.walk", "app-3.walk"));
  EXPECT_EQ(remove("2000kB"), 0u);
  EXPECT_EQ(remove("2kB"), 1u);
  EXPECT_EQ(remove("150s"), 1u);
  EXPECT_THAT(left(), ElementsAre("app-1.walk"));
}

TEST_F(RemoveOldFiles, TheNewestStays) {
  file("app-1.walk", 1'000'000);
  EXPECT_EQ(remove("1s,1kB,1"), 0u);
  EXPECT_THAT(left(), ElementsAre("app-1.walk"));
}

TEST_F(RemoveOldFiles, OthersFilesAreNotTouched) {
  file("app-9.walk", 0);
  file("app-1.walk", 10);
  file("app-2.walk", 20, false);
  file("app-x.walk", 30);
  file("app-3.html", 40);
  file("target", 50);
  std::filesystem::create_symlink(path("target"), path("app-4.walk"));
  ::mkdir(path("app-5.walk").c_str(), 0700);
  ::mkfifo(path("app-6.walk").c_str(), 0600);
  EXPECT_EQ(remove("1"), 1u);
  EXPECT_THAT(left(), UnorderedElementsAre("app-9.walk", "app-2.walk", "app-x.walk", "app-3.html", "target",
                                           "app-4.walk", "app-5.walk", "app-6.walk"));
}

TEST_F(RemoveOldFiles, AFileThatIsBeingWrittenStaysAndOneWhoseWriterIsGoneDoesNot) {
  file("app-9.walk", 0);
  file(unfinished_name("app-1.walk"), 10);
  file(unfinished_name("app-2.walk"), 20);
  const base::Fd writer(::open(path(unfinished_name("app-1.walk")).c_str(), O_WRONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(writer.get(), LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(remove("1"), 1u);
  EXPECT_THAT(left(), UnorderedElementsAre("app-9.walk", "app-1.walk.part"));
}

TEST_F(RemoveOldFiles, AFolderThatIsNotThere) {
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(remove("1"), 0u);
}

}  // namespace
}  // namespace walkabout::cli
