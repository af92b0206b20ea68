#include "cli/trace_tree.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace walkabout::cli {
namespace {

using profile::TracedNode;
using profile::Traces;

constexpr size_t kMostTraceIndentation = 120;  // bytes; deeper branches are drawn at the same place

// With its waiting: what a caller has of it.
uint64_t weight_of(const TracedNode& node) { return node.figures.total + node.figures.waiting; }

class TraceTreeWriter {
 public:
  TraceTreeWriter(const Traces& traces, double least, size_t most)
      : nodes_(traces.nodes), children_(nodes_.size()) {
    uint64_t total = 0, waiting = 0;
    std::vector<uint64_t> totals;
    for (uint32_t i = 1; i < nodes_.size(); ++i) {
      totals.push_back(nodes_[i].figures.total);
      children_[nodes_[i].parent].push_back(i);
      if (nodes_[i].parent == 0) total += nodes_[i].figures.total;
      waiting = std::max(waiting, nodes_[i].figures.waiting);
    }
    least_time_ = static_cast<double>(total) * least;
    // The hottest of all, not those of the first branch.
    if (totals.size() > most && most != 0) {
      const auto last = totals.begin() + static_cast<std::ptrdiff_t>(most - 1);
      std::nth_element(totals.begin(), last, totals.end(), std::greater<>());
      least_time_ = std::max(least_time_, static_cast<double>(*last));
    }
    least_waiting_ = static_cast<double>(waiting) * least;
  }

  std::vector<TraceTreeRow> rows(size_t most) {
    add_children(0, -1, "");
    // Depth first without recursion: the recording decides how deep it is.
    while (!open_.empty() && rows_.size() < most) {
      Open next = std::move(open_.back());
      open_.pop_back();
      const int row = static_cast<int>(rows_.size());
      rows_.push_back(std::move(next.row));
      if (rows_.back().hidden == 0) add_children(rows_.back().node, row, next.indentation_below);
    }
    return std::move(rows_);
  }

 private:
  struct Open {
    TraceTreeRow row;
    std::string indentation_below;
  };

  bool is_shown(const TracedNode& node) const {
    const profile::CallFigures& figures = node.figures;
    if (figures.total == 0 && figures.waiting == 0) return false;
    return static_cast<double>(figures.total) >= least_time_ ||
           (figures.waiting != 0 && static_cast<double>(figures.waiting) >= least_waiting_);
  }

  // Rows for the children of `node`, pushed last first.
  void add_children(uint32_t node, int parent_row, const std::string& indentation) {
    std::vector<uint32_t> shown;
    TraceTreeRow rest{node, parent_row, "", 0, 0};
    for (const uint32_t child : children_[node]) {
      if (is_shown(nodes_[child])) {
        shown.push_back(child);
      } else {
        ++rest.hidden;
        rest.total += nodes_[child].figures.total;
      }
    }
    if (static_cast<double>(rest.total) < least_time_ || rest.total == 0) rest.hidden = 0;
    std::stable_sort(shown.begin(), shown.end(),
                     [this](uint32_t a, uint32_t b) { return weight_of(nodes_[a]) > weight_of(nodes_[b]); });
    const size_t count = shown.size() + (rest.hidden != 0 ? 1 : 0);
    const bool branch = count > 1 && indentation.size() < kMostTraceIndentation;
    const auto push = [&](TraceTreeRow row, bool last) {
      row.indentation = indentation + (!branch ? "" : last ? "└ " : "├ ");
      open_.push_back({std::move(row), indentation + (!branch ? "" : last ? "  " : "│ ")});
    };
    if (rest.hidden != 0) push(std::move(rest), true);
    for (size_t i = shown.size(); i-- > 0;)
      push({shown[i], parent_row, "", 0, nodes_[shown[i]].figures.total}, i + 1 == count);
  }

  const std::vector<TracedNode>& nodes_;
  std::vector<std::vector<uint32_t>> children_;
  double least_time_ = 0, least_waiting_ = 0;
  std::vector<Open> open_;
  std::vector<TraceTreeRow> rows_;
};

}  // namespace

std::vector<TraceTreeRow> trace_tree_rows(const Traces& traces, double least, size_t most) {
  return TraceTreeWriter(traces, least, most).rows(most);
}

}  // namespace walkabout::cli
