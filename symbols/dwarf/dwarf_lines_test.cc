// Lines and inlined functions of real DWARF: address by address what addr2line says.
#include "symbols/dwarf/dwarf_lines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>

#include "base/md5.h"
#include "symbols/dwarf/debug_info.h"
#include "symbols/dwarf/test_dwarf.h"
#include "wire/encode.h"

namespace walkabout::symbols {
namespace {

using testing::dwarf_path;
using testing::own_code;

// One of an address's frames: where it is, and of those that were inlined which function.
struct At {
  std::string function, path;
  uint64_t line = 0;
  bool operator==(const At&) const = default;
};
using Chain = std::vector<At>;  // innermost first, as addr2line has it

std::ostream& operator<<(std::ostream& out, const Chain& chain) {
  for (const At& at : chain) out << at.function << " " << at.path << ":" << at.line << "; ";
  return out;
}

std::string one_path(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
}

// The outermost has no function: its name is the symbol table's.
std::map<uint32_t, Chain> chains_of(const wire::NativeLines& lines) {
  std::map<uint32_t, Chain> all;
  const auto path = [&lines](uint64_t document) {
    return document == 0 ? "" : one_path(lines.documents[document - 1].path);
  };
  for (size_t i = 0; i < lines.offset.size(); ++i) {
    Chain& chain = all[static_cast<uint32_t>(lines.offset[i])];
    At at{"", path(lines.document[i]), lines.line[i]};
    for (uint64_t call = lines.call[i]; call != 0; call = lines.parent[call - 1]) {
      const wire::NativeFunction& function = lines.functions[lines.function[call - 1] - 1];
      at.function = function.raw_name.empty() ? function.name : function.raw_name;
      chain.push_back(at);
      at = {"", path(lines.call_document[call - 1]), lines.call_line[call - 1]};
    }
    chain.push_back(at);
  }
  return all;
}

DwarfLines read(const DebugInfo& info, std::span<const uint32_t> offsets, DwarfLimits limits = {}) {
  return read_dwarf_lines(info.file.elf(), info.shared ? info.shared->elf() : nullptr, offsets,
                          std::filesystem::path(info.place).parent_path().string(), limits);
}

std::optional<DebugInfo> debug_info(const std::string& variant) {
  return find_debug_info(dwarf_path(variant), "", FileRoot());
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> out(::popen(command.c_str(), "r"), ::pclose);
  std::string text(1 << 16, '\0'), all;
  while (const size_t n = out == nullptr ? 0 : std::fread(text.data(), 1, text.size(), out.get()))
    all.append(text, 0, n);
  return all;
}

// "0x…" for each address, then two lines for each of its frames.
std::map<uint32_t, Chain> said_by(const std::string& tool, const std::string& file,
                                  const std::vector<uint32_t>& addresses) {
  const std::string list = ::testing::TempDir() + "/addresses." + std::to_string(::getpid());
  {
    std::ofstream out(list);
    for (const uint32_t address : addresses) out << "0x" << std::hex << address << "\n";
  }
  std::istringstream said(output_of(tool + " -a -i -f -e " + file + " < " + list));
  std::map<uint32_t, Chain> all;
  Chain* chain = nullptr;
  for (std::string line; std::getline(said, line);) {
    if (line.starts_with("0x")) {
      chain = &all[static_cast<uint32_t>(std::stoul(line, nullptr, 16))];
      continue;
    }
    At at{line, "", 0};
    std::getline(said, line);
    const size_t colon = line.rfind(':');
    if (line.substr(0, colon) != "??") at.path = one_path(line.substr(0, colon));
    at.line = static_cast<uint64_t>(std::atoi(line.c_str() + colon + 1));  // "?" is 0
    if (at.line == 0) at.path.clear();
    chain->push_back(at);
  }
  for (auto& [address, frames] : all) {
    if (!frames.empty()) frames.back().function.clear();
  }
  return all;
}

class DwarfVariants : public ::testing::TestWithParam<std::string> {};

TEST_P(DwarfVariants, SaysWhatAddr2LineSays) {
  if (output_of("llvm-addr2line --version 2>/dev/null").empty()) GTEST_SKIP() << "there is no addr2line";
  const auto info = debug_info(GetParam());
  ASSERT_TRUE(info);
  const std::vector<uint32_t> addresses = own_code(info->file);
  const DwarfLines found = read(*info, addresses);
  EXPECT_EQ(found.lost, NativeLosses{});
  const auto ours = chains_of(found.lines);
  // It does not know what dwz makes, but what that was made of.
  const std::string judged = GetParam() == "dwz" ? testing::kDwarf + "/dwz/plain.so" : info->place;
  const auto theirs = said_by("llvm-addr2line", judged, addresses);
  ASSERT_EQ(theirs.size(), addresses.size());
  size_t known = 0, differ = 0, inlined = 0;
  for (const uint32_t address : addresses) {
    const Chain& expected = theirs.at(address);
    const auto is = ours.find(address);
    const Chain chain = is == ours.end() ? Chain{{}} : is->second;
    known += chain.front().line != 0;
    inlined += chain.size() > 1;
    if (chain == expected) continue;
    if (++differ <= 10)
      ADD_FAILURE() << std::hex << address << std::dec << ": " << chain << "\naddr2line: " << expected;
  }
  EXPECT_EQ(differ, 0u) << "of " << addresses.size();
  EXPECT_GT(known, 500u);
  EXPECT_GT(inlined, 200u);
}

// Code that no line is of: what the linker and the C library have put in front. The function that the linker
// has removed is said to lie there, and addr2line believes it.
TEST_P(DwarfVariants, RemovedFunctionsHaveNoLines) {
  const auto info = debug_info(GetParam());
  ASSERT_TRUE(info);
  const Section init = info->file.section(".init");
  ASSERT_NE(init.scn, nullptr);
  std::vector<uint32_t> addresses;
  for (uint64_t at = 0; at < init.header.sh_size; ++at)
    addresses.push_back(static_cast<uint32_t>(init.header.sh_addr + at));
  const DwarfLines found = read(*info, addresses);
  EXPECT_EQ(found.lost, NativeLosses{});
  EXPECT_TRUE(found.lines.offset.empty());
}

TEST_P(DwarfVariants, OfWhatWasHitNothingElseIsKept) {
  const auto info = debug_info(GetParam());
  ASSERT_TRUE(info);
  const std::vector<uint32_t> all = own_code(info->file);
  const auto of_all = chains_of(read(*info, all).lines);
  for (size_t i = 0; i < all.size(); i += 97) {
    const std::vector<uint32_t> one{all[i]};
    const auto of_one = chains_of(read(*info, one).lines);
    const auto expected = of_all.find(all[i]);
    if (expected == of_all.end())
      EXPECT_TRUE(of_one.empty());
    else
      EXPECT_EQ(of_one.at(all[i]), expected->second);
    EXPECT_LE(of_one.size(), 1u);
  }
}

TEST(DwarfLines, FilesHaveTheirChecksums) {
  const auto variants = testing::dwarf_variants();
  if (std::find(variants.begin(), variants.end(), "clang++-5") == variants.end())
    GTEST_SKIP() << "no compiler here writes checksums";
  const auto info = debug_info("clang++-5");
  const DwarfLines found = read(*info, own_code(info->file));
  ASSERT_EQ(found.lines.documents.size(), 2u);
  for (const wire::Document& document : found.lines.documents) {
    EXPECT_EQ(document.hash_kind, wire::HashKind::kMd5);
    std::ifstream in(document.path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(document.hash, base::md5({reinterpret_cast<const uint8_t*>(text.data()), text.size()}))
        << document.path;
  }
}

TEST(DwarfLines, WhatHasNoRoomIsCounted) {
  const auto info = debug_info(testing::dwarf_variants().at(0));
  const std::vector<uint32_t> all = own_code(info->file);
  DwarfLimits limits;
  limits.record_bytes = 2000;
  const size_t with_lines = read(*info, all).lines.offset.size();
  EXPECT_GT(with_lines, 500u);
  const DwarfLines little = read(*info, all, limits);
  std::string bytes;
  wire::encode(little.lines, bytes);
  EXPECT_LE(bytes.size(), 2000u);
  EXPECT_GT(little.lines.offset.size(), 10u);
  EXPECT_GE(little.lost[static_cast<size_t>(NativeLoss::kRecordFull)],
            with_lines - little.lines.offset.size());
  limits = {};
  limits.steps.left = 50;
  const DwarfLines few = read(*info, all, limits);
  EXPECT_EQ(few.lost[static_cast<size_t>(NativeLoss::kUsedUp)], all.size());
}

// Others could put anything at the path at which libdw would open it.
TEST(DwarfLines, SplitFilesThatOthersCouldReplaceAreNotOpened) {
  const auto variants = testing::dwarf_variants();
  if (std::find(variants.begin(), variants.end(), "g++-split-5") == variants.end())
    GTEST_SKIP() << "no compiler here splits DWARF";
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "everybodys";
  fs::remove_all(folder);
  fs::copy(fs::path(dwarf_path("g++-split-5")).parent_path(), folder);
  const auto info = find_debug_info((folder / "inlined.so").string(), "", FileRoot());
  ASSERT_TRUE(info);
  const std::vector<uint32_t> all = own_code(info->file);
  EXPECT_FALSE(read(*info, all).lines.functions.empty());
  fs::permissions(folder, fs::perms::all);
  const DwarfLines found = read(*info, all);
  fs::remove_all(folder);
  EXPECT_TRUE(found.lines.functions.empty());
  EXPECT_GT(found.lines.offset.size(), 500u) << "lines are in the image";
  EXPECT_GT(found.lost[static_cast<size_t>(NativeLoss::kLacksPart)], 500u);
}

TEST(DwarfLines, ASharedFileThatIsNotThereIsSaid) {
  const auto variants = testing::dwarf_variants();
  if (std::find(variants.begin(), variants.end(), "dwz") == variants.end()) GTEST_SKIP() << "there is no dwz";
  namespace fs = std::filesystem;
  const fs::path alone = fs::path(::testing::TempDir()) / "alone.so";
  fs::copy_file(dwarf_path("dwz"), alone, fs::copy_options::overwrite_existing);
  const auto info = find_debug_info(alone.string(), "", FileRoot());
  ASSERT_TRUE(info);
  EXPECT_TRUE(info->lacks_shared);
  fs::remove(alone);
}

TEST(DwarfLines, AFileWithoutDwarfHasNone) {
  EXPECT_FALSE(find_debug_info("/proc/self/exe/none", "", FileRoot()));
  EXPECT_FALSE(find_debug_info("relative.so", "", FileRoot()));
  const std::string path = dwarf_path(testing::dwarf_variants().at(0));
  EXPECT_TRUE(find_debug_info(path, ElfFile::open(path)->build_id(), FileRoot()));
  EXPECT_FALSE(find_debug_info(path, std::string(20, 'x'), FileRoot())) << "it is another build";
}

INSTANTIATE_TEST_SUITE_P(Sample, DwarfVariants, ::testing::ValuesIn(testing::dwarf_variants()),
                         testing::variant_name);

}  // namespace
}  // namespace walkabout::symbols
