#include "cli/slow_calls.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace walkabout::cli {
namespace {

using profile::SlowCall;

constexpr size_t kMostChildren = 3;
constexpr size_t kMostRowsOfOne = 8;
constexpr size_t kMostSlowIndentation = 40;  // bytes

class SlowCalls {
 public:
  explicit SlowCalls(const std::vector<SlowCall>& calls) : calls_(calls), children_(calls.size()) {
    std::unordered_map<uint64_t, uint32_t> by_number;
    for (uint32_t i = 0; i < calls_.size(); ++i) by_number.emplace(calls_[i].number, i);
    for (uint32_t i = 0; i < calls_.size(); ++i) {
      const auto caller = by_number.find(calls_[i].caller);
      // A caller begins before: so there is no way around in a ring.
      const bool has_caller = calls_[i].caller != 0 && caller != by_number.end() && caller->second < i;
      (has_caller ? children_[caller->second] : outermost_).push_back(i);
    }
    sort(outermost_);
    for (std::vector<uint32_t>& children : children_) sort(children);
  }

  std::vector<SlowCallRow> rows(size_t outermost) {
    for (size_t i = 0; i < std::min(outermost, outermost_.size()); ++i) {
      end_ = rows_.size() + kMostRowsOfOne;
      rows_.push_back({outermost_[i], true, "", 0});
      add_children(outermost_[i], "");
    }
    return std::move(rows_);
  }

 private:
  void sort(std::vector<uint32_t>& calls) const {
    std::stable_sort(calls.begin(), calls.end(),
                     [this](uint32_t a, uint32_t b) { return calls_[a].wall_ns > calls_[b].wall_ns; });
  }

  // No deeper than there are rows of one.
  void add_children(uint32_t call, const std::string& indentation) {
    const std::vector<uint32_t>& children = children_[call];
    size_t shown = 0;
    for (; shown < std::min(children.size(), kMostChildren) && rows_.size() < end_; ++shown) {
      const bool last = shown + 1 == children.size();
      rows_.push_back({children[shown], false, indentation + (last ? "└ " : "├ "), 0});
      if (indentation.size() < kMostSlowIndentation)
        add_children(children[shown], indentation + (last ? "  " : "│ "));
    }
    if (shown < children.size()) rows_.push_back({call, false, indentation + "└ ", children.size() - shown});
  }

  const std::vector<SlowCall>& calls_;
  std::vector<std::vector<uint32_t>> children_;
  std::vector<uint32_t> outermost_;
  size_t end_ = 0;  // of the rows of one
  std::vector<SlowCallRow> rows_;
};

}  // namespace

std::vector<SlowCallRow> slow_call_rows(const profile::Traces& traces, size_t outermost) {
  return SlowCalls(traces.calls).rows(outermost);
}

}  // namespace walkabout::cli
