// Lines of an assembly's methods: only from the file and the PDB that ran.
#include "symbols/lines/source_lines.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "pdb/made_pdb.h"
#include "pdb/test_pdb.h"
#include "recording/constants.h"
#include "symbols/lines/assembly_pdb.h"
#include "symbols/lines/test_files.h"
#include "wire/encode.h"

namespace walkabout::symbols {
namespace {

namespace fs = std::filesystem;
using pdb::testing::Data;
using pdb::testing::MadePdb;
using pdb::testing::points_blob;
using pdb::testing::TestAssembly;
using pdb::testing::TestPdb;
using pdb::testing::u4;

class SourceLinesTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const Data& bytes) const { files_.write(name, bytes); }
  AssemblyHits hits(const std::string& version = pdb::testing::kVersion) const {
    return {{base::AssemblyId(4), folder_ + "/Made.dll", version}, {0x06000001, 0x06000002, 0x06000003}};
  }
  std::string why(const std::string& version = pdb::testing::kVersion) const {
    LineBudget budget;
    AssemblyPdb found(hits(version).assembly, budget);
    found.look(FileRoot());
    return found.why();
  }

  // With the lines of its methods from the first to `methods`.
  AssemblyHits hits(uint32_t methods, uint32_t id) const {
    AssemblyHits made{{base::AssemblyId(id), folder_ + "/Made.dll", pdb::testing::kVersion}, {}};
    for (uint32_t row = 1; row <= methods; ++row) made.methods.insert(0x06000000 | row);
    return made;
  }
  std::vector<wire::SourceLines> source_lines(const std::vector<AssemblyHits>& hits,
                                              const FileRoot& root = FileRoot(), LineBudget budget = {}) {
    std::vector<wire::SourceLines> records;
    left_out_ = symbols::source_lines(hits, root, budget,
                                      [&](const wire::SourceLines& lines) { records.push_back(lines); });
    return records;
  }
  uint64_t left_out(LineLoss why) const { return left_out_.methods(why); }

