#include "tests/stacks/stack_file.h"

#include <gtest/gtest.h>

#include "tests/stacks/fake_recording.h"
#include "tests/stacks/merge_stacks.h"

namespace walkabout::stacks {
namespace {

using testing::MixedStack;
using testing::record;

StackFile sample() {
  const MixedStack stack;
  StackFile file = record(stack.process, stack.leaves[3]);
  file.program = "program, .NET 10";
  file.images[0].name = "libnative.so";
  file.images[0].build_id = std::string("\x01\x00\xff", 3);
  file.regions[0].name = "Program.Main(string[])";
  RecordedImage managed;
  managed.code = 77;
  managed.begin = 0x1000, managed.end = 0x2000, managed.base = 0x400;
  managed.managed = true;
  managed.functions = {{16, 32, 64}, {32, 48, 72}};
  managed.unwind = {{64, std::string(8, '\1')}};
  file.images.push_back(managed);
  file.stacks[0].judge = "rooted";
  file.stacks[0].situation = "leaf: somewhere";
  file.stacks[0].clr = {wire::Frame::in_code(wire::FrameKind::kJitted, base::CodeId(1), 7)};
  return file;
}

TEST(StackFile, WhatIsPackedIsUnpackedAndPackedAgainToTheSameBytes) {
  const StackFile file = sample();
  const base::Result<std::string> bytes = pack(file);
  ASSERT_TRUE(bytes.ok()) << bytes.message();
  const base::Result<StackFile> again = unpack(*bytes);
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(encode(*again), encode(file));
  EXPECT_EQ(*pack(*again), *bytes);
  EXPECT_EQ(again->program, file.program);
  EXPECT_EQ(again->images[0].build_id, file.images[0].build_id);
  EXPECT_EQ(again->images[0].cfi.size(), file.images[0].cfi.size());
  EXPECT_TRUE(again->images[1].managed);
  EXPECT_EQ(again->images[1].functions[1].unwind, 72u);
  EXPECT_EQ(again->regions[0].name, file.regions[0].name);
  EXPECT_EQ(again->stacks[0].frames, file.stacks[0].frames);
  EXPECT_EQ(again->stacks[0].clr, file.stacks[0].clr);
  EXPECT_EQ(again->stacks[0].leaf.pc(), file.stacks[0].leaf.pc());
}

TEST(StackFile, OtherFilesAndVersionsAreRefusedByName) {
  std::string bytes = *pack(sample());
  EXPECT_FALSE(unpack(bytes.substr(0, 15)).ok());
  bytes[8] = 2;
  EXPECT_NE(unpack(bytes).message().find("version 2"), std::string::npos);
  bytes[0] = 'X';
  EXPECT_NE(unpack(bytes).message().find("not a .stacks file"), std::string::npos);
}

TEST(StackFile, WhatIsCutOffIsRefused) {
  const std::string bytes = *pack(sample());
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(unpack(bytes.substr(0, size)).ok()) << size;
}

TEST(StackFile, PartsOutOfOrderOrPlaceAreRefused) {
  const auto refused = [](const char* why, auto damage) {
    StackFile file = sample();
    damage(file);
    const base::Result<StackFile> read = decode(encode(file));
    EXPECT_FALSE(read.ok()) << why;
  };
  EXPECT_TRUE(decode(encode(sample())).ok());
  refused("order", [](StackFile& f) { std::swap(f.images[0].cfi.front(), f.images[0].cfi.back()); });
  refused("overlap", [](StackFile& f) { f.stacks[0].memory.push_back(f.stacks[0].memory.back()); });
  refused("too far", [](StackFile& f) { f.images[0].cfi.push_back({uint64_t{1} << 60, "x"}); });
  refused("behind the end", [](StackFile& f) { f.stacks[0].memory.push_back({UINT64_MAX, "xx"}); });
  refused("plt outside", [](StackFile& f) { f.images[0].plt = {{f.images[0].end, "x"}}; });
  refused("rva", [](StackFile& f) { f.images[1].unwind = {{uint64_t{1} << 40, "x"}}; });
  refused("empty image", [](StackFile& f) { f.images[0].end = f.images[0].begin; });
  refused("end", [](StackFile& f) { f.stacks[0].end = wire::WalkEnd::kCount; });
}

TEST(Merge, StacksOfOneProcessShareTheirCode) {
  const MixedStack stack;
  StackFile merged = record(stack.process, stack.leaves[0]);
  const size_t regions = merged.regions.size(), images = merged.images.size();
  ASSERT_TRUE(merge(record(stack.process, stack.leaves[4]), &merged));
  EXPECT_EQ(merged.stacks.size(), 2u);
  EXPECT_EQ(merged.regions.size(), regions);
  EXPECT_EQ(merged.images.size(), images);
  EXPECT_TRUE(decode(encode(merged)).ok());
}

TEST(Merge, OtherCodeAtTheSamePlaceIsRefusedAndChangesNothing) {
  const MixedStack stack;
  StackFile merged = record(stack.process, stack.leaves[0]);
  const std::string before = encode(merged);
  StackFile other = record(stack.process, stack.leaves[4]);
  other.regions[0].code += 100;
  EXPECT_FALSE(merge(other, &merged));
  other = record(stack.process, stack.leaves[4]);
  other.images[0].cfi[0].bytes[9] ^= 1;
  EXPECT_FALSE(merge(other, &merged));
  EXPECT_EQ(encode(merged), before);
}

}  // namespace
}  // namespace walkabout::stacks
