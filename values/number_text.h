// Numbers, and what is made of them, as C# writes them without a culture. Pure; any thread; allocates.
#pragma once

#include <cstdint>
#include <string>

#include "base/byte_span.h"

namespace walkabout::values {

// Shortest text that reads as the same number: "1.5", "1E+20", "NaN", "Infinity".
std::string real_text(double value);
std::string real_text(float value);
float half_value(uint16_t bits);

// Of 128 bits.
std::string integer_text(uint64_t low, uint64_t high, bool is_signed);
// Of System.Decimal's sixteen bytes: "1.50".
std::string decimal_text(base::Bytes bytes);
// Hundreds of nanoseconds since the year 1: "2026-11-30T12:34:56.5".
std::string date_text(uint64_t ticks);
std::string day_text(uint32_t days);           // "2026-11-30"
std::string time_of_day_text(uint64_t ticks);  // "12:34:56.5"
std::string span_text(int64_t ticks);          // "-1.02:03:04.5"
std::string offset_text(int32_t minutes);      // "+02:00"
std::string guid_text(base::Bytes bytes);
std::string address_text(uint64_t address);  // "0x7f00"
// In quotation marks, with C#'s escapes. cut: there is more of it, said by three dots behind.
std::string quoted(const std::string& utf8, char mark, bool cut);

}  // namespace walkabout::values
