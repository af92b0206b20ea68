#include "verify/oracle_compare.h"

#include <algorithm>
#include <array>

#include "verify/oracle_exceptions.h"

namespace walkabout::profile {
namespace {

// Whether ours[from…] are the CLR's frames, method by method.
bool same_methods_from(const OracleStack& ours, size_t from, const OracleStack& clr) {
  return ours.size() - from == clr.size() &&
         std::equal(clr.begin(), clr.end(), ours.begin() + static_cast<ptrdiff_t>(from), same_method);
}

using Rule = std::optional<OracleStack> (*)(const OracleStack&, const OracleStack&);
struct NamedRule {
  const char* name;
  Rule rule;
};
// In the order they are tried: frames that are left out first, then addresses of those that remain.
constexpr std::array<NamedRule, 9> kRules{{
    {"named_after_the_walk", named_after_the_walk},
    {"method_without_metadata", method_without_metadata},
    {"exception_dispatcher", exception_dispatcher},
    {"finally_funclet", finally_funclet},
    {"catch_being_left", catch_being_left},
    {"unwound_frames", unwound_frames},
    {"callback_in_preemptive_transition", callback_in_preemptive_transition},
    {"leaf_in_pinvoke_transition", leaf_in_pinvoke_transition},
    {"pinvoke_return_address", pinvoke_return_address},
}};

// The code around an inlined P/Invoke's call: linking the frame, the call, the check for a waiting GC,
// unlinking.
constexpr uint32_t kTransitionBytes = 128;

}  // namespace

std::optional<OracleStack> named_after_the_walk(const OracleStack& ours, const OracleStack& clr) {
  const auto begin = std::find_if(ours.begin(), ours.end(), [&clr](const OracleFrame& frame) {
    return !frame.named_later || (!clr.empty() && same_method(frame, clr.front()));
  });
  if (begin == ours.begin()) return std::nullopt;
  return OracleStack(begin, ours.end());
}

std::optional<OracleStack> pinvoke_return_address(const OracleStack& ours, const OracleStack& clr) {
  if (!same_methods_from(ours, 0, clr)) return std::nullopt;
  OracleStack rest = ours;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i].frame == clr[i].frame) continue;
    if (!rest[i].calls_native) return std::nullopt;
    rest[i] = clr[i];
  }
  return rest;
}

std::optional<OracleStack> callback_in_preemptive_transition(const OracleStack& ours,
                                                             const OracleStack& clr) {
  // The leaf is what native code called back, and it alone is gone in the CLR's list.
  if (ours.empty() || !same_methods_from(ours, 1, clr)) return std::nullopt;
  if (ours.size() == 1 ? !ours[0].callback : !ours[1].calls_native) return std::nullopt;
  return OracleStack(ours.begin() + 1, ours.end());
}

std::optional<OracleStack> method_without_metadata(const OracleStack& ours, const OracleStack& clr) {
  OracleStack rest;
  auto theirs = clr.begin();
  // Of a left out frame: who called it calls what it called, and what it called threw for it too.
  bool calls_native = false, throws = false;
  for (const OracleFrame& frame : ours) {
    const bool reported = theirs != clr.end() && same_method(frame, *theirs);
    if (!frame.has_metadata && !reported) {
      calls_native = calls_native || frame.calls_native;
      throws = throws || frame.throws;
      continue;
    }
    rest.push_back(frame);
    rest.back().calls_native = rest.back().calls_native || calls_native;
    rest.back().throws = rest.back().throws || throws;
    calls_native = throws = false;
    if (reported) ++theirs;
  }
  if (rest.size() == ours.size()) return std::nullopt;
  return rest;
}

std::optional<OracleStack> leaf_in_pinvoke_transition(const OracleStack& ours, const OracleStack& clr) {
  if (ours.empty() || !same_methods_from(ours, 0, clr) || ours[0].calls_native) return std::nullopt;
  const wire::Frame a = ours[0].frame, b = clr[0].frame;
  const uint32_t apart = a.offset() > b.offset() ? a.offset() - b.offset() : b.offset() - a.offset();
  if (a == b || a.code() != b.code() || apart > kTransitionBytes) return std::nullopt;
  OracleStack rest = ours;
  rest[0] = clr[0];
  return rest;
}

std::optional<OracleStack> finally_funclet(const OracleStack& ours, const OracleStack& clr) {
  OracleStack rest;
  auto theirs = clr.begin();
  for (size_t i = 0; i < ours.size(); ++i) {
    const bool reported = theirs != clr.end() && ours[i].frame == theirs->frame;
    const bool called_by_own_method = i + 1 < ours.size() && !ours[i + 1].calls_native &&
                                      ours[i].method != nullptr && ours[i].method == ours[i + 1].method;
    if (!reported && ours[i].funclet && called_by_own_method) continue;
    rest.push_back(ours[i]);
    if (theirs != clr.end()) ++theirs;
  }
  if (rest.size() == ours.size()) return std::nullopt;
  return rest;
}

FrameCount count_frames(const OracleStack& ours, const OracleStack& clr) {
  FrameCount count;
  size_t i = ours.size(), j = clr.size();
  while (i > 0 || j > 0) {
    if (i > 0 && j > 0 && same_method(ours[i - 1], clr[j - 1])) {
      ++count.all;
      count.equal += ours[i - 1].frame == clr[j - 1].frame ? 1 : 0;
      --i, --j;
    } else if (i > 0) {
      count.all += ours[i - 1].has_metadata && !ours[i - 1].funclet ? 1 : 0;
      --i;
    } else {
      ++count.all;
      --j;
    }
  }
  return count;
}

Comparison compare(const OracleStack& ours, const OracleStack& clr) {
  if (ours == clr) return {Verdict::kEqual, ""};
  OracleStack left = ours;
  std::string rules;
  for (const NamedRule& named : kRules) {
    std::optional<OracleStack> rest = named.rule(left, clr);
    if (!rest) continue;
    rules += (rules.empty() ? "" : "+") + std::string(named.name);
    left = std::move(*rest);
    if (left == clr) return {Verdict::kExplained, rules};
  }
  return {Verdict::kUnexplained, ""};
}

}  // namespace walkabout::profile
