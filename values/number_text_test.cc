#include "values/number_text.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace walkabout::values {
namespace {

TEST(NumberText, RealNumbersAsTheShortestThatReadsTheSame) {
  EXPECT_EQ(real_text(0.1), "0.1");
  EXPECT_EQ(real_text(-0.0), "-0");
  EXPECT_EQ(real_text(123456789.125), "123456789.125");
  EXPECT_EQ(real_text(1e15), "1E+15");
  EXPECT_EQ(real_text(999999999999999.0), "999999999999999");
  EXPECT_EQ(real_text(1234567890123456.0), "1234567890123456");
  EXPECT_EQ(real_text(123456789012345680.0), "1.2345678901234568E+17");
  EXPECT_EQ(real_text(1e-4), "0.0001");
  EXPECT_EQ(real_text(1e-5), "1E-05");
  EXPECT_EQ(real_text(1.25e-300), "1.25E-300");
  EXPECT_EQ(real_text(5e-324), "5E-324");
  EXPECT_EQ(real_text(std::numeric_limits<double>::max()), "1.7976931348623157E+308");
  EXPECT_EQ(real_text(0.1f), "0.1");
  EXPECT_EQ(real_text(16777216.0f), "16777216");
  EXPECT_EQ(real_text(1e8f), "1E+08");
  EXPECT_EQ(real_text(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(real_text(-std::numeric_limits<float>::infinity()), "-Infinity");
}

TEST(NumberText, HalfNumbers) {
  EXPECT_EQ(half_value(0x3c00), 1);
  EXPECT_EQ(half_value(0xc000), -2);
  EXPECT_EQ(half_value(0x0001), 5.9604644775390625e-08f);
  EXPECT_EQ(real_text(half_value(0x7c00)), "Infinity");
}

TEST(NumberText, WideIntegers) {
  EXPECT_EQ(integer_text(0, 0, true), "0");
  EXPECT_EQ(integer_text(~uint64_t{0}, ~uint64_t{0}, true), "-1");
  EXPECT_EQ(integer_text(0, uint64_t{1} << 63, true), "-170141183460469231731687303715884105728");
  EXPECT_EQ(integer_text(~uint64_t{0}, ~uint64_t{0}, false), "340282366920938463463374607431768211455");
}

TEST(NumberText, Decimals) {
  std::array<uint8_t, 16> bytes{};
  bytes[8] = 150, bytes[2] = 2;
  EXPECT_EQ(decimal_text(bytes), "1.50");
  bytes[8] = 5, bytes[3] = 0x80;
  EXPECT_EQ(decimal_text(bytes), "-0.05");
  EXPECT_EQ(decimal_text(base::Bytes(bytes).first(15)), "?");
}

TEST(NumberText, DaysOfTheCalendar) {
  EXPECT_EQ(day_text(0), "0001-01-01");
  EXPECT_EQ(day_text(58), "0001-02-28");
  EXPECT_EQ(day_text(59), "0001-03-01");
  EXPECT_EQ(day_text(719'162), "1970-01-01");
  EXPECT_EQ(day_text(738'944), "2024-02-29");
  EXPECT_EQ(day_text(738'945), "2024-03-01");
  EXPECT_EQ(day_text(3'652'058), "9999-12-31");
}

TEST(NumberText, TimesAndSpans) {
  EXPECT_EQ(time_of_day_text(0), "00:00:00");
  EXPECT_EQ(time_of_day_text(863'999'999'999), "23:59:59.9999999");
  EXPECT_EQ(span_text(-15'000'000), "-00:00:01.5");
  EXPECT_EQ(span_text(std::numeric_limits<int64_t>::min()), "-10675199.02:48:05.4775808");
  EXPECT_EQ(offset_text(-210), "-03:30");
}

TEST(NumberText, TextsWithTheirEscapes) {
  EXPECT_EQ(quoted("a\"b'c\\\n", '"', false), "\"a\\\"b'c\\\\\\n\"");
  EXPECT_EQ(quoted("'", '\'', false), "'\\''");
  EXPECT_EQ(quoted(std::string("\0\x1b", 2), '"', false), "\"\\0\\u001b\"");
  EXPECT_EQ(quoted("long", '"', true), "\"long\"…");
}

}  // namespace
}  // namespace walkabout::values
