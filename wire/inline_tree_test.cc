#include "wire/inline_tree.h"

#include <gtest/gtest.h>

namespace walkabout::wire {
namespace {

constexpr base::CodeId kCode(7);

InlineColumns columns() {
  return {{101, 4'000'000'000, 103}, {0, 1, 3}, {5, 0, 300}, {10, 10, 4000}, {2, 0, 3}, {kIlFirst, 0, 700}};
}

TEST(InlineTreeColumns, AreReadAsTheyWereWritten) {
  const InlineTree tree = inline_tree(kCode, columns());
  EXPECT_EQ(tree.code, kCode);
  EXPECT_EQ(columns_of(tree), columns());
  EXPECT_EQ(columns_of(InlineTree{kCode, "", ""}), InlineColumns());
}

TEST(InlineTreeColumns, ThatDoNotFitTogetherAreRefused) {
  const auto refused = [](const auto& change) {
    InlineColumns changed = columns();
    change(changed);
    return !columns_of(inline_tree(kCode, changed)).has_value();
  };
  EXPECT_FALSE(refused([](InlineColumns&) {}));
  EXPECT_TRUE(refused([](InlineColumns& c) { c.parent[0] = 2; })) << "a circle";
  EXPECT_TRUE(refused([](InlineColumns& c) { c.method[0] = uint64_t{1} << 32; }));
  EXPECT_TRUE(refused([](InlineColumns& c) { c.node[0] = 4; }));
  EXPECT_TRUE(refused([](InlineColumns& c) { c.native[2] = uint64_t{1} << 32; }));
  EXPECT_TRUE(refused([](InlineColumns& c) { c.native[2] = 1; })) << "backwards";
}

TEST(InlineTreeColumns, ThatAreCutOffAreRefused) {
  const InlineTree whole = inline_tree(kCode, columns());
  size_t read = 0;
  for (size_t size = 1; size < whole.calls.size(); ++size)
    read += columns_of({kCode, whole.calls.substr(0, size), ""}).has_value() ? 1 : 0;
  EXPECT_EQ(read, 2u) << "where a call ends";
  EXPECT_FALSE(columns_of({kCode, std::string(20, '\xff'), ""})) << "a number of more than 64 bits";
}

}  // namespace
}  // namespace walkabout::wire
