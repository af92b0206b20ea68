// Documents and lines of a PDB; what is made of one that was cut off or damaged.
#include "pdb/portable_pdb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "pdb/test_pdb.h"

namespace walkabout::pdb {
namespace {

using testing::Data;
using testing::TestPdb;

TEST(PortablePdb, HasItsId) {
  const TestPdb made;
  const auto pdb = PortablePdb::read(made.bytes);
  ASSERT_TRUE(pdb);
  EXPECT_EQ(pdb->id(), testing::test_id());
}

TEST(PortablePdb, DocumentsHavePathAndChecksum) {
  const TestPdb made;
  const auto pdb = PortablePdb::read(made.bytes);
  ASSERT_TRUE(pdb);
  const auto first = pdb->document(1);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->path, "/src/a.cs");
  EXPECT_EQ(first->algorithm, HashAlgorithm::kSha256);
  EXPECT_EQ(std::vector<uint8_t>(first->hash.begin(), first->hash.end()), TestPdb::hash_of(TestPdb::kTextA));
  EXPECT_EQ(pdb->document(2)->path, "/lib/b.cs");
  EXPECT_FALSE(pdb->document(0));
  EXPECT_FALSE(pdb->document(3));
}

TEST(PortablePdb, LinesOfAMethod) {
  const TestPdb made;
  const auto pdb = PortablePdb::read(made.bytes);
  ASSERT_TRUE(pdb);
  EXPECT_TRUE(pdb->sequence_points(1).empty());
  EXPECT_EQ(pdb->sequence_points(2),
            (std::vector<SequencePoint>{{0, 1, 10}, {4, 1, 12}, {9, 1, 0}, {12, 1, 11}}));
  EXPECT_EQ(pdb->sequence_points(3), (std::vector<SequencePoint>{{0, 1, 20}, {7, 2, 300}}));
  EXPECT_TRUE(pdb->sequence_points(0).empty());
  EXPECT_TRUE(pdb->sequence_points(4).empty());
}

// Half of a method's points would put the rest of its code on the last of them.
TEST(PortablePdb, ADamagedBlobGivesNoLines) {
  const Data whole = {0, 0, 2, 6, 10, 5, 4, 0, 3, 4, 0};
  ASSERT_EQ(read_sequence_points(whole, 1).size(), 2u);
  for (size_t size = 2; size < whole.size(); ++size) {
    if (size == 6) continue;  // behind the first point
    EXPECT_TRUE(read_sequence_points({whole.data(), size}, 1).empty()) << size;
  }
  EXPECT_TRUE(read_sequence_points(Data{0, 0, 2, 6, 1, 5, 4, 0, 3, 0x7d, 0}, 1).empty()) << "a line below 1";
}

TEST(PortablePdb, SourceLinkIsTheModules) {
  const TestPdb made;
  const auto pdb = PortablePdb::read(made.bytes);
  ASSERT_TRUE(pdb);
  const precompiled::Bytes json = pdb->source_link();
  EXPECT_EQ(std::string(json.begin(), json.end()), TestPdb::kSourceLink);
}

TEST(PortablePdb, HasTheTextOfItsDocuments) {
  const TestPdb made;
  const auto pdb = PortablePdb::read(made.bytes);
  ASSERT_TRUE(pdb);
  const auto text = [&pdb](uint32_t row) {
    const std::vector<uint8_t> bytes = pdb->embedded_source(row);
    return std::string(bytes.begin(), bytes.end());
  };
  ASSERT_EQ(pdb->documents(), 2u);
  EXPECT_EQ(text(1), TestPdb::kTextA);
  EXPECT_EQ(text(2), TestPdb::kTextB);
  EXPECT_EQ(text(0), "");
  EXPECT_EQ(text(3), "");
}

// Of one whose size is not the one it says, nothing is given.
TEST(PortablePdb, ADamagedTextIsNone) {
  TestPdb made;
  Data size;
  testing::u4(size, sizeof TestPdb::kTextA - 1);
  testing::add(size, testing::deflated(testing::bytes_of(TestPdb::kTextA)));
  const auto at = std::search(made.bytes.begin(), made.bytes.end(), size.begin(), size.end());
  ASSERT_NE(at, made.bytes.end());
  for (const uint8_t wrong : {0x01, 0x7f}) {
    at[0] = wrong;
    EXPECT_TRUE(PortablePdb::read(made.bytes)->embedded_source(1).empty());
  }
  at[3] = 0x80;
  EXPECT_TRUE(PortablePdb::read(made.bytes)->embedded_source(1).empty()) << "a size below 0 is reserved";
}

TEST(PortablePdb, AnAssemblyIsNone) { EXPECT_FALSE(PortablePdb::read(testing::TestAssembly().bytes)); }

void use(const Data& bytes) {
  const auto pdb = PortablePdb::read(bytes);
  if (!pdb) return;
  for (uint32_t row = 0; row < 5; ++row) {
    pdb->document(row);
    pdb->embedded_source(row);
    for (const SequencePoint& point : pdb->sequence_points(row)) EXPECT_LE(point.line, 0x1fffffffu);
  }
  pdb->source_link();
}

TEST(PortablePdb, SurvivesBeingCutOffAnywhere) {
  const Data whole = TestPdb().bytes;
  for (size_t size = 0; size < whole.size(); ++size)
    use({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
}

TEST(PortablePdb, SurvivesAnyByte) {
  const Data whole = TestPdb().bytes;
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    Data bytes = whole;
    for (int n = 0; n < 3; ++n) bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    use(bytes);
  }
}

}  // namespace
}  // namespace walkabout::pdb
