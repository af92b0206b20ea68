#include "base/md5.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace walkabout::base {
namespace {

constexpr size_t kMd5Block = 64;
constexpr size_t kMd5Length = 8;  // bytes at the end of the last block

// The RFC's table T: floor(2^32 * abs(sin(i + 1))).
constexpr std::array<uint32_t, 64> kSines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
constexpr int kTurns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

using Md5State = std::array<uint32_t, 4>;

void add_md5_block(const uint8_t* block, Md5State& state) {
  std::array<uint32_t, 16> words;
  for (size_t i = 0; i < words.size(); ++i) {
    const uint8_t* b = block + 4 * i;
    words[i] = uint32_t{b[0]} | uint32_t{b[1]} << 8 | uint32_t{b[2]} << 16 | uint32_t{b[3]} << 24;
  }
  auto [a, b, c, d] = state;
  for (size_t i = 0; i < kSines.size(); ++i) {
    const size_t round = i / 16;
    uint32_t mixed = 0;
    size_t word = 0;
    if (round == 0) mixed = (b & c) | (~b & d), word = i;
    if (round == 1) mixed = (d & b) | (~d & c), word = 5 * i + 1;
    if (round == 2) mixed = b ^ c ^ d, word = 3 * i + 5;
    if (round == 3) mixed = c ^ (b | ~d), word = 7 * i;
    mixed += a + kSines[i] + words[word % words.size()];
    a = d, d = c, c = b;
    b += std::rotl(mixed, kTurns[round][i % 4]);
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

}  // namespace

std::string md5(std::span<const uint8_t> bytes) {
  Md5State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  size_t at = 0;
  for (; bytes.size() - at >= kMd5Block; at += kMd5Block) add_md5_block(bytes.data() + at, state);
  std::array<uint8_t, 2 * kMd5Block> last{};
  const size_t left = bytes.size() - at;
  if (left > 0) std::memcpy(last.data(), bytes.data() + at, left);
  last[left] = 0x80;
  const size_t blocks = left + 1 + kMd5Length <= kMd5Block ? 1 : 2;
  for (size_t i = 0; i < kMd5Length; ++i)
    last[blocks * kMd5Block - kMd5Length + i] = static_cast<uint8_t>(uint64_t{bytes.size()} * 8 >> 8 * i);
  for (size_t i = 0; i < blocks; ++i) add_md5_block(last.data() + i * kMd5Block, state);
  std::string sum;
  for (const uint32_t word : state) {
    for (int i = 0; i < 4; ++i) sum.push_back(static_cast<char>(word >> 8 * i & 0xff));
  }
  return sum;
}

}  // namespace walkabout::base
