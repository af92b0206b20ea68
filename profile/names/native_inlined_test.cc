// Native frames where the recording has their lines: what is shown for them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profile/model/code_table.h"
#include "profile/names/frame_namer.h"

namespace walkabout::profile {
namespace {

constexpr base::CodeId kNativeLibrary(3);
constexpr uint32_t kAtOwn = 0x1000, kAtInner = 0x1010, kAtOuter = 0x1020, kAtUnknown = 0x1030;
using Shown = std::vector<std::string>;

class NativeInlined : public ::testing::Test {
 protected:
  NativeInlined() {
    wire::Module module;
    module.code = kNativeLibrary;
    module.path = "/app/libwork.so";
    code_.add(module);
    wire::NativeSymbols symbols;
    symbols.module = kNativeLibrary;
    symbols.symbols = {{0x1000, 0x1100, "work(int)", "_Z4worki"}};
    code_.add(symbols);
    lines_.module = kNativeLibrary;
    lines_.documents = {{"/src/work.cc", wire::HashKind::kMd5, "0123456789abcdef"}, {"/src/work.h"}};
    lines_.functions = {{"outer(int)", "_Z5outeri"}, {"inner"}};
    lines_.function = {1, 2};
    lines_.parent = {0, 1};
    lines_.call_document = {1, 2};
    lines_.call_line = {12, 34};
    lines_.offset = {kAtOwn, kAtInner, kAtOuter};
    lines_.call = {0, 2, 1};
    lines_.document = {1, 2, 0};
    lines_.line = {10, 56, 0};
  }
  std::vector<DisplayFrame> frames(uint32_t at, FrameNamer::Options options, Role role = Role::kLeaf) {
    code_.add(lines_);
    code_.sort();
    FrameNamer namer(code_, options, "dotnet demo.dll");
    std::vector<DisplayFrame> shown;
    for (const NamedFrame& named :
         namer.frames_of(wire::Frame::in_code(wire::FrameKind::kNative, kNativeLibrary, at), role))
      shown.push_back(namer.frames()[named.frame]);
    return shown;
  }
  Shown texts(uint32_t at, FrameNamer::Options options, Role role = Role::kLeaf) {
    Shown all;
    for (const DisplayFrame& frame : frames(at, options, role)) {
      all.push_back(frame.name);
      for (const uint32_t line : frame.place.lines)
        all.back() += " " + frame.place.file + ":" + std::to_string(line) + (frame.place.sure ? "" : "?");
    }
    return all;
  }

  wire::NativeLines lines_;
  CodeTable code_;
};

constexpr FrameNamer::Options kAllOfIt{.unfold = false, .lines = true, .inlined = true};

TEST_F(NativeInlined, StandBehindTheFunctionWhoseCodeItIs) {
  EXPECT_EQ(texts(kAtInner, kAllOfIt),
            (Shown{"work(int) /src/work.cc:12", "outer(int) [inlined] /src/work.h:34",
                   "inner [inlined] /src/work.h:56"}));
  EXPECT_EQ(texts(kAtOuter, kAllOfIt), (Shown{"work(int) /src/work.cc:12", "outer(int) [inlined]"}))
      << "no line is known";
  EXPECT_EQ(texts(kAtOwn, kAllOfIt), Shown{"work(int) /src/work.cc:10"});
  EXPECT_EQ(texts(kAtUnknown, kAllOfIt), Shown{"work(int)"});
  const auto shown = frames(kAtInner, kAllOfIt);
  EXPECT_FALSE(shown[0].inlined);
  EXPECT_TRUE(shown[1].inlined && shown[2].inlined);
  EXPECT_EQ(shown[1].raw_name, "_Z5outeri");
  EXPECT_EQ(shown[2].raw_name, "inner");
  EXPECT_EQ(shown[1].module, "libwork.so");
  EXPECT_EQ(shown[1].kind, Kind::kNative);
  EXPECT_TRUE(shown[1].exact);
}

TEST_F(NativeInlined, OfACallerTheCallCounts) {
  EXPECT_EQ(texts(kAtOwn + 1, kAllOfIt, Role::kCaller), Shown{"work(int) /src/work.cc:10"});
  EXPECT_EQ(texts(kAtInner + 1, kAllOfIt, Role::kCaller).size(), 3u);
}

TEST_F(NativeInlined, AreNotThereWhereNobodyWantsThem) {
  EXPECT_EQ(texts(kAtInner, {.lines = true}), Shown{"work(int) /src/work.cc:12"}) << "the call's line";
  EXPECT_EQ(texts(kAtInner, {.inlined = true}),
            (Shown{"work(int)", "outer(int) [inlined]", "inner [inlined]"}));
  EXPECT_EQ(texts(kAtInner, {}), Shown{"work(int)"});
}

TEST_F(NativeInlined, AFunctionHasTheLinesThatWereHit) {
  const auto shown = frames(kAtInner, kAllOfIt);
  EXPECT_EQ(shown[0].place.first, 10u);
  EXPECT_EQ(shown[0].place.last, 12u);
  EXPECT_EQ(shown[2].place.first, 56u);
  EXPECT_EQ(shown[0].place.hash, "0123456789abcdef");
  const auto documents = code_.documents({"/src/work.cc"});
  ASSERT_EQ(documents.size(), 1u);
  EXPECT_EQ(documents[0].hash_kind, wire::HashKind::kMd5);
}

// Each is refused as a whole, and counted.
TEST_F(NativeInlined, BrokenColumnsAreLeftOut) {
  const wire::NativeLines good = lines_;
  const auto refused = [&](auto change) {
    lines_ = good;
    change(lines_);
    CodeTable table;
    table.add(lines_);
    return table.native_lines_left_out() == 1;
  };
  EXPECT_FALSE(refused([](wire::NativeLines&) {}));
  EXPECT_TRUE(refused([](wire::NativeLines& l) { l.line.pop_back(); }));
  EXPECT_TRUE(refused([](wire::NativeLines& l) { l.call_line.push_back(1); }));
  EXPECT_TRUE(refused([](wire::NativeLines& l) { l.parent[0] = 1; })) << "a circle";
  EXPECT_TRUE(refused([](wire::NativeLines& l) { l.function[0] = 3; }));
  EXPECT_TRUE(refused([](wire::NativeLines& l) { l.function[0] = 0; }));
  EXPECT_TRUE(refused([](wire::NativeLines& l) { l.call[0] = 3; }));
  EXPECT_TRUE(refused([](wire::NativeLines& l) { l.document[0] = 3; }));
  EXPECT_TRUE(refused([](wire::NativeLines& l) { l.line[0] = uint64_t{1} << 32; }));
  EXPECT_TRUE(refused([](wire::NativeLines& l) { l.offset = {3, 2, 1}; }));
}

}  // namespace
}  // namespace walkabout::profile
