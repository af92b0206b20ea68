// Numbers as people read them. Any thread, no state.
#pragma once

#include <cstdint>
#include <string>

namespace walkabout::cli {

double percent(uint64_t part, uint64_t whole);
double seconds(uint64_t ns);
// "12.3 s", "1.52 s", "15.2 ms", "840 us": three digits.
std::string duration(uint64_t ns);
// "512 B", "1.50 KiB", "12.3 MiB": three digits.
std::string byte_size(uint64_t bytes);
// "1,234,567"
std::string grouped(uint64_t value);
// "1 sample", "2 samples"
std::string counted(uint64_t count, const std::string& noun);

}  // namespace walkabout::cli
