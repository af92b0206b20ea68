#include "clr/names/stub_code.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace walkabout::clr {
namespace {

using wire::StubKind;

// Two hexadecimal digits a byte; dots: any byte.
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
    {StubKind::kVirtualCall, "488b07488b40..ff60.."},
    {StubKind::kVirtualCall, "488b07488b40..ffa0........"},
    {StubKind::kVirtualCall, "488b07488b80........ff60.."},
    {StubKind::kVirtualCall, "488b07488b80........ffa0........"},
    // the argument is about what; of generic code it is looked up first
    {StubKind::kHelper, "488b47..488b40..488b40..4885c07401c348be................e9........"},
    {StubKind::kHelper, "488b47..488b40..488b40..c3"},
    {StubKind::kHelper, "488bf748bf................e9........"},
    {StubKind::kHelper, "48bf................e9........"},
    {StubKind::kHelper, "48be................e9........"},
    {StubKind::kHelper, "48ba................e9........"},
    {StubKind::kDelegateCall, "4d8b53204983c32041ffe2"},
    {StubKind::kDelegateCall, "488bc44989fb"},
};
// Somewhere in it: looks at the card, and marks it.
constexpr Pattern kParts[] = {
    {StubKind::kWriteBarrier, "803c07ff7502f3c3c60407ffc3"},
    {StubKind::kWriteBarrier, "41803c00ff7502f3c341c60400ffc3"},
};

constexpr int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

bool is_at(std::string_view pattern, std::span<const uint8_t> code, size_t at) {
  if (pattern.size() / 2 > code.size() - at) return false;
  for (size_t i = 0; i < pattern.size(); i += 2) {
    if (pattern[i] != '.' && code[at + i / 2] != digit(pattern[i]) * 16 + digit(pattern[i + 1])) return false;
  }
  return true;
}

// Begins so near before the instruction that this is in it.
bool is_around(std::string_view pattern, std::span<const uint8_t> code, size_t at) {
  for (size_t back = 0; back < std::min(pattern.size() / 2, at + 1); ++back) {
    if (is_at(pattern, code, at - back)) return true;
  }
  return false;
}

bool is_anywhere(std::string_view pattern, std::span<const uint8_t> code) {
  for (size_t at = 0; at < code.size(); ++at) {
    if (is_at(pattern, code, at)) return true;
  }
  return false;
}

}  // namespace

StubKind stub_kind_of(std::span<const uint8_t> code, size_t at) {
  if (at >= code.size()) return StubKind::kUnknown;
  for (const Pattern& stub : kWholeStubs) {
    if (is_around(stub.code, code, at)) return stub.kind;
  }
  for (const Pattern& part : kParts) {
    if (is_anywhere(part.code, code)) return part.kind;
  }
  return StubKind::kUnknown;
}

}  // namespace walkabout::clr
