#include <algorithm>
#include <utility>

#include "cli/report_view.h"
#include "profile/query/rows.h"
#include "profile/query/tree.h"

namespace walkabout::cli {
namespace {

using profile::Amount;
using profile::Profile;
using profile::Totals;

constexpr size_t kMostRows = 20'000;
constexpr size_t kMostIndentation = 120;  // bytes; deeper branches are drawn at the same place

// The children of one node: which are shown, and what the others come to.
struct Children {
  std::vector<uint32_t> shown;  // heaviest first
  Amount hidden;
  uint64_t hidden_count = 0;
};

class TreeWriter {
 public:
  TreeWriter(const Profile& profile, const Totals& totals, double min_percent)
      : totals_(totals),
        lists_(profile.nodes),
        least_(static_cast<double>(totals.all.weight) * min_percent / 100.0) {}

  std::vector<TreeRow> rows() {
    add_children(0, -1, "");
    // Depth first without recursion: the recording decides how deep it is.
    while (!open_.empty() && rows_.size() < kMostRows) {
      Open next = std::move(open_.back());
      open_.pop_back();
      const int row = static_cast<int>(rows_.size());
      const bool is_node = next.row.hidden == 0;
      rows_.push_back(std::move(next.row));
      if (is_node) add_children(rows_.back().node, row, next.indentation_below);
    }
    return std::move(rows_);
  }

 private:
  struct Open {
    TreeRow row;
    std::string indentation_below;
  };

  Children children_of(uint32_t node) const {
    Children out;
    for (uint32_t c = lists_.first(node); c != profile::ChildLists::kNone; c = lists_.next(c)) {
      const Amount& amount = totals_.node_total[c];
      if (amount.samples == 0 && amount.weight == 0) continue;
      if (static_cast<double>(amount.weight) >= least_) {
        out.shown.push_back(c);
      } else {
        profile::add(amount, totals_.adding, out.hidden);
        ++out.hidden_count;
      }
    }
    if (static_cast<double>(out.hidden.weight) < least_) out.hidden_count = 0;
    std::stable_sort(out.shown.begin(), out.shown.end(), [this](uint32_t a, uint32_t b) {
      return totals_.node_total[a].weight > totals_.node_total[b].weight;
    });
    return out;
  }

  // Rows for the children of `node`, pushed last first.
  void add_children(uint32_t node, int parent_row, const std::string& indentation) {
    const Children children = children_of(node);
    const size_t count = children.shown.size() + (children.hidden_count > 0 ? 1 : 0);
    const bool branch = count > 1 && indentation.size() < kMostIndentation;
    const auto push = [&](uint32_t child, uint64_t hidden, Amount amount, bool last) {
      TreeRow row{child, parent_row, indentation + (!branch ? "" : last ? "└ " : "├ "), hidden, amount};
      open_.push_back({std::move(row), indentation + (!branch ? "" : last ? "  " : "│ ")});
    };
    if (children.hidden_count > 0) push(node, children.hidden_count, children.hidden, true);
    for (size_t i = children.shown.size(); i-- > 0;) {
      push(children.shown[i], 0, totals_.node_total[children.shown[i]], i + 1 == count);
    }
  }

  const Totals& totals_;
  const profile::ChildLists lists_;
  const double least_;
  std::vector<Open> open_;
  std::vector<TreeRow> rows_;
};

}  // namespace

std::vector<TreeRow> tree_rows(const Profile& profile, const Totals& totals, double min_percent) {
  return TreeWriter(profile, totals, min_percent).rows();
}

}  // namespace walkabout::cli
