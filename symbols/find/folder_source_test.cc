#include "symbols/find/folder_source.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "symbols/elf/build_id.h"
#include "symbols/elf/elf_file.h"
#include "symbols/elf/test_sample.h"

namespace walkabout::symbols {
namespace {

namespace fs = std::filesystem;

class FolderSourceTest : public ::testing::Test {
 protected:
  FolderSourceTest() : folder_(fs::path(::testing::TempDir()) / ("store-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "deep");
  }
  ~FolderSourceTest() override { fs::remove_all(folder_); }

  // Where the file is, relative to the folder; "" if there is none.
  std::string place(FileKind kind, bool scan = true) const {
    FolderSource source(folder_.string(), "folder", scan);
    const auto offer = source.find(wanted_, kind);
    EXPECT_TRUE(offer.ok()) << offer.message();
    if (!offer.ok() || !offer->has_value()) return "";
    EXPECT_TRUE((*offer)->file.valid());
    return fs::relative((*offer)->place, folder_).string();
  }
  void put(const std::string& file, const std::string& name) const {
    fs::create_directories((folder_ / name).parent_path());
    fs::copy(testing::kSamples + file, folder_ / name);
  }
  const Wanted wanted_{ElfFile::open(testing::kSamples + "/whole/sample.so")->build_id(), "sample.so"};
  const std::string by_id_ = build_id_path(wanted_.build_id).substr(1);
  const fs::path folder_;
};

TEST_F(FolderSourceTest, BuildIdTreeComesFirst) {
  put("/debuglink/.debug/sample.debug", "deep/any");
  put("/debuglink/.debug/sample.debug", by_id_ + ".debug");
  put("/stripped/sample.so", by_id_);
  EXPECT_EQ(place(FileKind::kDebug), by_id_ + ".debug");
  EXPECT_EQ(place(FileKind::kImage), by_id_);
}

TEST_F(FolderSourceTest, PlainFilesAreKnownByTheirBuildId) {
  put("/stripped/sample.so", "deep/image");
  EXPECT_EQ(place(FileKind::kDebug), "") << "it has no symbol table";
  EXPECT_EQ(place(FileKind::kImage), "deep/image");
  put("/debuglink/.debug/sample.debug", "deep/symbols");
  EXPECT_EQ(place(FileKind::kDebug), "deep/symbols");
  EXPECT_EQ(place(FileKind::kImage), "deep/image") << "a debug file has no code";
  EXPECT_EQ(place(FileKind::kDebug, false), "") << "only when the folder is to be scanned";
}

TEST_F(FolderSourceTest, WholeLibraryServesAsBoth) {
  put("/whole/sample.so", "sample.so");
  EXPECT_EQ(place(FileKind::kDebug), "sample.so");
  EXPECT_EQ(place(FileKind::kImage), "sample.so");
}

TEST_F(FolderSourceTest, OtherFilesAreNobodys) {
  put("/noid/whole.so", "noid.so");
  std::ofstream(folder_ / "text") << "hello";
  std::ofstream(folder_ / "empty") << "";
  fs::create_symlink("..", folder_ / "deep" / "round");
  EXPECT_EQ(place(FileKind::kDebug), "");
  EXPECT_EQ(place(FileKind::kImage), "");
}

TEST_F(FolderSourceTest, FolderThatIsGoneHasNothing) {
  fs::remove_all(folder_);
  EXPECT_EQ(place(FileKind::kDebug), "");
}

}  // namespace
}  // namespace walkabout::symbols
