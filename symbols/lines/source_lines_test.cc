// Lines of an assembly's methods: only from the file and the PDB that ran.
#include "symbols/lines/source_lines.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "pdb/test_pdb.h"
#include "symbols/lines/assembly_pdb.h"

namespace walkabout::symbols {
namespace {

namespace fs = std::filesystem;
using pdb::testing::Data;
using pdb::testing::TestAssembly;
using pdb::testing::TestPdb;

class SourceLinesTest : public ::testing::Test {
 protected:
  SourceLinesTest() {
    std::string made = ::testing::TempDir() + "lines-XXXXXX";
    folder_ = ::mkdtemp(made.data());
  }
  ~SourceLinesTest() override { fs::remove_all(folder_); }

  void write(const std::string& name, const Data& bytes) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  AssemblyHits hits(const std::string& version = pdb::testing::kVersion) const {
    return {{base::AssemblyId(4), folder_ + "/Made.dll", version}, {0x06000001, 0x06000002, 0x06000003}};
  }
  std::string why(const std::string& version = pdb::testing::kVersion) const {
    AssemblyPdb found(hits(version).assembly);
    found.look(FileRoot());
    return found.why();
  }

  std::string folder_;
};

TEST_F(SourceLinesTest, OfThePdbBesideTheAssembly) {
  write("Made.dll", TestAssembly().bytes);
  write("Made.pdb", TestPdb().bytes);
  const auto records = source_lines({hits()}, FileRoot());
  ASSERT_EQ(records.size(), 1u);
  const wire::SourceLines& lines = records[0];
  EXPECT_EQ(lines.assembly, base::AssemblyId(4));
  EXPECT_TRUE(lines.found);
  EXPECT_EQ(lines.source, folder_ + "/Made.pdb");
  ASSERT_EQ(lines.documents.size(), 2u);
  EXPECT_EQ(lines.documents[0].path, "/src/a.cs");
  EXPECT_EQ(lines.documents[0].hash_kind, wire::HashKind::kSha256);
  const Data hash = TestPdb::hash_of(TestPdb::kTextA);
  EXPECT_EQ(lines.documents[0].hash, std::string(hash.begin(), hash.end()));
  EXPECT_EQ(lines.documents[0].url, "https://localhost/the-a");
  EXPECT_EQ(lines.documents[1].url, "");
  ASSERT_EQ(lines.methods.size(), 2u) << "the first has no lines";
  EXPECT_EQ(lines.methods[0].token, 0x06000002u);
  EXPECT_EQ(lines.methods[0].il, (std::vector<uint64_t>{0, 4, 9, 12}));
  EXPECT_EQ(lines.methods[0].line, (std::vector<uint64_t>{10, 12, 0, 11}));
  EXPECT_EQ(lines.methods[0].document, std::vector<uint64_t>{1});
  EXPECT_EQ(lines.methods[1].document, (std::vector<uint64_t>{1, 2}));
}

TEST_F(SourceLinesTest, OfThePdbInTheAssembly) {
  write("Made.dll", TestAssembly(pdb::testing::test_id(), TestPdb().bytes).bytes);
  const auto records = source_lines({hits()}, FileRoot());
  EXPECT_TRUE(records.at(0).found);
  EXPECT_EQ(records.at(0).source, folder_ + "/Made.dll");
}

// Broken by a PDB that is taken because it lies there: lines of another build.
TEST_F(SourceLinesTest, APdbOfAnotherBuildIsNotUsed) {
  pdb::PdbId other = pdb::testing::test_id();
  for (const size_t part : {size_t{0}, other.size() - 1}) {
    other = pdb::testing::test_id();
    other[part] ^= 1;
    write("Made.dll", TestAssembly(other).bytes);
    write("Made.pdb", TestPdb().bytes);
    EXPECT_FALSE(source_lines({hits()}, FileRoot()).at(0).found);
    EXPECT_EQ(why(), "the PDB beside it is of another build");
  }
  write("Made.dll", TestAssembly(other, TestPdb().bytes).bytes);
  EXPECT_FALSE(source_lines({hits()}, FileRoot()).at(0).found) << "also where it is in the assembly";
}

// Broken by a PDB that is taken for its id alone: somebody has changed its lines.
TEST_F(SourceLinesTest, APdbThatWasChangedIsNotUsed) {
  TestPdb made;
  write("Made.dll", TestAssembly(pdb::testing::test_id(), {}, made.checksum()).bytes);
  write("Made.pdb", made.bytes);
  EXPECT_TRUE(source_lines({hits()}, FileRoot()).at(0).found);
  made.bytes.back() ^= 1;
  write("Made.pdb", made.bytes);
  EXPECT_FALSE(source_lines({hits()}, FileRoot()).at(0).found);
  EXPECT_EQ(why(), "the PDB beside it was changed: its checksum is not the one that the assembly names");
  write("Made.dll", TestAssembly(pdb::testing::test_id(), made.bytes, TestPdb().checksum()).bytes);
  fs::remove(folder_ + "/Made.pdb");
  EXPECT_EQ(why(), "the PDB in it was changed: its checksum is not the one that the assembly names");
}

TEST_F(SourceLinesTest, AnAssemblyOfAnotherBuildIsNotUsed) {
  write("Made.dll", TestAssembly().bytes);
  write("Made.pdb", TestPdb().bytes);
  EXPECT_FALSE(source_lines({hits("0123456789abcdeF")}, FileRoot()).at(0).found);
  EXPECT_EQ(why("0123456789abcdeF"), "its file is another build");
  EXPECT_EQ(why(""), "it has no file of its own");
}

TEST_F(SourceLinesTest, WhatIsMissingIsSaid) {
  EXPECT_EQ(why(), "its file cannot be read");
  write("Made.dll", Data{'M', 'Z'});
  EXPECT_EQ(why(), "its file is no assembly");
  write("Made.dll", TestAssembly().bytes);
  EXPECT_EQ(why(), "there is no PDB beside it");
  ASSERT_EQ(::mkfifo((folder_ + "/Made.pdb").c_str(), 0600), 0);
  EXPECT_EQ(why(), "there is no PDB beside it") << "nothing is waited for";
}

TEST_F(SourceLinesTest, AnAssemblyWithoutMethodsIsLeftOut) {
  AssemblyHits none = hits();
  none.methods.clear();
  EXPECT_TRUE(source_lines({none}, FileRoot()).empty());
}

}  // namespace
}  // namespace walkabout::symbols
