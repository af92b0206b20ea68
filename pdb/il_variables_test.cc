#include "pdb/il_variables.h"

#include <gtest/gtest.h>

#include <vector>

#include "il/instruction_bytes.h"

namespace walkabout::pdb {
namespace {

using UseBytes = std::vector<uint8_t>;
using Kind = VariableUse::Kind;

std::optional<VariableUse> use_in(const UseBytes& il) { return variable_use(il, 0, *il::op_at(il, 0)); }

void expect_use(const UseBytes& il, uint32_t variable, Kind kind) {
  const std::optional<VariableUse> use = use_in(il);
  ASSERT_TRUE(use);
  EXPECT_EQ(use->variable, variable);
  EXPECT_EQ(use->kind, kind);
}

TEST(IlVariables, EachFormIsOfItsVariable) {
  expect_use({0x02}, 0, Kind::kLoads);
  expect_use({0x05}, 3, Kind::kLoads);
  expect_use({0x06}, kFirstLocal, Kind::kLoads);
  expect_use({0x0d}, kFirstLocal + 3, Kind::kStores);
  expect_use({0x0e, 200}, 200, Kind::kLoads);
  expect_use({0x0f, 4}, 4, Kind::kTakesAddress);
  expect_use({0x10, 4}, 4, Kind::kStores);
  expect_use({0x11, 4}, kFirstLocal + 4, Kind::kLoads);
  expect_use({0x12, 4}, kFirstLocal + 4, Kind::kTakesAddress);
  expect_use({0x13, 4}, kFirstLocal + 4, Kind::kStores);
  expect_use({0xfe, 0x09, 1, 2}, 0x201, Kind::kLoads);
  expect_use({0xfe, 0x0a, 1, 2}, 0x201, Kind::kTakesAddress);
  expect_use({0xfe, 0x0b, 1, 2}, 0x201, Kind::kStores);
  expect_use({0xfe, 0x0c, 1, 2}, kFirstLocal + 0x201, Kind::kLoads);
  expect_use({0xfe, 0x0d, 1, 2}, kFirstLocal + 0x201, Kind::kTakesAddress);
  expect_use({0xfe, 0x0e, 1, 2}, kFirstLocal + 0x201, Kind::kStores);
}

TEST(IlVariables, OthersUseNone) {
  EXPECT_FALSE(use_in({0x16})) << "ldc.i4.0";
  EXPECT_FALSE(use_in({0x7b, 1, 0, 0, 4})) << "ldfld";
  EXPECT_FALSE(use_in({0x11})) << "cut off";
  EXPECT_FALSE(use_in({0xfe, 0x0c, 1})) << "cut off";
}

}  // namespace
}  // namespace walkabout::pdb
