// Line programs made by hand: what they say, and those that lie.
#include "symbols/dwarf/line_program.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace walkabout::symbols {
namespace {

void put(std::string& to, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; ++i) to.push_back(static_cast<char>(value >> 8 * i & 0xff));
}

// Opcodes from 13 on are special: with line_base -5 and line_range 14.
char special(int line, unsigned address) { return static_cast<char>(13 + (line + 5) + 14 * address); }

std::string set_address(uint64_t address) {
  std::string op("\0\x09\x02", 3);
  put(op, address, 8);
  return op;
}
const std::string kEndSequence("\0\x01\x01", 3);

// tables: as of this version.
std::string unit(uint16_t version, const std::string& tables, const std::string& program) {
  std::string header;
  put(header, 1, 1);                         // the shortest instruction
  if (version >= 4) put(header, 1, 1);       // operations of one
  put(header, 1, 1);                         // begins a statement
  put(header, static_cast<uint8_t>(-5), 1);  // line_base
  put(header, 14, 1), put(header, 13, 1);    // line_range, the first special opcode
  header += std::string("\0\1\1\1\1\0\0\0\1\0\0\1", 12);
  header += tables;
  std::string rest;
  put(rest, version, 2);
  if (version == 5) rest += std::string("\x08\0", 2);
  put(rest, header.size(), 4);
  rest += header + program;
  std::string all;
  put(all, rest.size(), 4);
  return all + rest;
}

const std::string kTables4("inc\0\0a.c\0\0\0\0b.h\0\1\0\0\0\0", 21);
// One folder and two files, with texts, folders and checksums.
const std::string kTables5 = std::string("\1\1\x08\2/made\0inc\0", 14) +
                             std::string("\3\1\x08\2\x0b\5\x1e\2a.c\0\0", 13) + std::string(16, 'A') +
                             std::string("b.h\0\1", 5) + std::string(16, 'B');

std::vector<LineRow> rows_of(const LineProgram& program, bool* whole = nullptr) {
  std::vector<LineRow> rows;
  const bool all = program.run([&rows](const LineRow& row) {
    rows.push_back(row);
    return rows.size() < 1000;
  });
  if (whole != nullptr) *whole = all;
  return rows;
}

std::string text_of(const LineRow& row) {
  std::ostringstream text;
  text << "0x" << std::hex << row.begin << "-0x" << row.end << " " << std::dec << row.line;
  return text.str();
}

TEST(LineProgram, RowsGoFromAddressToAddress) {
  const std::string bytes = unit(4, kTables4,
                                 set_address(0x1000) + special(4, 0) + special(1, 4) + "\x04\x02" +
                                     special(0, 2) + special(-3, 0) + "\x02\x10" + kEndSequence);
  const auto program = LineProgram::read({bytes, {}, {}}, 0, "/made");
  ASSERT_TRUE(program);
  bool whole = false;
  const std::vector<LineRow> rows = rows_of(*program, &whole);
  EXPECT_TRUE(whole);
  ASSERT_EQ(rows.size(), 3u) << "one of two at an address has no code";
  EXPECT_EQ(text_of(rows[0]), "0x1000-0x1004 5");
  EXPECT_EQ(text_of(rows[1]), "0x1004-0x1006 6");
  EXPECT_EQ(text_of(rows[2]), "0x1006-0x1016 3");
  EXPECT_EQ(rows[2].file, 2u);
  for (const LineRow& row : rows) EXPECT_EQ(row.sequence, 0x1000u);
}

TEST(LineProgram, EachSequenceHasItsBegin) {
  const std::string bytes =
      unit(2, kTables4,
           set_address(0) + special(1, 0) + special(1, 9) + kEndSequence + set_address(0x50) + special(1, 0) +
               special(0, 9) + special(0, 9) + kEndSequence);
  const std::vector<LineRow> rows = rows_of(*LineProgram::read({bytes, {}, {}}, 0, ""));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].sequence, 0u);
  EXPECT_EQ(rows[1].sequence, 0x50u);
  EXPECT_EQ(rows[2].sequence, 0x50u) << "of every row of it";
}

TEST(LineProgram, PathsAreCompleteInBothForms) {
  const std::string four = unit(4, kTables4, ""), five = unit(5, kTables5, "");
  const auto old = LineProgram::read({four, {}, {}}, 0, "/made");
  const auto now = LineProgram::read({five, {}, {}}, 0, "/made");
  ASSERT_TRUE(old && now);
  EXPECT_EQ(old->path(0), "");
  EXPECT_EQ(old->path(1), "/made/a.c");
  EXPECT_EQ(old->path(2), "/made/inc/b.h");
  EXPECT_EQ(old->path(3), "");
  EXPECT_EQ(old->md5(1), "");
  EXPECT_EQ(now->path(0), "/made/a.c");
  EXPECT_EQ(now->path(1), "/made/inc/b.h");
  EXPECT_EQ(now->md5(0), std::string(16, 'A'));
  EXPECT_EQ(now->md5(1), std::string(16, 'B'));
  EXPECT_EQ(now->md5(2), "");
}

TEST(LineProgram, DamagedHeadersHaveNone) {
  for (const std::string& good : {unit(4, kTables4, ""), unit(5, kTables5, "")}) {
    for (size_t size = 0; size < good.size(); ++size)
      EXPECT_FALSE(LineProgram::read({std::string_view(good).substr(0, size), {}, {}}, 0, "")) << size;
    EXPECT_FALSE(LineProgram::read({good, {}, {}}, good.size(), ""));
  }
  std::string other = unit(4, kTables4, "");
  other[4] = 6;
  EXPECT_FALSE(LineProgram::read({other, {}, {}}, 0, "")) << "a version that is not known";
  // A table of 2^63 entries that take no bytes.
  const std::string empty("\0\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10);
  EXPECT_FALSE(LineProgram::read({unit(5, empty, ""), {}, {}}, 0, ""));
}

TEST(LineProgram, LyingProgramsComeToAnEnd) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string program = set_address(0x1000) + special(1, 1) + special(2, 2) + kEndSequence;
    for (int i = 0; i < 40; ++i) program.push_back(static_cast<char>(random()));
    std::string bytes = unit(random() % 2 == 0 ? 4 : 5, random() % 2 == 0 ? kTables4 : kTables5, program);
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    const auto read = LineProgram::read({bytes, "line strings", "strings"}, 0, "/made");
    if (!read) continue;
    uint64_t rows = 0;
    read->run([&](const LineRow& row) {
      EXPECT_LT(row.begin, row.end);
      EXPECT_LE(read->path(row.file).size(), LineProgram::kLongestPath);
      return ++rows < 100'000;
    });
    EXPECT_LE(rows, bytes.size()) << "each row has its byte";
  }
}

}  // namespace
}  // namespace walkabout::symbols
