#include "base/byte_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace walkabout::base {
namespace {

uint64_t hash_of_text(const std::string& text, uint64_t seed = 1) {
  return hash_of({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, seed);
}

TEST(ByteHash, EqualBytesHaveOneHashWhereverTheyLie) {
  const std::string text = "System.Collections.Generic.List`1";
  EXPECT_EQ(hash_of_text(text), hash_of_text(("x" + text).substr(1)));
  EXPECT_NE(hash_of_text(text), hash_of_text(text, 2));
}

TEST(ByteHash, ZeroesAtTheEndCount) {
  std::set<uint64_t> hashes;
  for (size_t size = 0; size < 100; ++size) hashes.insert(hash_of_text(std::string(size, '\0')));
  EXPECT_EQ(hashes.size(), 100u);
}

// Every bit of the input changes about half of the hash's.
TEST(ByteHash, OneBitChangesHalfOfThem) {
  for (const size_t size : {1u, 7u, 8u, 15u, 16u, 17u, 31u, 32u, 64u, 129u}) {
    std::string text(size, 'a');
    const uint64_t hash = hash_of_text(text);
    for (size_t bit = 0; bit < 8 * size; ++bit) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ 1 << bit % 8);
      const int changed = __builtin_popcountll(hash ^ hash_of_text(text));
      EXPECT_GE(changed, 10) << size << " " << bit;
      EXPECT_LE(changed, 54) << size << " " << bit;
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ 1 << bit % 8);
    }
  }
}

// The low bits alone, which tables use: as even as by chance.
TEST(ByteHash, NumbersSpreadEvenly) {
  std::vector<int> taken(1 << 12);
  for (int i = 0; i < 1 << 16; ++i) ++taken[hash_of_text("Type" + std::to_string(i)) % taken.size()];
  for (const int n : taken) EXPECT_LT(n, 16 + 9 * 4);  // nine standard deviations
}

}  // namespace
}  // namespace walkabout::base
