#include "symbols/symbolize.h"

#include <gmock/gmock.h>

#include "symbols/elf/elf_symbols.h"
#include "symbols/elf/test_sample.h"

namespace walkabout::symbols {
namespace {

using base::CodeId;
using base::StackId;
using wire::Frame;
using wire::FrameKind;

wire::Module module(uint32_t code, const std::string& path) {
  wire::Module m;
  m.code = CodeId(code);
  m.path = path;
  return m;
}

Frame native(uint32_t code, uint32_t offset) {
  return Frame::in_code(FrameKind::kNative, CodeId(code), offset);
}

std::vector<uint32_t> offsets_of(const HitCollector& collector) {
  const auto hits = collector.hits();
  return hits.size() == 1 ? hits[0].offsets : std::vector<uint32_t>{};
}

TEST(HitCollector, ACallerOfACountedMethodIsLookedUpOnceBeforeItsReturnAddress) {
  HitCollector collector;
  collector.on_module(module(1, "/lib/a.so"));
  const Frame managed = Frame::in_code(FrameKind::kJitted, CodeId(2), 100);
  for (int i = 0; i < 2; ++i)
    collector.on_caller_counts({0, {0, 1, 1}, {native(1, 50), native(1, 0), managed}, {1, 1, 1}});
  EXPECT_THAT(offsets_of(collector), ::testing::ElementsAre(49));
}

TEST(HitCollector, LeafIsLookedUpAtItsOffsetAndCallerBeforeIt) {
  HitCollector collector;
  collector.on_module(module(1, "/lib/a.so"));
  wire::Nodes nodes;
  nodes.parent = {0, 1};
  nodes.frame = {native(1, 100), native(1, 200)};
  collector.on_nodes(nodes, 1);
  wire::Samples samples;
  samples.stack = {StackId(2), StackId(0)};
  collector.on_samples(samples);
  EXPECT_THAT(offsets_of(collector), ::testing::ElementsAre(99, 200));
}

TEST(HitCollector, FrameThatIsLeafAndCallerIsLookedUpTwice) {
  HitCollector collector;
  collector.on_module(module(1, "/lib/a.so"));
  wire::Nodes nodes;
  nodes.parent = {0};
  nodes.frame = {native(1, 100)};
  collector.on_nodes(nodes, 1);
  nodes.parent = {1};
  nodes.frame = {native(1, 7)};
  collector.on_nodes(nodes, 2);
  wire::Samples samples;
  samples.stack = {StackId(1), StackId(2), StackId(2)};
  collector.on_samples(samples);
  EXPECT_THAT(offsets_of(collector), ::testing::ElementsAre(7, 99, 100));
}

TEST(HitCollector, HitsOfAllTreesCount) {
  HitCollector collector;
  collector.on_module(module(1, "/lib/a.so"));
  wire::Samples samples;
  samples.stack = {StackId(1)};
  wire::Nodes nodes;
  nodes.parent = {0};
  for (const uint32_t offset : {30u, 10u, 30u, 20u}) {
    nodes.frame = {native(1, offset)};
    collector.on_nodes(nodes, 1);
    collector.on_samples(samples);
    nodes.new_tree = true;
  }
  EXPECT_THAT(offsets_of(collector), ::testing::ElementsAre(10, 20, 30));
}

TEST(HitCollector, OnlyNativeFramesOfKnownModulesCount) {
  HitCollector collector;
  wire::Module image = module(2, "/app/b.dll");
  image.kind = wire::ModuleKind::kReadyToRun;
  collector.on_module(image);
  wire::Nodes nodes;
  nodes.parent = {0, 0, 0, 0};
  nodes.frame = {Frame::in_code(FrameKind::kReadyToRun, CodeId(2), 5),
                 Frame::in_code(FrameKind::kJitted, CodeId(3), 5), Frame::at_address(FrameKind::kStub, 5),
                 native(9, 5)};
  collector.on_nodes(nodes, 1);
  wire::Samples samples;
  samples.stack = {StackId(1), StackId(2), StackId(3), StackId(4), StackId(77)};
  collector.on_samples(samples);
  EXPECT_TRUE(collector.hits().empty());
}

TEST(Symbolize, OneEntryPerFunction) {
  const std::string path = testing::kSamples + "/whole/sample.so";
  const auto symbols = ElfSymbols::open(path, "", FileRoot());
  ASSERT_TRUE(symbols.ok());
  ModuleHits hits{module(4, path), {}};
  for (uint32_t offset = 0; offset < 0x4000; ++offset) hits.offsets.push_back(offset);
  const auto records = symbolize({hits}, FileRoot());
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].module, CodeId(4));
  EXPECT_TRUE(records[0].found);
  EXPECT_FALSE(records[0].stripped);
  EXPECT_EQ(records[0].source, path);
  uint32_t last = 0;
  int named = 0;
  for (const wire::NativeSymbol& symbol : records[0].symbols) {
    EXPECT_GE(symbol.begin, last);
    last = symbol.end;
    named += symbol.name == "sample::hidden_function(int)" ? 1 : 0;
  }
  EXPECT_EQ(named, 1);
}

TEST(Symbolize, SameFileTwiceAndMissingFile) {
  const std::string path = testing::kSamples + "/stripped/sample.so";
  const ElfFile file = std::move(*ElfFile::open(path));
  const uint32_t code = static_cast<uint32_t>(file.section(".text").header.sh_addr);
  wire::Module other_build = module(3, path);
  other_build.build_id = "not the one";
  const auto records = symbolize({{module(1, path), {code}},
                                  {module(2, path), {code}},
                                  {other_build, {code}},
                                  {module(5, "/gone.so"), {1}}},
                                 FileRoot());
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[0].symbols.size(), 1U);
  EXPECT_EQ(records[1].symbols.size(), 1U);
  EXPECT_EQ(records[1].module, CodeId(2));
  EXPECT_TRUE(records[1].stripped);
  EXPECT_FALSE(records[2].found);
  EXPECT_FALSE(records[3].found);
  EXPECT_TRUE(records[3].symbols.empty());
}

}  // namespace
}  // namespace walkabout::symbols
