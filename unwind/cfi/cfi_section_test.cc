#include "unwind/cfi/cfi_section.h"

#include <gtest/gtest.h>

#include "unwind/cfi/cfi_test_section.h"

namespace walkabout::unwind {
namespace {

using testing::append;
using testing::Bytes;
using testing::CieShape;
using testing::kText;
using testing::SectionWriter;
using testing::uleb;

Fde only_fde(const CieShape& shape) {
  const SectionWriter writer = testing::one_function({0x00}, shape);
  Fde fde;
  EXPECT_EQ(find_fde(writer.section(), kText, &fde), CfiStatus::kOk) << shape.augmentation;
  return fde;
}

CfiStatus status_of(const CieShape& shape) {
  SectionWriter writer;
  const size_t fde_at = writer.fde(writer.cie(shape), kText, 256, {});
  Fde fde;
  return read_fde(writer.section(), fde_at, &fde);
}

TEST(CfiSection, ReadsACie) {
  const Fde fde = only_fde({});
  EXPECT_EQ(fde.begin, kText);
  EXPECT_EQ(fde.end, kText + 256);
  EXPECT_EQ(fde.cie.code_align, 1u);
  EXPECT_EQ(fde.cie.data_align, -8);
  EXPECT_EQ(fde.cie.return_column, 16);
  EXPECT_FALSE(fde.cie.signal_frame);
  EXPECT_EQ(fde.cie.instructions.size, 5u);
  EXPECT_EQ(fde.instructions.size, 1u);
}

TEST(CfiSection, Augmentations) {
  EXPECT_TRUE(only_fde({.augmentation = "zRS"}).cie.signal_frame);
  // P: a personality, here indirect pcrel sdata4; L: the encoding of the LSDA pointer.
  const Bytes plr = {0x9b, 1, 2, 3, 4, 0x1b, 0x1b};
  EXPECT_EQ(only_fde({.augmentation = "zPLR", .augmentation_data = plr}).begin, kText);
  EXPECT_EQ(only_fde({.augmentation = "zPLRB", .augmentation_data = plr}).begin, kText);
  EXPECT_EQ(only_fde({.augmentation = "zR", .augmentation_data = {0x1b, 9, 9}}).begin, kText)
      << "more data than letters";
}

TEST(CfiSection, Versions) {
  EXPECT_EQ(only_fde({.version = 3, .return_column = uleb(16)}).cie.return_column, 16);
  EXPECT_EQ(only_fde({.version = 4, .before_alignment = {8, 0}}).begin, kText);
  EXPECT_EQ(status_of({.version = 4, .before_alignment = {4, 0}}), CfiStatus::kMalformed)
      << "32-bit addresses";
  EXPECT_EQ(status_of({.version = 4, .before_alignment = {8, 1}}), CfiStatus::kMalformed) << "segments";
  EXPECT_EQ(status_of({.version = 2}), CfiStatus::kMalformed);
  EXPECT_EQ(status_of({.version = 5}), CfiStatus::kMalformed);
}

TEST(CfiSection, WideReturnColumnIsRefused) {
  EXPECT_EQ(status_of({.return_column = {17}}), CfiStatus::kMalformed);
  EXPECT_EQ(status_of({.version = 3, .return_column = uleb(uint64_t{1} << 40)}), CfiStatus::kMalformed);
}

TEST(CfiSection, UnknownAugmentationIsRefused) {
  EXPECT_EQ(status_of({.augmentation = "zXR"}), CfiStatus::kMalformed);
  EXPECT_EQ(status_of({.augmentation = "armcc+"}), CfiStatus::kMalformed);
  EXPECT_EQ(status_of({.augmentation = "zPLR", .augmentation_data = {0x9b, 1, 2}}), CfiStatus::kMalformed)
      << "cut";
}

Bytes absolute8(uint64_t pc, uint64_t) {
  Bytes bytes;
  append(bytes, pc);
  return bytes;
}

TEST(CfiSection, NoAugmentationMeansAbsolutePointers) {
  for (const char* augmentation : {"", "eh"}) {
    SectionWriter writer;
    const size_t cie = writer.cie({.augmentation = augmentation});
    writer.fde(cie, kText, 0, {0x00}, absolute8, absolute8(256, 0));
    Fde fde;
    ASSERT_EQ(find_fde(writer.section(), kText + 255, &fde), CfiStatus::kOk) << augmentation;
    EXPECT_EQ(fde.end, kText + 256);
  }
}

TEST(CfiSection, ExtendedLength) { EXPECT_EQ(only_fde({.extended_length = true}).begin, kText); }

TEST(CfiSection, LastBytesOfAFunctionBelongToIt) {
  const SectionWriter writer = testing::one_function({});
  Fde fde;
  EXPECT_EQ(find_fde(writer.section(), kText + 255, &fde), CfiStatus::kOk);
  EXPECT_EQ(find_fde(writer.section(), kText + 256, &fde), CfiStatus::kNoRule);
  EXPECT_EQ(find_fde(writer.section(), kText - 1, &fde), CfiStatus::kNoRule);
}

TEST(CfiSection, NothingBehindTheTerminator) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  writer.fde(cie, kText, 16, {});
  writer.terminator();
  writer.fde(cie, kText + 16, 16, {});
  Fde fde;
  EXPECT_EQ(find_fde(writer.section(), kText + 20, &fde), CfiStatus::kNoRule);
}

TEST(CfiSection, MalformedEntriesAreSkippedByALinearSearch) {
  SectionWriter writer;
  size_t cie = writer.cie({.augmentation = "zX"});
  writer.fde(cie, kText, 16, {});
  cie = writer.cie();
  writer.fde(cie, kText + 16, 16, {});
  Fde fde;
  EXPECT_EQ(find_fde(writer.section(), kText, &fde), CfiStatus::kNoRule);
  EXPECT_EQ(find_fde(writer.section(), kText + 16, &fde), CfiStatus::kOk);
}

TEST(CfiSection, CutAtEveryByte) {
  const SectionWriter writer = testing::one_function({0x41, 0x0e, 16}, {.augmentation = "zRS"});
  for (size_t size = 0; size + 4 < writer.bytes().size(); ++size) {
    const Bytes cut(writer.bytes().begin(), writer.bytes().begin() + static_cast<ptrdiff_t>(size));
    CfiSection section;
    section.frames = {cut.data(), cut.size(), SectionWriter::kAddress};
    Fde fde;
    EXPECT_NE(find_fde(section, kText, &fde), CfiStatus::kOk) << size;
  }
}

TEST(CfiSection, CiePointersThatLeadNowhere) {
  SectionWriter good;
  const size_t fde_at = good.fde(good.cie(), kText, 256, {});
  const auto here = static_cast<uint32_t>(fde_at + 4);
  // Before the section; to the middle of the CIE; to the FDE itself.
  for (const uint32_t back : {here + 1, uint32_t{0xffffffff}, here - 3, uint32_t{4}}) {
    SectionWriter writer = good;
    std::memcpy(writer.bytes().data() + fde_at + 4, &back, sizeof back);
    Fde fde;
    EXPECT_EQ(read_fde(writer.section(), fde_at, &fde), CfiStatus::kMalformed) << back;
  }
}

TEST(CfiSection, RangesThatWrapAreRefused) {
  SectionWriter writer;
  const size_t cie = writer.cie({.augmentation_data = {0x00}});
  const size_t fde_at = writer.fde(cie, kText, 0, {}, absolute8, absolute8(UINT64_MAX, 0));
  Fde fde;
  EXPECT_EQ(read_fde(writer.section(), fde_at, &fde), CfiStatus::kMalformed);
}

TEST(CfiSection, LengthsThatLieAreTheEnd) {
  SectionWriter writer = testing::one_function({});
  const uint32_t length = 0x7fffffff;
  std::memcpy(writer.bytes().data(), &length, sizeof length);
  Fde fde;
  size_t next = 1;
  EXPECT_EQ(read_fde(writer.section(), 0, &fde, &next), CfiStatus::kNoRule);
  EXPECT_EQ(next, 0u);
  EXPECT_EQ(read_fde(writer.section(), writer.bytes().size() + 100, &fde), CfiStatus::kNoRule);
}

// Many functions with holes between them, found through the sorted table.
TEST(CfiHeader, BinarySearchFindsEachFunctionAndNothingBetween) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  constexpr uint64_t kCount = 101;
  for (uint64_t i = 0; i < kCount; ++i) writer.fde(cie, kText + 32 * ((i * 37) % kCount), 20, {});
  const CfiSection section = writer.indexed();
  ASSERT_EQ(section.table_count, kCount);
  for (uint64_t i = 0; i < kCount; ++i) {
    Fde fde;
    const uint64_t begin = kText + 32 * i;
    EXPECT_EQ(find_fde(section, begin - 1, &fde), CfiStatus::kNoRule);
    ASSERT_EQ(find_fde(section, begin, &fde), CfiStatus::kOk);
    EXPECT_EQ(fde.begin, begin);
    EXPECT_EQ(find_fde(section, begin + 19, &fde), CfiStatus::kOk);
    EXPECT_EQ(find_fde(section, begin + 20, &fde), CfiStatus::kNoRule);
  }
}

