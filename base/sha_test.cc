// Against Python's hashlib: around each length at which the padding changes.
#include "base/sha.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::base {
namespace {

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    text.push_back("0123456789abcdef"[static_cast<uint8_t>(c) >> 4]);
    text.push_back("0123456789abcdef"[c & 15]);
  }
  return text;
}

std::string sha_of(ShaKind kind, const std::string& text) {
  return hex(sha(kind, {reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
}

TEST(Sha, OfTheStandardsExample) {
  EXPECT_EQ(sha_of(ShaKind::k1, "abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha_of(ShaKind::k256, "abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha_of(ShaKind::k384, "abc"),
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
            "8086072ba1e7cc2358baeca134c825a7");
  EXPECT_EQ(sha_of(ShaKind::k512, "abc"),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
}

// One hash over the hashes of 0 to 300 bytes of 0, 1, 2, …: every length of the last block.
TEST(Sha, OfEveryLength) {
  const auto all = [](ShaKind kind) {
    std::vector<uint8_t> bytes;
    std::string hashes;
    for (int i = 0; i <= 300; ++i) {
      hashes += sha(kind, bytes);
      bytes.push_back(static_cast<uint8_t>(i));
    }
    return sha_of(kind, hashes);
  };
  EXPECT_EQ(all(ShaKind::k1), "d72ddaff10d3a5eed5157a8c23af4f64540384c4");
  EXPECT_EQ(all(ShaKind::k256), "ddbdb189f5834c274dbe603d6d2874adf7234fd8a075c3d1bfbadc2107a75676");
  EXPECT_EQ(all(ShaKind::k384),
            "9eac9135d3e01a08e33ba204064b7ca9820893ed864baed4bb53633cdf010d22"
            "b5a45fab86bfd70b4fd1dc267942a022");
  EXPECT_EQ(all(ShaKind::k512),
            "d7ff5323ebbef9438546b104939504d6846f067dc41a135152e616e5fb701a72"
            "458ac9ce86a32dbf342659cacb0a9237c21653d6bd379bd1f10a5a92f5c3f5d2");
}

TEST(Sha, NamesAsDotNetHasThem) {
  EXPECT_EQ(sha_kind("SHA256"), ShaKind::k256);
  EXPECT_EQ(sha_kind("sha-1"), ShaKind::k1);
  EXPECT_EQ(sha_kind("SHA512"), ShaKind::k512);
  EXPECT_EQ(sha_kind("MD5"), std::nullopt);
  EXPECT_EQ(sha_kind(""), std::nullopt);
}

}  // namespace
}  // namespace walkabout::base
