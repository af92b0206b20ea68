#include "base/sha.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace walkabout::base {
namespace {

// Names of constants and functions are those of the standard.
constexpr std::array<uint64_t, 80> kK = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

// SHA-256's are the upper halves of SHA-512's, of the first 64.
template <typename Word>
Word constant(size_t t) {
  return static_cast<Word>(kK[t] >> (64 - 8 * sizeof(Word)));
}

template <typename Word>
Word big_endian(const uint8_t* bytes) {
  Word word = 0;
  for (size_t i = 0; i < sizeof(Word); ++i) word = static_cast<Word>(word << 8 | bytes[i]);
  return word;
}

struct Sha1 {
  using Word = uint32_t;
  std::array<Word, 5> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

  void block(const uint8_t* bytes) {
    std::array<Word, 80> w;
    for (size_t t = 0; t < 16; ++t) w[t] = big_endian<Word>(bytes + 4 * t);
    for (size_t t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    auto [a, b, c, d, e] = state;
    for (size_t t = 0; t < 80; ++t) {
      const Word f = t < 20              ? (b & c) ^ (~b & d)
                     : t < 40 || t >= 60 ? b ^ c ^ d
                                         : (b & c) ^ (b & d) ^ (c & d);
      constexpr std::array<Word, 4> kConstants = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
      const Word sum = std::rotl(a, 5) + f + e + kConstants[t / 20] + w[t];
      e = d, d = c, c = std::rotl(b, 30), b = a, a = sum;
    }
    const std::array<Word, 5> more = {a, b, c, d, e};
    for (size_t i = 0; i < state.size(); ++i) state[i] += more[i];
  }
};

template <typename W>
struct Sha2 {
  using Word = W;
  static constexpr bool kWide = sizeof(Word) == 8;
  std::array<Word, 8> state;

  static Word sum0(Word x) { return sums(x, kWide ? 28 : 2, kWide ? 34 : 13, kWide ? 39 : 22); }
  static Word sum1(Word x) { return sums(x, kWide ? 14 : 6, kWide ? 18 : 11, kWide ? 41 : 25); }
  static Word small0(Word x) { return small(x, kWide ? 1 : 7, kWide ? 8 : 18, kWide ? 7 : 3); }
  static Word small1(Word x) { return small(x, kWide ? 19 : 17, kWide ? 61 : 19, kWide ? 6 : 10); }

  void block(const uint8_t* bytes) {
    constexpr size_t kRounds = kWide ? 80 : 64;
    std::array<Word, kRounds> w;
    for (size_t t = 0; t < 16; ++t) w[t] = big_endian<Word>(bytes + sizeof(Word) * t);
    for (size_t t = 16; t < kRounds; ++t) w[t] = small1(w[t - 2]) + w[t - 7] + small0(w[t - 15]) + w[t - 16];
    auto [a, b, c, d, e, f, g, h] = state;
    for (size_t t = 0; t < kRounds; ++t) {
      const Word first = h + sum1(e) + ((e & f) ^ (~e & g)) + constant<Word>(t) + w[t];
      const Word second = sum0(a) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const std::array<Word, 8> more = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < state.size(); ++i) state[i] += more[i];
  }

 private:
  static Word sums(Word x, int r1, int r2, int r3) {
    return std::rotr(x, r1) ^ std::rotr(x, r2) ^ std::rotr(x, r3);
  }
  static Word small(Word x, int r1, int r2, int shift) {
    return std::rotr(x, r1) ^ std::rotr(x, r2) ^ (x >> shift);
  }
};

// All whole blocks, then the padding: one bit, zeros, and how many bits there were.
template <typename Hash>
std::string digest(Hash hash, std::span<const uint8_t> bytes, size_t size) {
  constexpr size_t kWordSize = sizeof(typename Hash::Word);
  constexpr size_t kHashBlock = 16 * kWordSize;
  size_t at = 0;
  for (; bytes.size() - at >= kHashBlock; at += kHashBlock) hash.block(bytes.data() + at);
  std::array<uint8_t, 2 * kHashBlock> last{};
  const size_t left = bytes.size() - at;
  if (left > 0) std::memcpy(last.data(), bytes.data() + at, left);
  last[left] = 0x80;
  const size_t end = left + 1 + 2 * kWordSize <= kHashBlock ? kHashBlock : 2 * kHashBlock;
  const uint64_t bits = uint64_t{bytes.size()} * 8;
  for (size_t i = 0; i < 8; ++i) last[end - 1 - i] = static_cast<uint8_t>(bits >> (8 * i));
  for (size_t block = 0; block < end; block += kHashBlock) hash.block(last.data() + block);
  std::string out;
  for (const auto word : hash.state) {
    for (size_t i = kWordSize; i-- > 0;) out.push_back(static_cast<char>(word >> (8 * i)));
  }
  out.resize(size);
  return out;
}

constexpr Sha2<uint32_t> k256 = {
    {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
constexpr Sha2<uint64_t> k384 = {{0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17,
                                  0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,
                                  0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4}};
constexpr Sha2<uint64_t> k512 = {{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                  0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                  0x1f83d9abfb41bd6b, 0x5be0cd19137e2179}};

}  // namespace

std::optional<ShaKind> sha_kind(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != '-') plain.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  }
  if (plain == "SHA1") return ShaKind::k1;
  if (plain == "SHA256") return ShaKind::k256;
  if (plain == "SHA384") return ShaKind::k384;
  return plain == "SHA512" ? std::optional(ShaKind::k512) : std::nullopt;
}

std::string sha(ShaKind kind, std::span<const uint8_t> bytes) {
  switch (kind) {
    case ShaKind::k1:
      return digest(Sha1(), bytes, 20);
    case ShaKind::k256:
      return digest(k256, bytes, 32);
    case ShaKind::k384:
      return digest(k384, bytes, 48);
    case ShaKind::k512:
      break;
  }
  return digest(k512, bytes, 64);
}

}  // namespace walkabout::base
