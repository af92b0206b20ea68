// PDBs that lie elsewhere: found by their ids, and refused when they are another build's.
#include "symbols/find/line_finder.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "pdb/test_pdb.h"
#include "symbols/find/folder_source.h"
#include "symbols/lines/test_files.h"

namespace walkabout::symbols {
namespace {

namespace fs = std::filesystem;
using pdb::testing::Data;
using pdb::testing::TestAssembly;
using pdb::testing::TestPdb;

// Offers one PDB, whatever is asked for.
class OnePdb : public Source {
 public:
  explicit OnePdb(std::string path) : path_(std::move(path)) {}
  std::string name() const override { return "one"; }
  base::Result<std::optional<Offer>> find(const Wanted& wanted, FileKind kind) override {
    if (kind != FileKind::kPdb) return std::optional<Offer>();
    wanted_name = wanted.file_name;
    return std::optional<Offer>(Offer{base::Fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)), path_});
  }
  std::string wanted_name;

 private:
  const std::string path_;
};

class LineFinderTest : public ::testing::Test {
 protected:
  LineFinderTest() { fs::create_directories(folder_ + "/deep/er"); }

  void write(const std::string& name, const Data& bytes) const { files_.write(name, bytes); }
  AssemblyHits hits(const std::string& path) const {
    return {{base::AssemblyId(4), path, pdb::testing::kVersion}, {0x06000002}};
  }
  FoundLines find(const std::string& path, std::unique_ptr<Source> source) {
    std::vector<std::unique_ptr<Source>> sources;
    sources.push_back(std::move(source));
    Finder finder(std::move(sources));
    LineBudget budget;
    LinesLeftOut left_out;
    FoundLines found = find_lines(hits(path), finder, budget, left_out);
    problems_ = finder.problems();
    return found;
  }
  std::unique_ptr<Source> folder() const {
    return std::make_unique<FolderSource>(folder_ + "/deep", "folder", true);
  }

  const testing::FileFolder files_;
  const std::string& folder_ = files_.path();
  std::vector<std::string> problems_;
};

TEST_F(LineFinderTest, APdbBelowAFolderIsFoundByItsId) {
  write("Made.dll", TestAssembly().bytes);
  write("deep/er/renamed.pdb", TestPdb().bytes);
  const FoundLines found = find(folder_ + "/Made.dll", folder());
  ASSERT_TRUE(found.lines) << found.why;
  EXPECT_EQ(found.from, "folder");
  EXPECT_EQ(found.place, folder_ + "/deep/er/renamed.pdb");
  EXPECT_EQ(found.lines->methods.size(), 1u);
}

// On another machine the assembly is not where it was.
TEST_F(LineFinderTest, AnAssemblyBelowAFolderIsFoundByItsVersion) {
  write("deep/Copy.dll", TestAssembly().bytes);
  write("deep/er/Made.pdb", TestPdb().bytes);
  const FoundLines found = find("/gone/Made.dll", folder());
  ASSERT_TRUE(found.lines) << found.why;
  EXPECT_EQ(found.from, "folder");
  write("deep/Copy.dll", TestAssembly(pdb::testing::test_id(), TestPdb().bytes).bytes);
  fs::remove(folder_ + "/deep/er/Made.pdb");
  EXPECT_EQ(find("/gone/Made.dll", folder()).place, folder_ + "/deep/Copy.dll") << "embedded";
}

TEST_F(LineFinderTest, WhatIsOfferedOfAnotherBuildIsRefused) {
  pdb::PdbId other = pdb::testing::test_id();
  other[3] ^= 1;
  write("Made.dll", TestAssembly(other).bytes);
  write("deep/Made.pdb", TestPdb().bytes);
  auto source = std::make_unique<OnePdb>(folder_ + "/deep/Made.pdb");
  const FoundLines found = find(folder_ + "/Made.dll", std::move(source));
  EXPECT_FALSE(found.lines);
  ASSERT_EQ(problems_.size(), 1u);
  EXPECT_NE(problems_[0].find("refused"), std::string::npos);
}

TEST_F(LineFinderTest, NothingAnywhereIsSaid) {
  const FoundLines found = find("/gone/Made.dll", folder());
  EXPECT_FALSE(found.lines);
  EXPECT_EQ(found.why, "its file cannot be read");
  EXPECT_TRUE(problems_.empty());
}

}  // namespace
}  // namespace walkabout::symbols
