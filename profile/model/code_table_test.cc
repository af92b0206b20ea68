#include "profile/model/code_table.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

constexpr base::CodeId kTheCode(7);
constexpr uint32_t kTheToken = 0x06000001;

// IL 0 and 10 are lines 100 and 101, and of each there are 16 bytes.
CodeTable code_table_of(wire::Tier tier) {
  CodeTable table;
  const base::AssemblyId assembly(1);
  wire::Method method;
  method.id = base::MethodId(1);
  method.token = kTheToken;
  method.assembly = assembly;
  table.add(method);
  table.add(wire::JitCode{kTheCode, method.id, tier, 0x1000, 0x20});
  table.add(wire::IlMap{kTheCode, 0, {wire::kIlFirst, wire::kIlFirst + 10, wire::kIlNone}, {0, 0x10, 0x20}});
  wire::SourceLines lines;
  lines.assembly = assembly;
  lines.documents = {{"/src/a.cs"}};
  lines.methods = {{kTheToken, {0, 10}, {100, 101}, {1}, {}}};
  table.add(lines);
  table.sort();
  return table;
}

SourcePlace code_place(const CodeTable& table, uint32_t offset, Role role) {
  return table.place(wire::Frame::in_code(wire::FrameKind::kJitted, kTheCode, offset), role);
}

using SomeLines = std::vector<uint32_t>;

TEST(CodeTable, ACallersLineIsTheCalls) {
  const CodeTable table = code_table_of(wire::Tier::kTier1);
  EXPECT_EQ(code_place(table, 0x10, Role::kCaller).lines, SomeLines{100});
  EXPECT_TRUE(code_place(table, 0x10, Role::kCaller).sure);
  EXPECT_EQ(code_place(table, 0x11, Role::kCaller).lines, SomeLines{101});
}

TEST(CodeTable, WhereNativeCodeWasCalledAFaultMayHaveBeen) {
  const CodeTable table = code_table_of(wire::Tier::kTier0);
  EXPECT_EQ(code_place(table, 0x10, Role::kCallerOfNative).lines, (SomeLines{100, 101}));
  EXPECT_FALSE(code_place(table, 0x10, Role::kCallerOfNative).sure);
  EXPECT_EQ(code_place(table, 0x11, Role::kCallerOfNative).lines, SomeLines{101});
  EXPECT_TRUE(code_place(table, 0x11, Role::kCallerOfNative).sure);
}

TEST(CodeTable, ATickOnAStatementsFirstByteMayBeOfTheOneBefore) {
  const CodeTable optimized = code_table_of(wire::Tier::kTier1);
  EXPECT_EQ(code_place(optimized, 0x10, Role::kLeaf).lines, (SomeLines{100, 101}));
  EXPECT_FALSE(code_place(optimized, 0x10, Role::kLeaf).sure);
  EXPECT_TRUE(code_place(optimized, 0x11, Role::kLeaf).sure);
  EXPECT_TRUE(code_place(optimized, 0, Role::kLeaf).sure) << "nothing is before it";
  EXPECT_EQ(code_place(code_table_of(wire::Tier::kTier0), 0x10, Role::kLeaf).lines, SomeLines{101});
}

}  // namespace
}  // namespace walkabout::profile
