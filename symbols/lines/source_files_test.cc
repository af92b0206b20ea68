// Texts of source files: only of those that were compiled.
#include "symbols/lines/source_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "pdb/test_pdb.h"
#include "symbols/lines/test_files.h"

namespace walkabout::symbols {
namespace {

using pdb::testing::Data;
using pdb::testing::TestAssembly;
using pdb::testing::TestPdb;

constexpr auto kKind = wire::HashKind::kSha256;

std::string hash_of(const std::string& text) {
  const Data hash = TestPdb::hash_of(text);
  return {hash.begin(), hash.end()};
}

class SourceFilesTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    return files_.write(name, Data(text.begin(), text.end()));
  }
  void write_assembly(const TestPdb& pdb = TestPdb()) const {
    const Data assembly = TestAssembly().bytes;
    write("Made.dll", {assembly.begin(), assembly.end()});
    write("Made.pdb", {pdb.bytes.begin(), pdb.bytes.end()});
  }
  // As a recording of the assembly has it.
  SourceFiles files(const std::vector<std::string>& folders = {}) const {
    SourceFiles files(folders);
    files.on_assembly({base::AssemblyId(4), folder_ + "/Made.dll", pdb::testing::kVersion});
    files.on_source_lines(
        {base::AssemblyId(4), true, folder_ + "/Made.pdb", {{"/src/a.cs"}, {"/lib/b.cs"}}, {}});
    files.end_recording();
    return files;
  }

  const testing::FileFolder files_;
  const std::string& folder_ = files_.path();
};

TEST_F(SourceFilesTest, OfTheFileWhoseChecksumFits) {
  const std::string path = write("a.cs", "class A {}");
  EXPECT_EQ(files().find(path, kKind, hash_of("class A {}")).text, "class A {}");
  const std::string sha1("\x03\x29\x91", 3);
  EXPECT_EQ(files().find(path, wire::HashKind::kSha1, sha1).text, "");
}

// Broken by a file that is taken because it lies there: lines that moved since would have the time of others.
TEST_F(SourceFilesTest, AFileThatDiffersIsNotTheSource) {
  const std::string path = write("a.cs", "class A { }");
  const FoundSource found = files().find(path, kKind, hash_of("class A {}"));
  EXPECT_EQ(found.text, "");
  EXPECT_EQ(found.why, "the file differs from the one that was compiled");
}

TEST_F(SourceFilesTest, AFileThatCannotBeComparedIsNotTheSource) {
  const std::string path = write("a.cs", "class A {}");
  EXPECT_EQ(files().find(path, wire::HashKind::kUnknown, "").text, "");
  EXPECT_EQ(files().find(path, kKind, "").why,
            "neither PDB nor DWARF has a checksum of it that the file could be compared with");
}

// The checksum that DWARF has.
TEST_F(SourceFilesTest, OfTheFileWhoseMd5Fits) {
  const std::string path = write("a.c", "a");
  const std::string sum("\x0c\xc1\x75\xb9\xc0\xf1\xb6\xa8\x31\xc3\x99\xe2\x69\x77\x26\x61", 16);
  EXPECT_EQ(files().find(path, wire::HashKind::kMd5, sum).text, "a");
  write("a.c", "b");
  EXPECT_EQ(files().find(path, wire::HashKind::kMd5, sum).why,
            "the file differs from the one that was compiled");
}

TEST_F(SourceFilesTest, WhatIsNowhereIsSaid) {
  const std::string why = "it is neither on this machine nor in its PDB";
  EXPECT_EQ(files().find(folder_ + "/none.cs", kKind, hash_of("x")).why, why);
  EXPECT_EQ(files().find("C:\\src\\none.cs", kKind, hash_of("x")).why, why);
  EXPECT_EQ(files().find("", kKind, hash_of("x")).why, why);
  ASSERT_EQ(::mkfifo((folder_ + "/pipe.cs").c_str(), 0600), 0);
  EXPECT_EQ(files().find(folder_ + "/pipe.cs", kKind, hash_of("x")).why, why) << "nothing is waited for";
}

TEST_F(SourceFilesTest, BelowAFolderByTheEndOfItsPath) {
  write("there/app/a.cs", "class A {}");
  write("there/b.cs", "class B {}");
  const auto find = [this](const std::string& path, const std::string& text) {
    return files({folder_ + "/none", folder_ + "/there"}).find(path, kKind, hash_of(text));
  };
  EXPECT_EQ(find("/_/src/app/a.cs", "class A {}").text, "class A {}");
  EXPECT_EQ(find("C:\\src\\app\\a.cs", "class A {}").text, "class A {}");
  EXPECT_EQ(find("/_/b.cs", "class B {}").text, "class B {}");
  EXPECT_EQ(find("/_/b.cs", "class C {}").why, "the file differs from the one that was compiled");
  write("out.cs", "class O {}");
  EXPECT_EQ(find("/_/../out.cs", "class O {}").text, "") << "not out of the folder";
}

TEST_F(SourceFilesTest, OfThePdbThatHasIt) {
  write_assembly();
  EXPECT_EQ(files().find("/src/a.cs", kKind, hash_of(TestPdb::kTextA)).text, TestPdb::kTextA);
  EXPECT_EQ(files().find("/lib/b.cs", kKind, hash_of(TestPdb::kTextB)).text, TestPdb::kTextB);
  EXPECT_EQ(files().find("/src/a.cs", wire::HashKind::kUnknown, "").text, TestPdb::kTextA);
  EXPECT_EQ(files().find("/src/a.cs", kKind, hash_of("other")).text, "") << "the recording's is another";
  EXPECT_EQ(files().find("/src/c.cs", kKind, hash_of(TestPdb::kTextA)).text, "");
}

TEST_F(SourceFilesTest, NotOfThePdbOfAnotherBuild) {
  TestPdb made;
  const pdb::PdbId id = pdb::testing::test_id();
  *std::search(made.bytes.begin(), made.bytes.end(), id.begin(), id.end()) ^= 1;
  write_assembly(made);
  EXPECT_EQ(files().find("/src/a.cs", kKind, hash_of(TestPdb::kTextA)).text, "");
}

}  // namespace
}  // namespace walkabout::symbols
