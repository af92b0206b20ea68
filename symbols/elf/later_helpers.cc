#include "symbols/elf/later_helpers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace walkabout::symbols {
namespace {

// push rbp; mov rbp, rsp; mov eax, edi; lea rcx, [table]; mov [rcx + rax * 8], rsi; pop rbp; ret
constexpr std::string_view kSetter = "554889e589f8488d0d........488934c15dc3";
constexpr uint64_t kTableOfSetter = 9;
constexpr uint64_t kOperandOfLea = 3, kBytesOfLea = 7;
// lea rsi, [function]; mov edi, number; call, or jmp
constexpr std::string_view kSet = "488d35........bf..........";
// lea rbx, [function]; then for each number: mov edi, number; mov rsi, rbx; call
constexpr std::string_view kKeep = "488d1d........bf........4889dee8";
constexpr std::string_view kSetKept = "bf........4889dee8";
constexpr uint64_t kBytesOfSetKept = 13;

// By number, each function that is set.
using HelpersSet = std::multimap<uint64_t, uint64_t>;

class HelperSetter {
 public:
  // Nothing where there is none, or more than one.
  static std::optional<HelperSetter> find(const ImageCode& code) {
    std::optional<uint64_t> found;
    for (uint64_t at = code.begin(); at < code.end(); ++at) {
      if (!code.is(kSetter, at)) continue;
      if (found) return std::nullopt;
      found = at;
    }
    if (!found) return std::nullopt;
    return HelperSetter(code, *found);
  }
  // Address of the word with that number.
  uint64_t word(uint64_t number) const {
    return code_.target(begin_ + kTableOfSetter).value_or(0) + number * sizeof(uint64_t);
  }
  HelpersSet calls() const {
    HelpersSet set;
    for (uint64_t at = code_.begin(); at < code_.end(); ++at) {
      if (code_.is(kSet, at) && is_call(at + kBytesOfLea + 5)) add(at, at + kBytesOfLea, set);
      if (!code_.is(kKeep, at)) continue;
      for (uint64_t one = at + kBytesOfLea; code_.is(kSetKept, one) && is_call(one + 8);
           one += kBytesOfSetKept)
        add(at, one, set);
    }
    return set;
  }

 private:
  HelperSetter(const ImageCode& code, uint64_t begin) : code_(code), begin_(begin) {}
  bool is_call(uint64_t at) const { return code_.call_or_jump(at) == begin_; }
  // lea, mov: where these instructions are.
  void add(uint64_t lea, uint64_t mov, HelpersSet& set) const {
    const std::optional<uint64_t> function = code_.target(lea + kOperandOfLea);
    if (function && code_.contains(*function)) set.emplace(code_.number(mov + 1), *function);
  }

  const ImageCode& code_;
  uint64_t begin_;
};

// What the file has there, a function; nothing: it has none.
std::optional<uint64_t> initial_function(const LoadedData& data, uint64_t address) {
  const uint64_t index = (address - data.address(0)) / sizeof(uint64_t);
  if (address < data.address(0) || index >= data.words().size()) return std::nullopt;
  const LoadedData::Word& word = data.words()[static_cast<size_t>(index)];
  return data.is_code(word) ? std::optional<uint64_t>(word.value) : std::nullopt;
}

// Numbers of helpers begin with 1, those of words with 0.
bool is_later_table(const HelperSetter& setter, const LoadedData& data, const JitHelpers& helpers) {
  size_t same = 0;
  for (const auto& [number, name] : helpers.later) {
    const bool object = name == "CORINFO_HELP_NEWSFAST", array = name == "CORINFO_HELP_NEWARR_1_VC";
    if (!object && !array) continue;
    const auto slow =
        helpers.functions.find(object ? "CORINFO_HELP_NEWFAST" : "CORINFO_HELP_NEWARR_1_DIRECT");
    if (slow == helpers.functions.end() || initial_function(data, setter.word(number - 1)) != slow->second)
      return false;
    ++same;
  }
  return same == 2;
}

bool has_name_already(const JitHelpers& helpers, uint64_t function) {
  return std::any_of(helpers.functions.begin(), helpers.functions.end(),
                     [function](const auto& known) { return known.second == function; });
}

}  // namespace

std::vector<NamedStart> read_later_helpers(const ImageCode& code, const LoadedData& data,
                                           const JitHelpers& helpers) {
  if (helpers.later.empty() || data.words().empty()) return {};
  const std::optional<HelperSetter> setter = HelperSetter::find(code);
  if (!setter || !is_later_table(*setter, data, helpers)) return {};
  std::vector<NamedStart> found;
  const HelpersSet set = setter->calls();
  for (const auto& [number, name] : helpers.later) {
    const auto [first, last] = set.equal_range(number - 1);
    for (auto one = first; one != last; ++one) found.push_back({one->second, name});
    const std::optional<uint64_t> own = initial_function(data, setter->word(number - 1));
    if (own && !has_name_already(helpers, *own)) found.push_back({*own, name});
  }
  return found;
}

}  // namespace walkabout::symbols
