#include "values/number_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace walkabout::values {
namespace {

constexpr uint64_t kTicksOfSecond = 10'000'000, kSecondsOfDay = 86'400;
constexpr uint64_t kTicksOfDay = kTicksOfSecond * kSecondsOfDay;

template <typename... Values>
std::string printed(const char* format, Values... values) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

// The shortest digits that read as the number, and where its point is: 0.digits × 10^point.
struct Digits {
  std::string digits;
  int point = 0;
};
template <typename Same>
Digits digits_of(double value, int most, Same same) {
  std::array<char, 64> text{};
  for (int places = 0; places < most; ++places) {
    std::snprintf(text.data(), text.size(), "%.*e", places, value);
    if (same(text.data())) break;
  }
  Digits result;
  const char* at = text.data();
  for (; *at != '\0' && *at != 'e'; ++at) {
    if (*at >= '0' && *at <= '9') result.digits += *at;
  }
  result.point = *at == 'e' ? std::atoi(at + 1) + 1 : 1;
  while (result.digits.size() > 1 && result.digits.back() == '0') result.digits.pop_back();
  return result;
}

// As C# has it: an exponent is written where there are more places in front of the point than digits, and
// than `plain`; and below 0.0001.
template <typename Same>
std::string real(double value, int most, int plain, Same same) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "Infinity";
  if (value == 0) return sign + "0";
  auto [digits, point] = digits_of(std::fabs(value), most, same);
  const auto count = static_cast<int>(digits.size());
  if (point > std::max(count, plain) || point < -3) {
    std::string text = sign + digits.substr(0, 1);
    if (count > 1) text += "." + digits.substr(1);
    return text + printed("E%c%02d", point > 0 ? '+' : '-', std::abs(point - 1));
  }
  if (point <= 0) return sign + "0." + std::string(static_cast<size_t>(-point), '0') + digits;
  if (point >= count) return sign + digits + std::string(static_cast<size_t>(point - count), '0');
  return sign + digits.substr(0, static_cast<size_t>(point)) + "." +
         digits.substr(static_cast<size_t>(point));
}

// Divides the number of 128 bits by ten: the remainder.
uint32_t divide_by_ten(std::array<uint32_t, 4>* number) {
  uint64_t rest = 0;
  for (size_t i = 4; i-- > 0;) {
    const uint64_t part = rest << 32 | (*number)[i];
    (*number)[i] = static_cast<uint32_t>(part / 10);
    rest = part % 10;
  }
  return static_cast<uint32_t>(rest);
}

std::string decimal_digits(uint64_t low, uint64_t high) {
  std::array<uint32_t, 4> number = {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32),
                                    static_cast<uint32_t>(high), static_cast<uint32_t>(high >> 32)};
  std::string digits;
  do {
    digits += static_cast<char>('0' + divide_by_ten(&number));
  } while (number != std::array<uint32_t, 4>{});
  std::reverse(digits.begin(), digits.end());
  return digits;
}

// ".5" of a second; of none nothing.
std::string fraction_text(uint64_t ticks) {
  if (ticks % kTicksOfSecond == 0) return "";
  std::string text = printed(".%07llu", static_cast<unsigned long long>(ticks % kTicksOfSecond));
  while (text.back() == '0') text.pop_back();
  return text;
}

}  // namespace

std::string real_text(double value) {
  const double size = std::fabs(value);
  return real(value, 17, 15, [size](const char* text) { return std::strtod(text, nullptr) == size; });
}

std::string real_text(float value) {
  const float size = std::fabs(value);
  return real(value, 9, 7, [size](const char* text) { return std::strtof(text, nullptr) == size; });
}

float half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const auto fraction = static_cast<float>(bits & 0x3ff);
  float value = 0;
  if (exponent == 31)
    value = fraction == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    value = std::ldexp(fraction, -24);
  else
    value = std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

