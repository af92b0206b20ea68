// How the clauses of a body lie behind its code. Source: ECMA-335 II.25.4.5, II.25.4.6.
#pragma once

#include <cstddef>
#include <cstdint>

namespace walkabout::il {

inline constexpr uint8_t kClauseTable = 0x01, kFatSection = 0x40, kMoreBehind = 0x80, kSectionKind = 0x3f;
inline constexpr size_t kSectionHeader = 4;  // kind and size, of the section with its header
inline constexpr size_t kSectionAlignment = 4;
inline constexpr size_t kSmallClause = 12, kFatClause = 24;
inline constexpr uint32_t kMostSmallSection = 0xff, kMostFatSection = 0xffffff;

inline size_t aligned(size_t at) {
  return (at + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

}  // namespace walkabout::il
