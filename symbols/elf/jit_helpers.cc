#include "symbols/elf/jit_helpers.h"

#include <cstdlib>
#include <optional>
#include <string_view>

#include "symbols/elf/jit_helper_order.h"

namespace walkabout::symbols {
namespace {

using Word = LoadedData::Word;
using Order = std::vector<std::string_view>;

constexpr uint64_t kMostLater = 1000;  // helpers that are looked up later
constexpr std::string_view kNamedLater = "D:";
constexpr const char* kPrefix = "CORINFO_HELP_";

Order expanded(std::string_view text) {
  Order order;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view item = text.substr(0, end);
    const size_t star = item.find('*');
    const int times =
        star == std::string_view::npos ? 1 : std::atoi(std::string(item.substr(star + 1)).c_str());
    order.insert(order.end(), static_cast<size_t>(times), item.substr(0, star));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return order;
}

// One look at the words from some place on, as if the table began there.
class Fit {
 public:
  Fit(const LoadedData& data, size_t begin) : data_(data), begin_(begin) {}
  bool fits(const Order& order) {
    if (data_.words().size() - begin_ < order.size()) return false;
    for (size_t i = 0; i < order.size(); ++i) {
      if (!takes(order[i], data_.words()[begin_ + i])) return false;
    }
    return true;
  }
  JitHelpers helpers() const {
    JitHelpers helpers;
    for (const auto& [name, begin] : functions_)
      helpers.functions.emplace(kPrefix + std::string(name), begin);
    for (const auto& [number, name] : later_) helpers.later.emplace(number, kPrefix + std::string(name));
    return helpers;
  }

 private:
  bool takes(std::string_view item, const Word& word) {
    if (item == "0") return !word.address && word.value == 0;
    if (item == "D" || item.starts_with(kNamedLater)) return takes_later(item, word);
    if (!data_.is_code(word)) return false;
    if (item == "?") return true;
    if (item[0] != '=') return functions_.emplace(item, word.value).second;
    const auto same = functions_.find(item.substr(1));
    return same != functions_.end() && same->second == word.value;
  }
  bool takes_later(std::string_view item, const Word& word) {
    const bool next = !last_ || word.value == *last_ + 1;
    if (word.address || !next || word.value > kMostLater) return false;
    last_ = word.value;
    if (item.starts_with(kNamedLater)) later_.emplace(word.value, item.substr(kNamedLater.size()));
    return true;
  }

  const LoadedData& data_;
  const size_t begin_;
  std::optional<uint64_t> last_;
  std::map<std::string_view, uint64_t> functions_;
  std::map<uint64_t, std::string_view> later_;
};

}  // namespace

JitHelpers read_jit_helpers(const LoadedData& data) {
  std::optional<JitHelpers> found;
  for (const std::string_view release : kJitHelpersOfReleases) {
    const Order order = expanded(release);
    for (size_t begin = 0; begin < data.words().size(); ++begin) {
      Fit fit(data, begin);
      if (!fit.fits(order)) continue;
      if (found) return {};  // which of the two it is nobody knows
      found = fit.helpers();
    }
  }
  return found.value_or(JitHelpers());
}

}  // namespace walkabout::symbols
