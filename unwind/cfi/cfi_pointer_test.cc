#include "unwind/cfi/cfi_pointer.h"

#include <gtest/gtest.h>

#include <optional>

#include "unwind/cfi/cfi_test_section.h"

namespace walkabout::unwind {
namespace {

using testing::append;
using testing::Bytes;

constexpr uint64_t kAt = 0x1003;
constexpr uint64_t kData = 0x8000;

std::optional<uint64_t> decode(uint8_t encoding, const Bytes& bytes) {
  CfiReader reader(MappedBytes{bytes.data(), bytes.size(), kAt});
  uint64_t value = 0;
  if (!read_pointer(reader, encoding, kData, &value)) {
    EXPECT_FALSE(reader.ok());
    return std::nullopt;
  }
  EXPECT_TRUE(reader.at_end());
  return value;
}

template <typename T>
Bytes bytes_of(T value) {
  Bytes bytes;
  append(bytes, value);
  return bytes;
}

TEST(CfiPointer, FormatsOfAbsolutePointers) {
  EXPECT_EQ(decode(0x00, bytes_of<uint64_t>(0x123456789a)), 0x123456789au);
  EXPECT_EQ(decode(0x01, {0xe5, 0x8e, 0x26}), 624485u);
  EXPECT_EQ(decode(0x02, bytes_of<uint16_t>(0xfffe)), 0xfffeu);
  EXPECT_EQ(decode(0x03, bytes_of<uint32_t>(0xfffffffe)), 0xfffffffeu);
  EXPECT_EQ(decode(0x04, bytes_of<uint64_t>(7)), 7u);
  EXPECT_EQ(decode(0x09, {0x7e}), static_cast<uint64_t>(-2));
  EXPECT_EQ(decode(0x0a, bytes_of<int16_t>(-2)), static_cast<uint64_t>(-2));
  EXPECT_EQ(decode(0x0b, bytes_of<int32_t>(-2)), static_cast<uint64_t>(-2));
  EXPECT_EQ(decode(0x0c, bytes_of<int64_t>(-2)), static_cast<uint64_t>(-2));
}

TEST(CfiPointer, RelativeToItself) {
  EXPECT_EQ(decode(0x1b, bytes_of<int32_t>(-3)), 0x1000u);
  EXPECT_EQ(decode(0x1c, bytes_of<int64_t>(0x10)), 0x1013u);
}

TEST(CfiPointer, RelativeToData) {
  EXPECT_EQ(decode(0x3b, bytes_of<int32_t>(-0x10)), 0x7ff0u);
  EXPECT_EQ(decode(0x33, bytes_of<uint32_t>(0x10)), 0x8010u);
}

TEST(CfiPointer, AlignedSkipsPadding) {
  Bytes bytes(5, 0xcc);  // 0x1003 to 0x1008
  append<uint64_t>(bytes, 0xabcdef);
  EXPECT_EQ(decode(0x50, bytes), 0xabcdefu);
}

TEST(CfiPointer, RefusesWhatItCannotKnow) {
  EXPECT_EQ(decode(0xff, Bytes(8)), std::nullopt) << "omitted";
  EXPECT_EQ(decode(0x9b, Bytes(4)), std::nullopt) << "indirect";
  EXPECT_EQ(decode(0x2b, Bytes(4)), std::nullopt) << "textrel";
  EXPECT_EQ(decode(0x4b, Bytes(4)), std::nullopt) << "funcrel";
  EXPECT_EQ(decode(0x05, Bytes(8)), std::nullopt) << "no such format";
  EXPECT_EQ(decode(0x1b, Bytes(3)), std::nullopt) << "cut";
}

TEST(CfiPointer, SkipsWhatItNeedNotKnow) {
  const Bytes bytes(4);
  for (const uint8_t encoding : {0x9b, 0x2b, 0x1b}) {
    CfiReader reader(MappedBytes{bytes.data(), bytes.size(), kAt});
    EXPECT_TRUE(skip_pointer(reader, encoding));
    EXPECT_TRUE(reader.at_end());
  }
  CfiReader reader(MappedBytes{bytes.data(), bytes.size(), kAt});
  EXPECT_TRUE(skip_pointer(reader, kPointerOmit));
  EXPECT_EQ(reader.left(), 4u);
}

TEST(CfiPointer, Sizes) {
  EXPECT_EQ(pointer_size(0x3b), 4u);
  EXPECT_EQ(pointer_size(0x00), 8u);
  EXPECT_EQ(pointer_size(0x0c), 8u);
  EXPECT_EQ(pointer_size(0x02), 2u);
  EXPECT_EQ(pointer_size(0x01), 0u);
  EXPECT_EQ(pointer_size(0x50), 0u);
  EXPECT_EQ(pointer_size(0xff), 0u);
}

}  // namespace
}  // namespace walkabout::unwind
