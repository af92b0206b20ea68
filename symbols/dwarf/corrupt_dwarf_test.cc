// DWARF that lies: whatever it says, reading it ends with lines or a loss, and the process that reads it for
// a recording is another one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "symbols/dwarf/dwarf_lines.h"
#include "symbols/dwarf/test_dwarf.h"
#include "symbols/native_lines.h"

namespace walkabout::symbols {
namespace {

constexpr int kRounds = 60;

struct Bytes {
  size_t begin, size;
};

std::string bytes_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Where the sections that are read lie in the file.
std::vector<Bytes> dwarf_sections(const ElfFile& file) {
  std::vector<Bytes> found;
  file.for_each_section([&found](const Section& s) {
    for (const char* name :
         {".debug_info", ".debug_abbrev", ".debug_line", ".debug_ranges", ".debug_rnglists", ".debug_str",
          ".debug_line_str", ".debug_addr", ".debug_str_offsets"}) {
      if (s.name == name && s.header.sh_size > 0) found.push_back({s.header.sh_offset, s.header.sh_size});
    }
  });
  return found;
}

class CorruptDwarf : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const ElfFile file = std::move(*ElfFile::open(testing::dwarf_path(GetParam())));
    good_ = bytes_of(testing::dwarf_path(GetParam()));
    sections_ = dwarf_sections(file);
    offsets_ = testing::own_code(file);
    hits_.module.code = base::CodeId(1);
    hits_.module.path = path_;
    hits_.offsets = offsets_;
  }
  void TearDown() override { std::filesystem::remove(path_); }

  // In another process, as it is done for a recording.
  std::optional<wire::NativeLines> lines(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    std::optional<wire::NativeLines> found;
    left_out_ = native_lines({hits_}, FileRoot(), {}, [&found](const auto& lines) { found = lines; });
    return found;
  }
  // Whatever is said fits together.
  void expect_whole(const wire::NativeLines& lines) const {
    ASSERT_EQ(lines.parent.size(), lines.function.size());
    ASSERT_EQ(lines.line.size(), lines.offset.size());
    for (size_t i = 0; i < lines.offset.size(); ++i) {
      EXPECT_TRUE(std::binary_search(offsets_.begin(), offsets_.end(), lines.offset[i]));
      EXPECT_LE(lines.document[i], lines.documents.size());
      EXPECT_LE(lines.call[i], lines.function.size());
    }
    for (size_t i = 0; i < lines.function.size(); ++i) EXPECT_LE(lines.parent[i], i);
  }
  uint64_t lost() const {
    uint64_t all = 0;
    for (size_t i = 0; i < static_cast<size_t>(NativeLoss::kCount); ++i)
      all += left_out_.addresses(static_cast<NativeLoss>(i));
    return all;
  }

  const std::string path_ = ::testing::TempDir() + "/corrupt-dwarf-" + std::to_string(::getpid()) + ".so";
  std::string good_;
  std::vector<Bytes> sections_;
  std::vector<uint32_t> offsets_;
  ModuleHits hits_;
  NativeLinesLeftOut left_out_;
};

TEST_P(CorruptDwarf, TheGoodFileHasLines) {
  const auto found = lines(good_);
  ASSERT_TRUE(found);
  EXPECT_GT(found->offset.size(), 500u);
  EXPECT_EQ(found->source, path_);
  EXPECT_EQ(lost(), 0u);
  EXPECT_TRUE(left_out_.sentences().empty());
}

TEST_P(CorruptDwarf, ChangedBytesAreSurvived) {
  std::mt19937 random(1);
  int with_lines = 0, with_loss = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = good_;
    const Bytes section = sections_[random() % sections_.size()];
    for (int i = 0; i < 8; ++i)
      bytes[section.begin + random() % std::min<size_t>(section.size, round % 2 == 0 ? 64 : section.size)] =
          static_cast<char>(random() % 3 == 0 ? 0xff : random());
    const auto found = lines(bytes);
    if (found) expect_whole(*found);
    with_lines += found.has_value();
    with_loss += lost() > 0;
  }
  EXPECT_GT(with_lines, 10);
  EXPECT_GT(with_loss, 10) << "what is damaged is counted";
}

TEST_P(CorruptDwarf, SectionsThatAreCutOffAreSurvived) {
  for (const Bytes& section : sections_) {
    std::string bytes = good_;
    std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(section.begin + section.size / 2), section.size / 2,
                '\0');
    if (const auto found = lines(bytes)) expect_whole(*found);
    std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(section.begin), section.size, '\xff');
    if (const auto found = lines(bytes)) expect_whole(*found);
  }
}

TEST_P(CorruptDwarf, ALossIsNamed) {
  std::string bytes = good_;
  std::memset(bytes.data() + sections_[0].begin, 0xff, std::min<size_t>(sections_[0].size, 200));
  lines(bytes);
  const std::vector<std::string> said = left_out_.sentences();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find(std::to_string(offsets_.size()) + " native addresses of corrupt-dwarf-"),
            std::string::npos)
      << said[0];
  EXPECT_NE(said[0].find("DWARF is damaged"), std::string::npos) << said[0];
}

TEST_P(CorruptDwarf, WhatIsUsedUpIsNamed) {
  std::ofstream(path_, std::ios::binary) << good_;
  NativeLineBudget nothing;
  nothing.cpu_us = 0;
  const auto unwanted = [](const wire::NativeLines&) { FAIL(); };
  EXPECT_EQ(native_lines({hits_}, FileRoot(), nothing, unwanted).addresses(NativeLoss::kUsedUp),
            offsets_.size());
  nothing = {};
  nothing.record_bytes = 0;
  EXPECT_EQ(native_lines({hits_}, FileRoot(), nothing, unwanted).addresses(NativeLoss::kRecordFull),
            offsets_.size());
}

// Those whose bytes lie in the file as they are.
std::vector<std::string> plain_variants() {
  std::vector<std::string> found;
  for (const std::string& name : testing::dwarf_variants()) {
    if (name.ends_with("-4") && name.find("split") == std::string::npos) found.push_back(name);
    if (name.ends_with("-5") && name.find("split") == std::string::npos) found.push_back(name);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Variants, CorruptDwarf, ::testing::ValuesIn(plain_variants()),
                         testing::variant_name);

}  // namespace
}  // namespace walkabout::symbols
