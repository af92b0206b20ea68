// The bytes of records, by hand: field numbers and column encodings are part of the format
// (recording/format.md) and must not drift. recording/decode_test.cc reads every record back.
#include "wire/encode.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace walkabout::wire {
namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int v : values) out.push_back(static_cast<char>(v));
  return out;
}

template <typename Record>
std::string encoded(const Record& record) {
  std::string out;
  encode(record, out);
  return out;
}

TEST(Encode, FramesARecordByItsLengthAndType) {
  // length 4; field 13 (End), wire type 2; length 2; field 1 varint 7
  EXPECT_EQ(encoded(End{7}), bytes({4, 13 << 3 | 2, 2, 1 << 3, 7}));
}

TEST(Encode, KeepsARecordWhoseFieldsAreAllLeftOut) {
  EXPECT_EQ(encoded(End{0}), bytes({2, 13 << 3 | 2, 0}));
  EXPECT_EQ(encoded(Counters{}), bytes({2, 11 << 3 | 2, 0}));
}

TEST(Encode, Appends) {
  std::string out = "x";
  encode(End{7}, out);
  EXPECT_EQ(out, "x" + encoded(End{7}));
}

TEST(Encode, LengthsBeyondOneByte) {
  Message message;
  message.text = std::string(300, 'a');
  const std::string out = encoded(message);
  // text: tag + 2 bytes length + 300; message: tag + 2 bytes length + 303
  EXPECT_EQ(out.substr(0, 8), bytes({0xb2, 0x02, 12 << 3 | 2, 0xaf, 0x02, 3 << 3 | 2, 0xac, 0x02}));
  EXPECT_EQ(out.size(), 2u + 306u);
}

TEST(Encode, WritesDefaultsThatAreNotZero) {
  EXPECT_EQ(encoded(Oracle{}), bytes({4, 9 << 3 | 2, 2, 8 << 3, 1}));
  Oracle unseeded;
  unseeded.seeded = false;
  EXPECT_EQ(encoded(unseeded), bytes({4, 9 << 3 | 2, 2, 8 << 3, 0}));
  NativeSymbols missing;
  missing.found = false;
  EXPECT_EQ(encoded(missing), bytes({4, 14 << 3 | 2, 2, 3 << 3, 0}));
}

TEST(Encode, NodesInColumns) {
  Nodes nodes;
  nodes.parent = {0, 10, 5};
  nodes.frame = {Frame::in_code(FrameKind::kNative, base::CodeId(2), 300),
                 Frame::in_code(FrameKind::kJitted, base::CodeId(3), 4),
                 Frame::at_address(FrameKind::kStub, 0x10)};
  std::string out;
  encode(nodes, 10, out);
  EXPECT_EQ(out,
            bytes({19,         7 << 3 | 2, 17,                          //
                   1 << 3 | 2, 3,          20,         2,          14,  // 10 - 0, 11 - 10, 12 - 5 in zigzag
                   2 << 3 | 2, 4,          2 << 4 | 1, 3 << 4 | 3, 0x84, 0x02,  // 0x10 << 4 | 4
                   3 << 3 | 2, 4,          0xac,       0x02,       4,    0}));
}

TEST(Encode, SamplesInColumnsOfDifferences) {
  Samples samples;
  samples.thread = base::ThreadId(5);
  samples.time_us = {100, 103};
  samples.values = {9, 8};
  samples.stack = {base::StackId(4), base::StackId(1)};
  samples.end = {WalkEnd::kRooted, WalkEnd::kRooted};
  samples.flags = {0, 0};
  const std::string common =
      bytes({1 << 3, 5, 2 << 3 | 2, 2, 100, 3, 3 << 3 | 2, 2, 9, 8, 4 << 3 | 2, 2, 8, 5});
  EXPECT_EQ(encoded(samples), bytes({16, 8 << 3 | 2, 14}) + common);

  samples.end[1] = WalkEnd::kBadReturn;
  samples.flags[0] = static_cast<uint8_t>(SampleFlag::kInGc);
  EXPECT_EQ(encoded(samples),
            bytes({24, 8 << 3 | 2, 22}) + common + bytes({5 << 3 | 2, 2, 0, 3, 6 << 3 | 2, 2, 1, 0}));
}

TEST(Encode, CountersKeepTheirZeroDrops) {
  Counters counters;
  counters.drops = {0, 2, 0};
  EXPECT_EQ(encoded(counters), bytes({7, 11 << 3 | 2, 5, 4 << 3 | 2, 3, 0, 2, 0}));
}

TEST(Encode, SymbolsAreNested) {
  NativeSymbols symbols;
  symbols.module = base::CodeId(1);
  symbols.symbols = {{.begin = 1, .end = 2, .name = "f", .raw_name = "", .approximate = true}, {}};
  EXPECT_EQ(encoded(symbols), bytes({19,         14 << 3 | 2,
                                     17,         1 << 3,
                                     1,          3 << 3,
                                     1,  //
                                     5 << 3 | 2, 9,
                                     1 << 3,     1,
                                     2 << 3,     2,
                                     3 << 3 | 2, 1,
                                     'f',        5 << 3,
                                     1,  //
                                     5 << 3 | 2, 0}));
}

}  // namespace
}  // namespace walkabout::wire
