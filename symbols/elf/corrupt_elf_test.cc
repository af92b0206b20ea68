// Files that lie: whatever a file says about itself, reading it ends with names or an error.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "symbols/elf/elf_symbols.h"
#include "symbols/elf/test_sample.h"

namespace walkabout::symbols {
namespace {

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Opens the bytes as a file and asks for names all over it; returns how many were found.
int survive(const std::string& bytes) {
  const std::string path = ::testing::TempDir() + "/corrupt-" + std::to_string(getpid()) + ".so";
  std::ofstream(path, std::ios::binary) << bytes;
  const auto symbols = ElfSymbols::open(path, "", FileRoot());
  std::filesystem::remove(path);
  if (!symbols.ok()) return 0;
  int found = 0;
  for (uint32_t offset = 0; offset < 0x4000; offset += 61) {
    if (const auto symbol = symbols->find(offset)) {
      EXPECT_LE(symbol->begin, offset);
      EXPECT_GT(symbol->end, offset);
      ++found;
    }
  }
  return found;
}

class CorruptElf : public ::testing::TestWithParam<const char*> {
 protected:
  const std::string good_ = contents(testing::kSamples + GetParam());
};

TEST_P(CorruptElf, GoodFileHasNames) { EXPECT_GT(survive(good_), 0); }

TEST_P(CorruptElf, CutOffAnywhere) {
  for (size_t size = 0; size < good_.size(); size += 1 + good_.size() / 150) survive(good_.substr(0, size));
}

TEST_P(CorruptElf, FlippedBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = good_;
    for (int i = 0; i < 8; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    survive(bytes);
  }
}

// The headers hold every offset, size and count.
TEST_P(CorruptElf, LyingHeaders) {
  std::mt19937 random(2);
  uint64_t sections = 0;
  std::memcpy(&sections, good_.data() + offsetof(Elf64_Ehdr, e_shoff), sizeof sections);
  ASSERT_LT(sections, good_.size());
  const uint64_t values[] = {
      0, 1, 0x7fffffff, 0xffffffff, ~uint64_t{0}, uint64_t{1} << 63, good_.size(), good_.size() - 1};
  for (int round = 0; round < 600; ++round) {
    std::string bytes = good_;
    for (int i = 0; i < 2; ++i) {
      const size_t place =
          random() % 4 == 0 ? 16 + random() % 48 : sections + random() % (good_.size() - sections - 8);
      const uint64_t value = values[random() % std::size(values)];
      std::memcpy(bytes.data() + place, &value, random() % 2 == 0 ? 4 : 8);
    }
    survive(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, CorruptElf, ::testing::Values("/whole/sample.so", "/stripped/sample.so"),
                         [](const auto& variant) { return variant.index == 0 ? "Whole" : "Stripped"; });

}  // namespace
}  // namespace walkabout::symbols
