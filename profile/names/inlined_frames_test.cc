// A frame of code into which methods were inlined: what is shown for it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profile/model/code_table.h"
#include "profile/names/frame_namer.h"

namespace walkabout::profile {
namespace {

constexpr base::CodeId kSomeCode(7);
constexpr uint32_t kInOuter = 0x10, kOwn = 0x20, kInInner = 0x30, kLost = 0x40;
using Texts = std::vector<std::string>;

uint64_t in_il(uint64_t offset) { return wire::kIlFirst + offset; }

class InlinedFrames : public ::testing::Test {
 protected:
  InlinedFrames() {
    const base::AssemblyId assembly(1);
    wire::SourceLines lines;
    lines.assembly = assembly;
    lines.documents = {{"/src/a.cs"}};
    for (uint32_t id = 1; id <= 4; ++id) {
      const char* names[] = {"Root", "Outer", "Inner", "Lost"};
      code_.add(wire::Method{base::MethodId(id), "A.B", names[id - 1], "", "Demo.dll", 0, "", id, assembly});
      // IL 0 and 10 are lines 100 and 101 of Root, 200 and 201 of Outer, and so on.
      lines.methods.push_back({id, {0, 10}, {100 * id, 100 * id + 1}, {1}, {}});
    }
    code_.add(lines);
    code_.add(wire::JitCode{kSomeCode, base::MethodId(1), wire::Tier::kTier1, 0x1000, 0x100});
    code_.add(wire::IlMap{kSomeCode, 0, {in_il(0), in_il(10), wire::kIlNone}, {0, kOwn, 0x50}});
    code_.add(wire::inline_tree(kSomeCode, tree_));
  }
  std::vector<DisplayFrame> frames(uint32_t at, FrameNamer::Options options, Role role = Role::kLeaf) {
    code_.sort();
    FrameNamer namer(code_, options, "dotnet demo.dll");
    std::vector<DisplayFrame> shown;
    for (const NamedFrame& named :
         namer.frames_of(wire::Frame::in_code(wire::FrameKind::kJitted, kSomeCode, at), role))
      shown.push_back(namer.frames()[named.frame]);
    return shown;
  }
  Texts names(uint32_t at, FrameNamer::Options options = {.inlined = true}, Role role = Role::kLeaf) {
    Texts names;
    for (const DisplayFrame& frame : frames(at, options, role)) names.push_back(frame.name);
    return names;
  }
  Texts places(uint32_t at) {
    Texts places;
    for (const DisplayFrame& frame : frames(at, {.lines = true, .inlined = true})) {
      places.emplace_back();
      for (const uint32_t line : frame.place.lines) places.back() += std::to_string(line) + " ";
      if (frame.place.known() && !frame.place.sure) places.back() += "or so";
    }
    return places;
  }

  wire::InlineColumns tree_{{2, 3, 4},    {0, 1, 3},
                            {11, 0, 0},   {kInOuter, kOwn, kInInner, kLost},
                            {1, 0, 2, 3}, {in_il(0), wire::kIlNone, in_il(10), in_il(0)}};
  CodeTable code_;
};

TEST_F(InlinedFrames, StandBehindTheMethodWhoseCodeItIs) {
  EXPECT_EQ(names(kInOuter), (Texts{"A.B.Root()", "A.B.Outer() [inlined]"}));
  EXPECT_EQ(names(kInInner), (Texts{"A.B.Root()", "A.B.Outer() [inlined]", "A.B.Inner() [inlined]"}));
  EXPECT_EQ(names(kOwn), Texts{"A.B.Root()"});
  const auto shown = frames(kInOuter, {.inlined = true});
  EXPECT_FALSE(shown[0].inlined);
  EXPECT_TRUE(shown[1].inlined);
  EXPECT_EQ(shown[1].tiers, 1u << static_cast<unsigned>(wire::Tier::kTier1)) << "as the code around it";
  EXPECT_EQ(shown[1].raw_name, "A.B.Outer()");
}

// A caller's offset is behind the call.
TEST_F(InlinedFrames, OfACallerTheCallCounts) {
  EXPECT_EQ(names(kOwn, {.inlined = true}, Role::kCaller), (Texts{"A.B.Root()", "A.B.Outer() [inlined]"}));
}

TEST_F(InlinedFrames, AreNotThereWhereNobodyWantsThem) {
  EXPECT_EQ(names(kInInner, {.inlined = false}), Texts{"A.B.Root()"});
}

TEST_F(InlinedFrames, WhatMayStandBetweenIsSaid) {
  EXPECT_EQ(names(kLost), (Texts{"A.B.Root()", "[unknown frames]", "A.B.Lost() [inlined]"}));
}

// Root's call of Outer was at IL 10; where Outer called Inner is not known.
TEST_F(InlinedFrames, HaveTheLinesThatAreKnown) {
  EXPECT_EQ(places(kInOuter), (Texts{"101 ", "200 201 or so"}))
      << "nothing is said to be of Outer's second statement";
  EXPECT_EQ(places(kInInner), (Texts{"101 ", "", "300 301 or so"})) << "the same of Inner's first";
  EXPECT_EQ(places(kLost)[0], "101 ") << "by the method's own map, where the site is not known";
}

TEST_F(InlinedFrames, AMethodThatIsLostToDamageIsAMarker) {
  tree_.method[0] = 99;
  code_.add(wire::inline_tree(kSomeCode, tree_));
  EXPECT_EQ(names(kInOuter), (Texts{"A.B.Root()", "[unknown inlined method]"}));
}

}  // namespace
}  // namespace walkabout::profile
