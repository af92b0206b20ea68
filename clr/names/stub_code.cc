#include "clr/names/stub_code.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/byte_pattern.h"

namespace walkabout::clr {
namespace {

using wire::StubKind;

// base/byte_pattern.h
struct Pattern {
  StubKind kind;
  std::string_view code;
};

constexpr Pattern kWholeStubs[] = {
    // FixupPrecode and StubPrecode
    {StubKind::kMethodEntry, "ff25........4c8b15........ff25........"},
    {StubKind::kMethodEntry, "4c8b15........ff25........"},
    {StubKind::kCallCounting, "488b05........66ff0874..ff25........ff25........"},
    // dispatch: the expected type; resolve: the cache of all; lookup
    {StubKind::kInterfaceCall,
     "48b8................483907"
     "90"
     "48b8................0f85........ffe0"},
    {StubKind::kInterfaceCall,
     "48b8................483907"
     "48b8................75..ffe0"},
    {StubKind::kInterfaceCall,
     "488b075249ba................488bd048c1e80c4803c24835........4825........4a8b041049ba................"
     "483b5000"
     "75..4c3b500875..488b40105affe0"},
    {StubKind::kInterfaceCall, "48b8................5048b8................ffe0"},
    {StubKind::kInterfaceCall, "48b8................8300ff7d..4983cb01"},
    {StubKind::kInterfaceCall, "5249ba................5048b8................ffe0"},
    {StubKind::kVirtualCall, "488b07488b40..ff60.."},
    {StubKind::kVirtualCall, "488b07488b40..ffa0........"},
    {StubKind::kVirtualCall, "488b07488b80........ff60.."},
    {StubKind::kVirtualCall, "488b07488b80........ffa0........"},
    {StubKind::kHelper, "488bf748bf................e9........"},
    {StubKind::kHelper, "48bf................e9........"},
    {StubKind::kHelper, "48be................e9........"},
    {StubKind::kHelper, "48ba................e9........"},
    {StubKind::kHelper, "48bf................48be................e9........"},
    {StubKind::kHelper, "48ba................48b9................e9........"},
    {StubKind::kHelper, "48b8................c3"},
    {StubKind::kHelper, "48a1................c3"},
    {StubKind::kHelper, "48a1................4883c0..c3"},
    {StubKind::kDelegateCall, "4d8b53204983c32041ffe2"},
    {StubKind::kDelegateCall, "488bc44989fb"},
    // the other arguments move, as many as there are; then what the code is made for
    {StubKind::kGenericCall, "48be................48b8................ffe0"},
    {StubKind::kGenericCall, "4889f248be................48b8................ffe0"},
    {StubKind::kGenericCall, "4889d14889f248be................48b8................ffe0"},
    {StubKind::kGenericCall, "4989c84889d14889f248be................48b8................ffe0"},
    {StubKind::kGenericCall, "4d89c14989c84889d14889f248be................48b8................ffe0"},
    {StubKind::kUnboxing, "4883c70848b8................ffe0"},
    {StubKind::kUnboxing, "488b374883c70848b8................ffe0"},
    {StubKind::kUnboxing, "4889f2488b374883c70848b8................ffe0"},
    {StubKind::kUnboxing, "4889d14889f2488b374883c70848b8................ffe0"},
    {StubKind::kUnboxing, "4989c84889d14889f2488b374883c70848b8................ffe0"},
};
// Somewhere in it: looks at the card, and marks it.
constexpr Pattern kParts[] = {
    {StubKind::kWriteBarrier, "803c07ff7502f3c3c60407ffc3"},
    {StubKind::kWriteBarrier, "41803c00ff7502f3c341c60400ffc3"},
};

// Begins so near before the instruction that this is in it.
bool is_around(std::string_view pattern, std::span<const uint8_t> code, size_t at) {
  for (size_t back = 0; back < std::min(base::pattern_size(pattern), at + 1); ++back) {
    if (base::is_pattern_at(pattern, code, at - back)) return true;
  }
  return false;
}

bool is_anywhere(std::string_view pattern, std::span<const uint8_t> code) {
  for (size_t at = 0; at < code.size(); ++at) {
    if (base::is_pattern_at(pattern, code, at)) return true;
  }
  return false;
}

// What generic code is made for, or what depends on that, from its dictionary: loads one after the other, of
// which the last may look first whether the dictionary is so large; then it returns, or asks for what is not
// there. Where it ends; 0: it is none.
size_t end_of_lookup(std::span<const uint8_t> code, size_t at) {
  constexpr std::string_view kFirst[] = {"488b47..", "488b87........"};
  constexpr std::string_view kNext[] = {"488b40..", "488b80........"};
  constexpr std::string_view kLarge[] = {"4881b8................7e..", "488178..........7e.."};
  constexpr std::string_view kEnds[] = {"c3", "4885c07401c348be................e9........"};
  const auto take = [&](const auto& patterns) {
    for (const std::string_view pattern : patterns) {
      if (!base::is_pattern_at(pattern, code, at)) continue;
      at += base::pattern_size(pattern);
      return true;
    }
    return false;
  };
  if (!take(kFirst)) return 0;
  size_t loads = 1;
  for (bool checked = false; take(kNext) || (!checked && (checked = take(kLarge)) && take(kNext));) ++loads;
  return loads > 1 && take(kEnds) ? at : 0;
}

bool is_in_lookup(std::span<const uint8_t> code, size_t at) {
  constexpr size_t kLongest = 80;
  for (size_t back = 0; back < std::min(kLongest, at + 1); ++back) {
    if (end_of_lookup(code, at - back) > at) return true;
  }
  return false;
}

}  // namespace

StubKind stub_kind_of(std::span<const uint8_t> code, size_t at) {
  if (at >= code.size()) return StubKind::kUnknown;
  for (const Pattern& stub : kWholeStubs) {
    if (is_around(stub.code, code, at)) return stub.kind;
  }
  if (is_in_lookup(code, at)) return StubKind::kHelper;
  for (const Pattern& part : kParts) {
    if (is_anywhere(part.code, code)) return part.kind;
  }
  return StubKind::kUnknown;
}

}  // namespace walkabout::clr