  const testing::FileFolder files_;
  const std::string& folder_ = files_.path();
  LinesLeftOut left_out_;
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

TEST_F(SourceLinesTest, TooManyPointsAndADamagedBlobAreCounted) {
  MadePdb made;
  made.document(made.name("/src/a.cs"));
  made.method(1, made.blob(points_blob(pdb::kMostPoints + 1)));
  made.method(1, made.blob({0, 0, 2, 6, 1, 5, 4, 0, 3, 0x7d, 0}));
  made.method(1, made.blob(points_blob(2)));
  made.method(2, made.blob(points_blob(2)));  // of a document that is not there
  write("Made.dll", TestAssembly().bytes);
  write("Made.pdb", made.bytes());
  const auto records = source_lines({hits(4, 1)});
  ASSERT_EQ(records.at(0).methods.size(), 2u);
  EXPECT_EQ(records[0].methods[0].token, 0x06000003u);
  EXPECT_EQ(left_out(LineLoss::kTooMany), 1u);
  EXPECT_EQ(left_out(LineLoss::kDamaged), 2u);
  EXPECT_EQ(left_out_.sentences(),
            (std::vector<std::string>{
                "2 methods of Made.dll have no source lines, or not all of them, for their PDB is damaged; "
                "build it anew",
                "1 method of Made.dll has no source lines, for a method may have at most 65536 sequence "
                "points; split such methods"}));
}

// Twenty thousand documents, each with a path of 4 KiB, are more than a record holds.
TEST_F(SourceLinesTest, TooLongDocumentsFitNoRecord) {
  write("Made.dll", TestAssembly().bytes);
  write("Made.pdb", testing::pdb_of_documents(kMostDocuments, 4000));
  const auto records = source_lines({hits(2, 1)});
  std::string bytes;
  wire::encode(records.at(0), bytes);
  EXPECT_LE(bytes.size(), recording::kMaxRecordBytes);
  ASSERT_EQ(records[0].methods.size(), 1u) << "of what has room all is there";
  EXPECT_EQ(records[0].methods[0].token, 0x06000002u);
  EXPECT_EQ(left_out(LineLoss::kRecordFull), 1u);
}

TEST_F(SourceLinesTest, TooManyDocumentsAreCounted) {
  MadePdb made;
  const size_t name = made.name("a.cs"), none = made.blob({});
  const size_t points = made.blob(points_blob(1));
  for (uint32_t i = 1; i <= kMostDocuments + 10; ++i) {
    made.document(i % 2 == 0 ? name : none);  // those that are none cost time as well
    made.method(i, points);
  }
  write("Made.dll", TestAssembly().bytes);
  write("Made.pdb", made.bytes());
  const auto records = source_lines({hits(kMostDocuments + 10, 1)});
  EXPECT_EQ(records.at(0).documents.size(), kMostDocuments / 2);
  EXPECT_EQ(left_out(LineLoss::kDamaged), kMostDocuments / 2);
  EXPECT_EQ(left_out(LineLoss::kRecordFull), 10u);
}

// All methods may name one body, or one blob: what is shared costs as often as it is looked through.
TEST_F(SourceLinesTest, WhatIsSharedIsTakenFromTheBudgetEachTime) {
  constexpr uint32_t kMethods = 5;
  Data body = {0x13, 0x30, 2, 0};
  u4(body, 3000), u4(body, 0);
  body.resize(12 + 3000);
  MadePdb made;
  made.document(made.name("/src/a.cs"));
  const size_t points = made.blob(points_blob(1000));
  for (uint32_t i = 0; i < kMethods; ++i) made.method(1, points);
  const Data assembly = TestAssembly(pdb::testing::test_id(), {}, {}, kMethods, body).bytes,
             pdb = made.bytes();
  write("Made.dll", assembly);
  write("Made.pdb", pdb);
  const uint64_t each = points_blob(1000).size() + 3000;
  EXPECT_EQ(source_lines({hits(kMethods, 1)}).at(0).methods.size(), kMethods);
  EXPECT_EQ(left_out_.sentences(), std::vector<std::string>());
  LineBudget budget;
  budget.bytes = assembly.size() + pdb.size() + 2 * each + 5000;
  const auto records = source_lines({hits(kMethods, 1)}, FileRoot(), budget);
  EXPECT_EQ(records.at(0).methods.size(), 3u) << "the third was begun";
  EXPECT_EQ(records[0].methods[0].light.size(), 1000u) << "it has IL";
  EXPECT_EQ(left_out(LineLoss::kUsedUp), 2u);
}

// A recording may name one assembly any number of times.
TEST_F(SourceLinesTest, TheBudgetIsOfAllAssemblies) {
  write("Made.dll", TestAssembly().bytes);
  write("Made.pdb", TestPdb().bytes);
  std::vector<AssemblyHits> many;
  for (uint32_t id = 1; id <= 10; ++id) many.push_back(hits(3, id));
  const auto found = [&](LineBudget budget) {
    const auto records = source_lines(many, FileRoot(), budget);
    EXPECT_EQ(records.size(), 10u);
    return std::count_if(records.begin(), records.end(), [](const auto& lines) { return lines.found; });
  };
  EXPECT_EQ(found({}), 10);
  EXPECT_EQ(left_out(LineLoss::kUsedUp), 0u);
  LineBudget budget;
  budget.bytes = 3 * (TestAssembly().bytes.size() + TestPdb().bytes.size());
  const auto by_bytes = found(budget);
  EXPECT_LT(by_bytes, 4);
  EXPECT_GE(left_out(LineLoss::kUsedUp), 3u * (10 - 3));
  budget = {};
  budget.points = 12;
  EXPECT_EQ(found(budget), 2) << "six points each";
  EXPECT_EQ(left_out(LineLoss::kUsedUp), 24u);
  EXPECT_NE(left_out_.sentences().at(0).find("24 methods of Made.dll have no source lines"),
            std::string::npos);
  budget = {};
  budget.record_bytes = 1;
  EXPECT_EQ(found(budget), 1);
}

TEST_F(SourceLinesTest, AnAssemblyWithoutMethodsIsLeftOut) {
  AssemblyHits none = hits();
  none.methods.clear();
  EXPECT_TRUE(source_lines({none}).empty());
}

}  // namespace
}  // namespace walkabout::symbols
