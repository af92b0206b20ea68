// malloc, realloc and free in every size class, mapped blocks included, contents checked.
#include <array>
#include <cstdlib>
#include <cstring>

#include "hostile.h"

HOSTILE int hostile_malloc(uint32_t seed) {
  struct Block {
    unsigned char* data = nullptr;
    size_t size = 0;
    unsigned char mark = 0;
  };
  std::array<Block, 64> blocks;
  int wrong = 0;
  const auto check = [&wrong](const Block& b) {
    if (b.data != nullptr && (b.data[0] != b.mark || b.data[b.size - 1] != b.mark)) wrong = 1;
  };
  for (int i = 0; i < 2000; ++i) {
    seed = hostile::burn(seed, 1);
    Block& block = blocks[seed % blocks.size()];
    check(block);
    if (seed % 3 == 0) {
      std::free(block.data);
      block = {};
      continue;
    }
    block.size = 1 + (seed >> 8) % ((seed >> 4) % 64 == 0 ? 300'000 : 2'000);
    block.data = static_cast<unsigned char*>(std::realloc(block.data, block.size));
    if (block.data == nullptr) return 2;
    block.mark = static_cast<unsigned char>(i);
    block.data[0] = block.data[block.size - 1] = block.mark;
  }
  for (Block& block : blocks) {
    check(block);
    std::free(block.data);
  }
  return wrong;
}