TEST(CfiHeader, EmptyFunctionsHideNothing) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  writer.fde(cie, kText, 20, {});
  writer.fde(cie, kText, 0, {});
  writer.fde(cie, kText, 0, {});
  Fde fde;
  EXPECT_EQ(find_fde(writer.indexed(), kText + 5, &fde), CfiStatus::kOk);
}

TEST(CfiHeader, TablesOfOtherEncodings) {
  SectionWriter writer;
  const size_t cie = writer.cie();
  const size_t at = writer.fde(cie, kText, 16, {});
  writer.fde(cie, kText + 0x100, 16, {});
  Bytes& header = writer.header();
  header = {1, 0x1b, 0x04, 0x04};  // udata8: absolute, eight bytes
  append(header, static_cast<int32_t>(SectionWriter::kAddress - (SectionWriter::kHeaderAddress + 4)));
  append<uint64_t>(header, 1);
  append<uint64_t>(header, kText);
  append<uint64_t>(header, SectionWriter::kAddress + at);
  CfiSection section;
  ASSERT_TRUE(open_cfi(writer.mapped_header(), writer.mapped(), &section));
  Fde fde;
  EXPECT_EQ(find_fde(section, kText + 15, &fde), CfiStatus::kOk);
  EXPECT_EQ(find_fde(section, kText + 0x100, &fde), CfiStatus::kNoRule) << "not in the table";
}

