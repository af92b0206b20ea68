// MD5 of RFC 1321, which DWARF has of source files: it tells a file that was changed since. It is no proof
// against whoever makes two files of one sum. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace walkabout::base {

// Its 16 bytes.
std::string md5(std::span<const uint8_t> bytes);

}  // namespace walkabout::base
