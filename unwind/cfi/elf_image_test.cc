#include "unwind/cfi/elf_image.h"

#include <gtest/gtest.h>
#include <link.h>

#include <cstring>
#include <string>
#include <vector>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_test_image.h"
#include "unwind/cfi/cfi_test_section.h"

namespace walkabout::unwind {
namespace {

using testing::append;
using testing::Bytes;
using testing::SectionWriter;

constexpr uint64_t kSize = 0x3000;
constexpr uint64_t kNote = 0x200;     // in the read-only segment [0, 0x1000)
constexpr uint64_t kHeader = 0x300;   // .eh_frame_hdr
constexpr uint64_t kCode = 0x1000;    // executable [0x1000, 0x2000)
constexpr uint64_t kFrames = 0x2000;  // .eh_frame, in a segment of its own [0x2000, 0x3000)
const Bytes kBuildId = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

// An image made by hand, laid out as if loaded.
class ElfImageTest : public ::testing::Test {
 protected:
  ElfImageTest() : bytes_(kSize) {
    headers_ = {segment(0, 0x1000, PF_R), segment(kCode, 0x1000, PF_R | PF_X), segment(kFrames, 0x1000, PF_R),
                header(PT_NOTE, kNote, 64, 4), header(PT_GNU_EH_FRAME, kHeader, 64, 4)};
    put_note(kNote, "other", 3, {9, 9});
    put_note(kNote + 12 + 8 + 4, "GNU", NT_GNU_BUILD_ID, kBuildId);
    put_frames();
  }

  static Elf64_Phdr header(uint32_t type, uint64_t address, uint64_t size, uint64_t align) {
    Elf64_Phdr h{};
    h.p_type = type;
    h.p_flags = PF_R;
    h.p_vaddr = address;
    h.p_filesz = h.p_memsz = size;
    h.p_align = align;
    return h;
  }
  static Elf64_Phdr segment(uint64_t address, uint64_t size, uint32_t flags) {
    Elf64_Phdr h = header(PT_LOAD, address, size, 4096);
    h.p_flags = flags;
    return h;
  }
  void put(uint64_t at, const Bytes& bytes) {
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<ptrdiff_t>(at));
  }
  void put_note(uint64_t at, const std::string& name, uint32_t type, const Bytes& descriptor) {
    Bytes note;
    append<uint32_t>(note, static_cast<uint32_t>(name.size() + 1));
    append<uint32_t>(note, static_cast<uint32_t>(descriptor.size()));
    append<uint32_t>(note, type);
    for (const char c : name) note.push_back(static_cast<uint8_t>(c));
    note.resize(12 + (name.size() + 4) / 4 * 4);
    testing::append_all(note, descriptor);
    put(at, note);
  }
  // One function, the first 16 bytes of the code; pcrel pointers do not care where the image lies.
  void put_frames() {
    SectionWriter writer;
    const uint64_t text = SectionWriter::kAddress - (kFrames - kCode);
    writer.fde(writer.cie(), text, 16, {});
    writer.terminator();
    put(kFrames, writer.bytes());
    Bytes eh_header = {1, 0x1b, 0xff, 0xff};
    append(eh_header, static_cast<int32_t>(kFrames - (kHeader + 4)));
    put(kHeader, eh_header);
  }

  uint64_t base() const { return reinterpret_cast<uint64_t>(bytes_.data()); }
  bool read() {
    const LoadedElf loaded{base(), headers_};
    return read_elf_image(loaded, testing::memory_of(bytes_.data(), bytes_.size()), &image_);
  }

