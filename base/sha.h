// Secure hashes, to tell whether a file is the one that somebody named: SHA-1, SHA-256, SHA-384 and SHA-512
// of FIPS 180-4. SHA-1 is no proof against whoever makes two files of one hash. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace walkabout::base {

enum class ShaKind : uint8_t { k1, k256, k384, k512 };

// "SHA1", "SHA256", "SHA384", "SHA512", also in small letters and with a hyphen: as .NET names them.
std::optional<ShaKind> sha_kind(std::string_view name);

// Its 20, 32, 48 or 64 bytes.
std::string sha(ShaKind kind, std::span<const uint8_t> bytes);

}  // namespace walkabout::base
