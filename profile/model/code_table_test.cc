#include "profile/model/code_table.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

constexpr base::CodeId kCode(7);
constexpr uint32_t kToken = 0x06000001;

// IL 0 and 10 are lines 100 and 101, and of each there are 16 bytes.
CodeTable table_of(wire::Tier tier) {
  CodeTable table;
  const base::AssemblyId assembly(1);
  wire::Method method;
  method.id = base::MethodId(1);
  method.token = kToken;
  method.assembly = assembly;
  table.add(method);
  table.add(wire::JitCode{kCode, method.id, tier, 0x1000, 0x20});
  table.add(wire::IlMap{kCode, 0, {wire::kIlFirst, wire::kIlFirst + 10, wire::kIlNone}, {0, 0x10, 0x20}});
  wire::SourceLines lines;
  lines.assembly = assembly;
  lines.documents = {{"/src/a.cs"}};
  lines.methods = {{kToken, {0, 10}, {100, 101}, {1}, {}}};
  table.add(lines);
  table.sort();
  return table;
}

SourcePlace place(const CodeTable& table, uint32_t offset, Role role) {
  return table.place(wire::Frame::in_code(wire::FrameKind::kJitted, kCode, offset), role);
}

using Lines = std::vector<uint32_t>;

TEST(CodeTable, ACallersLineIsTheCalls) {
  const CodeTable table = table_of(wire::Tier::kTier1);
  EXPECT_EQ(place(table, 0x10, Role::kCaller).lines, Lines{100});
  EXPECT_TRUE(place(table, 0x10, Role::kCaller).sure);
  EXPECT_EQ(place(table, 0x11, Role::kCaller).lines, Lines{101});
}

TEST(CodeTable, WhereNativeCodeWasCalledAFaultMayHaveBeen) {
  const CodeTable table = table_of(wire::Tier::kTier0);
  EXPECT_EQ(place(table, 0x10, Role::kCallerOfNative).lines, (Lines{100, 101}));
  EXPECT_FALSE(place(table, 0x10, Role::kCallerOfNative).sure);
  EXPECT_EQ(place(table, 0x11, Role::kCallerOfNative).lines, Lines{101});
  EXPECT_TRUE(place(table, 0x11, Role::kCallerOfNative).sure);
}

TEST(CodeTable, ATickOnAStatementsFirstByteMayBeOfTheOneBefore) {
  const CodeTable optimized = table_of(wire::Tier::kTier1);
  EXPECT_EQ(place(optimized, 0x10, Role::kLeaf).lines, (Lines{100, 101}));
  EXPECT_FALSE(place(optimized, 0x10, Role::kLeaf).sure);
  EXPECT_TRUE(place(optimized, 0x11, Role::kLeaf).sure);
  EXPECT_TRUE(place(optimized, 0, Role::kLeaf).sure) << "nothing is before it";
  EXPECT_EQ(place(table_of(wire::Tier::kTier0), 0x10, Role::kLeaf).lines, Lines{101});
}

}  // namespace
}  // namespace walkabout::profile
