// Hostile sections: real ones with random bytes changed, and random bytes. Whatever they say, reading,
// compiling and stepping end, read nothing outside (the sanitizer builds tell), and table and interpreter
// stay of one mind.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_table.h"
#include "unwind/cfi/cfi_test_image.h"
#include "unwind/cfi/cfi_test_section.h"
#include "unwind/rule/cfi_step.h"

namespace walkabout::unwind {
namespace {

using testing::Bytes;
using testing::kText;
using testing::SectionWriter;

constexpr uint64_t kTextSize = 4096;

// Functions that use every kind of instruction.
SectionWriter varied_section() {
  SectionWriter writer;
  size_t cie = writer.cie({.augmentation = "zPLR", .augmentation_data = {0x9b, 1, 2, 3, 4, 0x1b, 0x1b}});
  for (uint64_t i = 0; i < 20; ++i) {
    writer.fde(
        cie, kText + 64 * i, 60,
        {0x41, 0x0e, 16,   0x86, 2,  0x43, 0x0d, 6,  0x0a, 0x4a, 0x83, 3, 0x2e, 8,  0x02, 20, 0xc6, 0x0c, 7,
         8,    0x41, 0x0b, 0x05, 12, 4,    0x14, 13, 2,    0x09, 14,   1, 0x07, 15, 0x11, 3,  0x7c});
  }
  cie = writer.cie({.augmentation = "zRS"});
  for (uint64_t i = 20; i < 30; ++i) {
    writer.fde(cie, kText + 64 * i, 64,
               {0x0f, 4,    0x77, 0xa0, 0x01, 0x06, 0x10, 16,   3, 0x77, 0xa8, 0x01, 0x48, 0x16, 3,
                2,    0x38, 0x1c, 0x0f, 8,    0x77, 8,    0x80, 0, 0x3f, 0x1a, 0x28, 0,    0});
  }
  writer.terminator();
  writer.write_header();
  return writer;
}

bool load_anything(void*, uint64_t address, void* to, size_t size) {
  if (address % 5 == 0) return false;
  std::memset(to, static_cast<int>(address), size);
  return true;
}

// Returns how many pcs have a rule.
size_t use(const CfiSection& section) {
  Memory memory;
  memory.slow = load_anything;
  const base::Result<CfiTable> table = CfiTable::compile(section);
  size_t found = 0;
  for (uint64_t pc = kText; pc < kText + kTextSize; pc += 13) {
    CfiRule rule;
    const bool interpreted = cfi_interpret(section, pc, &rule) == CfiStatus::kOk;
    const CompactRule* compact = table.ok() ? table->find(pc) : nullptr;
    Registers regs;
    regs.pc() = pc;
    regs.sp() = pc * 7;
    if (interpreted) (void)cfi_step(rule, regs, memory);
    if (compact != nullptr) (void)cfi_step(*compact, regs, memory);
    if (interpreted) ++found;
  }
  return found;
}

TEST(CfiHostile, ChangedBytes) {
  const SectionWriter good = varied_section();
  CfiSection section;
  ASSERT_TRUE(open_cfi(good.mapped_header(), good.mapped(), &section));
  EXPECT_EQ(use(section), 144u) << "as it is, the section has rules: 30 functions, each thirteenth pc";
  std::mt19937 random(11);
  size_t found = 0;
  for (int round = 0; round < 200; ++round) {
    SectionWriter writer = good;
    for (unsigned changes = 1 + random() % 6; changes > 0; --changes) {
      writer.bytes()[random() % writer.bytes().size()] = static_cast<uint8_t>(random());
    }
    if (round % 3 == 0) writer.header()[random() % writer.header().size()] = static_cast<uint8_t>(random());
    if (round % 2 == 0) {
      if (open_cfi(writer.mapped_header(), writer.mapped(), &section)) found += use(section);
    } else {
      found += use(writer.section());
    }
  }
  EXPECT_GT(found, 200u * 70) << "most functions of most sections must have survived";
}

TEST(CfiHostile, RandomBytes) {
  std::mt19937 random(13);
  for (int round = 0; round < 100; ++round) {
    SectionWriter writer;
    const size_t cie = writer.cie();
    Bytes instructions(random() % 200);
    for (uint8_t& byte : instructions) byte = static_cast<uint8_t>(random());
    writer.fde(cie, kText, kTextSize, instructions);
    use(writer.section());
    use(writer.indexed());
  }
}

TEST(CfiHostile, ChangedBytesOfLibc) {
  const testing::MappedElf libc(testing::system_library("libc.so.6"));
  ASSERT_TRUE(libc.ok());
  const CfiSection& real = libc.image().cfi;
  std::mt19937 random(17);
  for (int round = 0; round < 20; ++round) {
    Bytes frames(real.frames.data, real.frames.data + real.frames.size);
    Bytes header(real.header.data, real.header.data + real.header.size);
    for (int changes = 0; changes < 2000; ++changes) {
      frames[random() % frames.size()] = static_cast<uint8_t>(random());
      if (round % 2 == 0) header[12 + random() % (header.size() - 12)] = static_cast<uint8_t>(random());
    }
    CfiSection section = real;
    section.frames.data = frames.data();
    section.header.data = header.data();
    const base::Result<CfiTable> table = CfiTable::compile(section);
    ASSERT_TRUE(table.ok()) << table.message();
    EXPECT_GT(table->malformed_fdes(), 0u);
    for (int i = 0; i < 5000; ++i) {
      const uint64_t pc = real.code[0].address + random() % real.code[0].size;
      CfiRule rule;
      const bool interpreted = cfi_interpret(section, pc, &rule) == CfiStatus::kOk;
      const CompactRule* compact = table->find(pc);
      if (round % 2 == 0) continue;  // an index that is not sorted sends a binary search anywhere
      ASSERT_EQ(interpreted, compact != nullptr) << std::hex << pc - libc.bias();
      ASSERT_TRUE(!interpreted || same_rule(rule, compact->expand())) << std::hex << pc - libc.bias();
    }
  }
}

}  // namespace
}  // namespace walkabout::unwind
