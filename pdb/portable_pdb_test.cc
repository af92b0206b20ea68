// Documents and lines of a PDB; what is made of one that was cut off or damaged.
#include "pdb/portable_pdb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "pdb/made_pdb.h"
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
            (std::vector<SequencePoint>{{0, 1, 10, 12}, {4, 1, 12, 12}, {9, 1, 0, 0}, {12, 1, 11, 11}}));
  EXPECT_EQ(pdb->sequence_points(3), (std::vector<SequencePoint>{{0, 1, 20, 20}, {7, 2, 300, 300}}));
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

TEST(PortablePdb, WhyThereAreNoLinesIsSaid) {
  testing::MadePdb made;
  made.document(made.name("a.cs"));
  for (const size_t count : {size_t{1}, kMostPoints, kMostPoints + 1})
    made.method(1, made.blob(testing::points_blob(count)));
  made.method(1, made.blob({0, 0, 2, 6, 1, 5, 4, 0, 3, 0x7d, 0}));  // a line below 1
  Data documents = {0, 0, 0, 5, 1, 1};
  documents.resize(documents.size() + 2 * (kMostPoints + 1), 0);
  documents.insert(documents.end(), {1, 0, 5, 2, 0});
  made.method(1, made.blob(documents));
  made.method(1, 0);
  made.method(1, 1 << 28);
  const Data bytes = made.bytes();
  const auto pdb = PortablePdb::read(bytes);
  ASSERT_TRUE(pdb);
  const auto loss = [&](uint32_t method) {
    PointsLoss why = PointsLoss::kNone;
    const bool none = pdb->sequence_points(method, &why).empty();
    EXPECT_EQ(none, why != PointsLoss::kNone || method == 6) << method;
    return why;
  };
  EXPECT_EQ(loss(1), PointsLoss::kNone);
  EXPECT_EQ(loss(2), PointsLoss::kNone);
  EXPECT_EQ(pdb->sequence_points(2).size(), kMostPoints);
  EXPECT_EQ(pdb->points_size(2), testing::points_blob(kMostPoints).size());
  EXPECT_EQ(loss(3), PointsLoss::kTooMany);
  EXPECT_EQ(loss(4), PointsLoss::kDamaged);
  EXPECT_EQ(loss(5), PointsLoss::kTooMany) << "of one line in too many documents";
  EXPECT_EQ(loss(6), PointsLoss::kNone) << "it has none";
  EXPECT_EQ(loss(7), PointsLoss::kDamaged) << "it names bytes that are not there";
  EXPECT_EQ(pdb->points_size(8), 0u);
}

// A name's parts may be empty, and one of them as long as the PDB.
TEST(PortablePdb, NamesAreBounded) {
  testing::MadePdb made;
  const size_t part = made.blob(Data(4096, 'x'));
  Data longest = {0};
  testing::number(longest, part);
  made.document(made.blob(longest));
  longest.push_back(0);
  made.document(made.blob(longest));
  testing::number(longest, part);
  made.document(made.blob(longest));
  made.document(made.blob(Data(1 << 20, 0)));
  made.document(made.name(std::string(1 << 20, 'x')));
  const Data bytes = made.bytes();
  const auto pdb = PortablePdb::read(bytes);
  ASSERT_TRUE(pdb);
  EXPECT_EQ(pdb->document(1)->path, std::string(4096, 'x'));
  EXPECT_EQ(pdb->document(2)->path, std::string(4096, 'x')) << "an empty part";
  for (uint32_t row = 3; row <= 5; ++row) EXPECT_EQ(pdb->document(row)->path, "") << row;
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

TEST(PortablePdb, WhereAMethodIsSuspended) {
  const TestPdb made;
  const auto pdb = PortablePdb::read(made.bytes);
  ASSERT_TRUE(pdb);
  const precompiled::Bytes steps = pdb->async_steps(2);
  EXPECT_EQ(Data(steps.begin(), steps.end()), TestPdb::kSteps);
  for (const uint32_t other : {0u, 1u, 3u, 4u, 0x00ffffffu}) EXPECT_TRUE(pdb->async_steps(other).empty());
}

}  // namespace
}  // namespace walkabout::pdb
