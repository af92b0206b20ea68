#include "base/md5.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace walkabout::base {
namespace {

std::string in_hex(const std::string& text) {
  std::string hex;
  for (const unsigned char c : md5({reinterpret_cast<const uint8_t*>(text.data()), text.size()})) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", c);
    hex += digits.data();
  }
  return hex;
}

// RFC 1321, A.5.
TEST(Md5, IsAsTheStandardSays) {
  EXPECT_EQ(in_hex(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(in_hex("a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(in_hex("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(in_hex("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
            "d174ab98d277d9f5a5611c2c9f419d9f");
  EXPECT_EQ(in_hex("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

// As md5sum(1) says: around the lengths at which the end needs a block of its own.
TEST(Md5, OfEveryLengthOfTheLastBlock) {
  EXPECT_EQ(in_hex(std::string(55, 'x')), "04364420e25c512fd958a70738aa8f72");
  EXPECT_EQ(in_hex(std::string(56, 'x')), "668a72d5ba17f08e62dabcafad6db14b");
  EXPECT_EQ(in_hex(std::string(63, 'x')), "7dc2ca208106a2f703567bdff99d8981");
  EXPECT_EQ(in_hex(std::string(64, 'x')), "c1bb4f81d892b2d57947682aeb252456");
}

}  // namespace
}  // namespace walkabout::base