  std::vector<uint8_t> bytes_;
  std::vector<Elf64_Phdr> headers_;
  ElfImage image_;
};

TEST_F(ElfImageTest, ReadsALoadedImage) {
  ASSERT_TRUE(read());
  EXPECT_EQ(image_.bias, base());
  EXPECT_EQ(image_.begin, base());
  EXPECT_EQ(image_.end, base() + kSize);
  ASSERT_EQ(image_.code_count, 1u);
  EXPECT_EQ(image_.code[0].begin, base() + kCode);
  EXPECT_EQ(image_.code[0].end, base() + kCode + 0x1000);
  EXPECT_EQ(Bytes(image_.build_id, image_.build_id + image_.build_id_size), kBuildId);
  CfiRule rule;
  EXPECT_EQ(cfi_interpret(image_.cfi, base() + kCode + 15, &rule), CfiStatus::kOk);
  EXPECT_EQ(cfi_interpret(image_.cfi, base() + kCode + 16, &rule), CfiStatus::kNoRule);
  EXPECT_EQ(image_.cfi.code[0].address, base() + kCode);
  EXPECT_EQ(image_.cfi.frames.size, 0x1000u) << "to the end of its segment";
}

TEST_F(ElfImageTest, CodeSegmentsAscendAndAreBounded) {
  headers_.push_back(segment(0x800, 0x100, PF_R | PF_X));
  for (int i = 0; i < 6; ++i) headers_.push_back(segment(0x900, 0x10, PF_R | PF_X));
  ASSERT_TRUE(read());
  EXPECT_EQ(image_.code_count, kMaxCodeSpans);
  EXPECT_EQ(image_.code[0].begin, base() + 0x800);
}

TEST_F(ElfImageTest, CodeThatCannotBeReadIsStillCode) {
  headers_[1].p_flags = PF_X;
  ASSERT_TRUE(read());
  EXPECT_EQ(image_.code_count, 1u);
  EXPECT_EQ(image_.cfi.code[0].size, 0u) << "but nobody may look for PLT stubs in it";
}

TEST_F(ElfImageTest, CodeThatIsNotMappedIsStillCode) {
  std::swap(headers_[1], headers_[2]);
  headers_[2].p_memsz = headers_[2].p_filesz = 0x3000;  // its last page is not there
  ASSERT_TRUE(read());
  EXPECT_EQ(image_.code_count, 1u);
  EXPECT_FALSE(image_.cfi.empty());
  EXPECT_EQ(image_.cfi.code[0].size, 0u) << "but nobody may look for PLT stubs in it";
}

TEST_F(ElfImageTest, NoCodeIsNoImage) {
  headers_[1].p_flags = PF_R;
  EXPECT_FALSE(read());
  headers_.clear();
  EXPECT_FALSE(read());
}

TEST_F(ElfImageTest, CallFrameInformationOutsideReadableSegmentsIsLeftOut) {
  for (const uint64_t at : {uint64_t{0x100000}, uint64_t{0} - base(), UINT64_MAX - base()}) {
    headers_[4].p_vaddr = at;
    ASSERT_TRUE(read());
    EXPECT_TRUE(image_.cfi.empty()) << at;
  }
  headers_[4].p_vaddr = kHeader;
  headers_[2].p_flags = 0;
  ASSERT_TRUE(read());
  EXPECT_TRUE(image_.cfi.empty()) << ".eh_frame in a segment that is not readable";
}

TEST_F(ElfImageTest, SegmentsThatAreNotMappedAreLeftOut) {
  headers_[2].p_memsz = headers_[2].p_filesz = 0x2000;  // its second page is not there
  ASSERT_TRUE(read());
  EXPECT_TRUE(image_.cfi.empty());
}

TEST_F(ElfImageTest, OnlyTheFilesPartOfASegmentIsRead) {
  headers_[2].p_filesz = 8;
  ASSERT_TRUE(read());
  EXPECT_EQ(image_.cfi.frames.size, 8u);
}

TEST_F(ElfImageTest, HeadersThatWrapAreIgnored) {
  headers_[2].p_memsz = headers_[2].p_filesz = UINT64_MAX;
  ASSERT_TRUE(read());
  EXPECT_TRUE(image_.cfi.empty());
  EXPECT_EQ(image_.end, base() + 0x2000);
}

TEST_F(ElfImageTest, NotesThatLieGiveNoBuildId) {
  put(kNote, {0xff, 0xff, 0xff, 0xff});  // a name of 4 GiB
  ASSERT_TRUE(read());
  EXPECT_EQ(image_.build_id_size, 0u);
  put_note(kNote, "GNU", NT_GNU_BUILD_ID, Bytes(49));  // one byte more than there is room for
  ASSERT_TRUE(read());
  EXPECT_EQ(image_.build_id_size, 0u) << "a descriptor that ends behind the notes";
  headers_[3].p_filesz = 4096;
  put_note(kNote, "GNU", NT_GNU_BUILD_ID, Bytes(kMaxBuildId + 1));
  ASSERT_TRUE(read());
  EXPECT_EQ(image_.build_id_size, 0u) << "longer than build ids are";
}

TEST_F(ElfImageTest, NotesOutsideTheImageAreNotRead) {
  headers_[3].p_vaddr = 0x100000;
  ASSERT_TRUE(read());
  EXPECT_EQ(image_.build_id_size, 0u);
}

TEST_F(ElfImageTest, EightByteNotes) {
  bytes_.assign(bytes_.size(), 0);
  headers_[3].p_align = 8;
  put_note(kNote, "GNU", 5, {1, 1, 1, 1});  // a property note: 16 + 4, padded to 24
  put_note(kNote + 24, "GNU", NT_GNU_BUILD_ID, kBuildId);
  ASSERT_TRUE(read());
  EXPECT_EQ(image_.build_id_size, kBuildId.size());
}

struct Seen {
  size_t images = 0;
  size_t with_cfi = 0;
  size_t with_build_id = 0;
};

int look_at(dl_phdr_info* info, size_t, void* context) {
  auto* seen = static_cast<Seen*>(context);
  const LoadedElf loaded{info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}};
  Memory all;  // every segment the loader reports is there
  all.hi = UINT64_MAX;
  ElfImage image;
  EXPECT_TRUE(read_elf_image(loaded, all, &image)) << info->dlpi_name;
  ++seen->images;
  if (!image.cfi.empty() && image.cfi.table_count > 0) ++seen->with_cfi;
  if (image.build_id_size == 20) ++seen->with_build_id;
  return 0;
}

TEST(ElfImage, EverythingLoadedInThisProcess) {
  Seen seen;
  ::dl_iterate_phdr(look_at, &seen);
  EXPECT_GE(seen.images, 4u) << "this program, libc, the loader, the vDSO";
  EXPECT_EQ(seen.with_cfi, seen.images);
  EXPECT_GE(seen.with_build_id, 3u);
}

}  // namespace
}  // namespace walkabout::unwind