TEST(CfiHeader, WithoutATableTheSearchIsLinear) {
  SectionWriter writer = testing::one_function({});
  writer.write_header();
  for (const size_t byte : {2, 3}) {
    Bytes header = writer.header();
    header[byte] = 0xff;  // omitted
    CfiSection section;
    ASSERT_TRUE(
        open_cfi({header.data(), header.size(), SectionWriter::kHeaderAddress}, writer.mapped(), &section));
    EXPECT_EQ(section.table_count, 0u);
    Fde fde;
    EXPECT_EQ(find_fde(section, kText, &fde), CfiStatus::kOk);
  }
}

TEST(CfiHeader, MalformedHeadersAreRefused) {
  SectionWriter writer = testing::one_function({});
  writer.write_header();
  const auto opens = [&](const Bytes& header) {
    CfiSection section;
    return open_cfi({header.data(), header.size(), SectionWriter::kHeaderAddress}, writer.mapped(), &section);
  };
  const Bytes good = writer.header();
  ASSERT_TRUE(opens(good));
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(opens(Bytes(good.begin(), good.begin() + static_cast<ptrdiff_t>(size)))) << size;
  }
  const auto with = [&](size_t at, std::initializer_list<uint8_t> bytes) {
    Bytes header = good;
    std::copy(bytes.begin(), bytes.end(), header.begin() + static_cast<ptrdiff_t>(at));
    return header;
  };
  EXPECT_FALSE(opens(with(0, {2}))) << "version";
  EXPECT_FALSE(opens(with(1, {0xff}))) << "no .eh_frame";
  EXPECT_FALSE(opens(with(4, {0, 0, 0, 0x40}))) << ".eh_frame outside";
  EXPECT_FALSE(opens(with(8, {2, 0, 0, 0}))) << "more entries than bytes";
  EXPECT_FALSE(opens(with(8, {0xff, 0xff, 0xff, 0xff}))) << "many more";
  EXPECT_FALSE(opens(with(3, {0xbb}))) << "an indirect table";
}

TEST(CfiHeader, EntriesThatLeadNowhereAreMalformed) {
  SectionWriter writer = testing::one_function({});
  const CfiSection section = writer.indexed();
  const size_t fde_field = writer.header().size() - 4;
  Fde fde;
  ASSERT_EQ(find_fde(section, kText, &fde), CfiStatus::kOk);
  for (const int32_t to : {0x7fffffff, -0x7fffffff, 0x10000}) {  // the last: the CIE
    std::memcpy(writer.header().data() + fde_field, &to, sizeof to);
    EXPECT_EQ(find_fde(section, kText, &fde), CfiStatus::kMalformed) << to;
  }
}

TEST(CfiHeader, EntriesMustGiveWhereTheirFunctionBegins) {
  SectionWriter writer = testing::one_function({});
  const CfiSection section = writer.indexed();
  const auto key = static_cast<int32_t>(kText - 1 - SectionWriter::kHeaderAddress);
  std::memcpy(writer.header().data() + section.table_offset, &key, sizeof key);
  Fde fde;
  EXPECT_EQ(find_fde(section, kText, &fde), CfiStatus::kMalformed);
}

}  // namespace
}  // namespace walkabout::unwind
