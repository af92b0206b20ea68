// Which PDB an image names, or has.
#include "pdb/debug_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "pdb/test_pdb.h"
#include "precompiled/metadata_tables.h"

namespace walkabout::pdb {
namespace {

using precompiled::PeLayout;
using testing::Data;
using testing::TestAssembly;
using testing::TestPdb;

TEST(DebugDirectory, NamesThePdbOfAnAnyCpuImage) {
  const TestAssembly made;
  const auto image = PeLayout::read(made.bytes);
  ASSERT_TRUE(image);
  const DebugDirectory debug(*image);
  EXPECT_EQ(debug.pdb_id(), testing::test_id());
  EXPECT_EQ(debug.pdb_path(), "/src/obj/Made.pdb");
  EXPECT_FALSE(debug.has_embedded_pdb());
  EXPECT_TRUE(debug.embedded_pdb().empty());
}

TEST(DebugDirectory, TheImagesVersionIsRead) {
  const TestAssembly made;
  const auto image = PeLayout::read(made.bytes);
  ASSERT_TRUE(image);
  const auto metadata = precompiled::Metadata::read(image->metadata());
  ASSERT_TRUE(metadata);
  const precompiled::Bytes version = metadata->module_version();
  EXPECT_EQ(std::string(version.begin(), version.end()), testing::kVersion);
  EXPECT_TRUE(metadata->pdb_stream().empty());
}

TEST(DebugDirectory, GivesAnEmbeddedPdb) {
  const Data pdb = TestPdb().bytes;
  const TestAssembly made(testing::test_id(), pdb);
  const DebugDirectory debug(*PeLayout::read(made.bytes));
  ASSERT_TRUE(debug.has_embedded_pdb());
  EXPECT_EQ(debug.embedded_pdb(), pdb);
}

// A compressed PDB that does not give the size it says is damaged.
TEST(DebugDirectory, ADamagedEmbeddedPdbIsNone) {
  const TestAssembly made(testing::test_id(), TestPdb().bytes);
  constexpr size_t kSizeField = 0x500 + 4;
  ASSERT_EQ(made.bytes[0x500], 'M');
  for (const int more : {-1, 1, 0x40}) {
    Data bytes = made.bytes;
    bytes[kSizeField] = static_cast<uint8_t>(bytes[kSizeField] + more);
    EXPECT_TRUE(DebugDirectory(*PeLayout::read(bytes)).embedded_pdb().empty()) << more;
  }
  Data huge = made.bytes;
  huge[kSizeField + 3] = 0x7f;
  EXPECT_TRUE(DebugDirectory(*PeLayout::read(huge)).embedded_pdb().empty()) << "no memory is taken for it";
}

// Broken by one byte of the PDB, or of the hash, that is another; not by its id, which other tools may write.
TEST(DebugDirectory, ThePdbsChecksumFits) {
  TestPdb made;
  const Data checksum = made.checksum();
  const auto fits = [](const Data& pdb, const Data& hash) {
    const TestAssembly assembly(testing::test_id(), {}, hash);
    return DebugDirectory(*PeLayout::read(assembly.bytes)).has_checksum_of(*PortablePdb::read(pdb));
  };
  EXPECT_TRUE(fits(made.bytes, checksum));
  EXPECT_TRUE(fits(made.bytes, {})) << "there is none";
  Data other = checksum;
  other.back() ^= 1;
  EXPECT_FALSE(fits(made.bytes, other));
  other.pop_back();
  EXPECT_FALSE(fits(made.bytes, other)) << "a part of it";
  Data changed = made.bytes;
  changed.back() ^= 1;
  EXPECT_FALSE(fits(changed, checksum));
  Data renamed = made.bytes;
  const PdbId id = testing::test_id();
  std::search(renamed.begin(), renamed.end(), id.begin(), id.end())[3] ^= 1;
  EXPECT_TRUE(fits(renamed, checksum));
}

TEST(DebugDirectory, AHashOfAnUnknownKindSaysNothing) {
  TestAssembly made(testing::test_id(), {}, Data(16, 1));
  const std::string kind = "SHA256";
  const auto at = std::search(made.bytes.begin(), made.bytes.end(), kind.begin(), kind.end());
  ASSERT_NE(at, made.bytes.end());
  const TestPdb pdb;
  EXPECT_FALSE(DebugDirectory(*PeLayout::read(made.bytes)).has_checksum_of(*PortablePdb::read(pdb.bytes)));
  at[0] = 'X';
  EXPECT_TRUE(DebugDirectory(*PeLayout::read(made.bytes)).has_checksum_of(*PortablePdb::read(pdb.bytes)));
}

TEST(DebugDirectory, SurvivesAnyByte) {
  const TestPdb pdb;
  const Data whole = TestAssembly(testing::test_id(), pdb.bytes, pdb.checksum()).bytes;
  const auto read = PortablePdb::read(pdb.bytes);
  std::mt19937 random(2);
  for (int i = 0; i < 20'000; ++i) {
    Data bytes = whole;
    const size_t size = i % 2 == 0 ? 0x700 : 0x200;
    for (int n = 0; n < 3; ++n) bytes[random() % size] = static_cast<uint8_t>(random());
    const auto image = PeLayout::read(bytes);
    if (!image) continue;
    const DebugDirectory debug(*image);
    EXPECT_LE(debug.pdb_path().size(), 4096u);
    debug.embedded_pdb();
    debug.has_checksum_of(*read);
  }
}

}  // namespace
}  // namespace walkabout::pdb