std::string integer_text(uint64_t low, uint64_t high, bool is_signed) {
  if (!is_signed || static_cast<int64_t>(high) >= 0) return decimal_digits(low, high);
  return "-" + decimal_digits(~low + 1, ~high + (low == 0 ? 1 : 0));
}

// flags: the sign, and how many digits are behind the point; the high 32 bits, then the low 64.
std::string decimal_text(base::Bytes bytes) {
  const auto flags = base::load<uint32_t>(bytes, 0), high = base::load<uint32_t>(bytes, 4);
  const auto low = base::load<uint64_t>(bytes, 8);
  if (!flags || !high || !low) return "?";
  std::string digits = decimal_digits(*low, *high);
  const size_t places = *flags >> 16 & 0xff;
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places != 0) digits.insert(digits.size() - places, 1, '.');
  return ((*flags & 0x80000000) != 0 ? "-" : "") + digits;
}

// Of the calendar that C# has, from the first of January of the year 1.
std::string day_text(uint32_t days) {
  // Years begin in March here: a leap day is the last of its year.
  const uint32_t shifted = days + 306, era = shifted / 146'097, day = shifted % 146'097;
  const uint32_t year = (day - day / 1460 + day / 36'524 - day / 146'096) / 365;
  const uint32_t of_year = day - (365 * year + year / 4 - year / 100);
  const uint32_t month = (5 * of_year + 2) / 153, of_month = of_year - (153 * month + 2) / 5 + 1;
  const bool is_next = month >= 10;
  return printed("%04u-%02u-%02u", year + era * 400 + (is_next ? 1 : 0), is_next ? month - 9 : month + 3,
                 of_month);
}

std::string time_of_day_text(uint64_t ticks) {
  const auto seconds = static_cast<uint32_t>(ticks / kTicksOfSecond % kSecondsOfDay);
  return printed("%02u:%02u:%02u", seconds / 3600, seconds / 60 % 60, seconds % 60) + fraction_text(ticks);
}

std::string date_text(uint64_t ticks) {
  return day_text(static_cast<uint32_t>(ticks / kTicksOfDay)) + "T" + time_of_day_text(ticks);
}

std::string span_text(int64_t ticks) {
  const uint64_t size = ticks < 0 ? ~static_cast<uint64_t>(ticks) + 1 : static_cast<uint64_t>(ticks);
  const uint64_t days = size / kTicksOfDay;
  return (ticks < 0 ? "-" : "") + (days != 0 ? std::to_string(days) + "." : "") + time_of_day_text(size);
}

std::string offset_text(int32_t minutes) {
  return printed("%c%02d:%02d", minutes < 0 ? '-' : '+', std::abs(minutes) / 60, std::abs(minutes) % 60);
}

std::string guid_text(base::Bytes bytes) {
  const auto first = base::load<uint32_t>(bytes, 0);
  const auto second = base::load<uint16_t>(bytes, 4), third = base::load<uint16_t>(bytes, 6);
  if (!first || !second || !third || bytes.size() < 16) return "?";
  std::string text = printed("%08x-%04x-%04x-", *first, *second, *third);
  for (size_t i = 8; i < 16; ++i) {
    if (i == 10) text += '-';
    text += printed("%02x", bytes[i]);
  }
  return text;
}

std::string address_text(uint64_t address) {
  return address == 0 ? "null" : printed("0x%llx", static_cast<unsigned long long>(address));
}

std::string quoted(const std::string& utf8, char mark, bool cut) {
  static constexpr std::string_view kEscaped("\n\r\t\0\\", 5), kLetters = "nrt0\\";
  std::string text(1, mark);
  for (const char c : utf8) {
    const size_t escape = kEscaped.find(c);
    const auto byte = static_cast<unsigned char>(c);
    if (escape != std::string_view::npos) {
      text += {'\\', kLetters[escape]};
    } else if (c == mark) {
      text += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      text += printed("\\u%04x", byte);
    } else {
      text += c;
    }
  }
  text += mark;
  return cut ? text + "…" : text;
}

}  // namespace walkabout::values
