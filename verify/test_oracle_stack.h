// For tests of the comparison with the CLR's walk: stacks whose methods are letters and whose offsets are
// numbers.
#pragma once

#include <string>

#include "verify/oracle_compare.h"

namespace walkabout::profile::testing {

inline constexpr char kMethods[] = "ABCDEFGHIJKLMNOPQRS";

// F('A', 3) is the call at 3 in method A.
inline OracleFrame F(char method, uint32_t offset) {
  const auto code = static_cast<unsigned char>(method);
  return {wire::Frame::in_code(wire::FrameKind::kJitted, base::CodeId(code), offset), &kMethods[method - 'A'],
          true, false};
}

// "equal", "unexplained", or the rule that explains the difference.
inline std::string verdict(const OracleStack& ours, const OracleStack& clr) {
  const Comparison c = compare(ours, clr);
  if (c.verdict == Verdict::kEqual) return "equal";
  return c.verdict == Verdict::kExplained ? c.rule : "unexplained";
}

}  // namespace walkabout::profile::testing
