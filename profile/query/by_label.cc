#include "profile/query/by_label.h"

#include <algorithm>
#include <map>

#include "profile/query/blocked.h"
#include "profile/query/rows.h"
#include "profile/query/view.h"

namespace walkabout::profile {

namespace {

bool is_grouped(const wire::SourceLabel& label) {
  return label.type != static_cast<uint32_t>(wire::LabelType::kThreadState) &&
         label.type != static_cast<uint32_t>(wire::LabelType::kSystemCall) &&
         label.type != static_cast<uint32_t>(wire::LabelType::kMethod);
}

// What has nothing of the value in view is of another value of its source. Where nothing has, all stays.
void leave_out_others(std::map<uint64_t, Amount>& sums) {
  const bool any =
      std::any_of(sums.begin(), sums.end(), [](const auto& sum) { return sum.second.weight != 0; });
  if (any) std::erase_if(sums, [](const auto& sum) { return sum.second.weight == 0; });
}

bool tells_nothing(const std::map<uint64_t, Amount>& sums) {
  return sums.size() == 1 && sums.begin()->first == 0;
}

}  // namespace

std::vector<ByLabel> by_label(const Profile& profile, View view) {
  const std::vector<wire::SourceLabel>& labels = source_of(profile, view).labels;
  std::vector<ByLabel> out;
  if (std::none_of(labels.begin(), labels.end(), is_grouped)) return out;
  const wire::Adding adding = adding_of(profile, view);
  const std::vector<Row> all = rows(profile, {.node = false, .labels = true}, view);
  for (size_t label = 0; label < labels.size(); ++label) {
    if (!is_grouped(labels[label])) continue;
    std::map<uint64_t, Amount> sums;
    for (const Row& row : all) add(row.sum, adding, sums[label_of(profile, row.labels, label)]);
    leave_out_others(sums);
    if (tells_nothing(sums)) continue;
    out.push_back({labels[label], {}});
    for (const auto& [value, amount] : sums) out.back().values.push_back({value, amount});
    std::stable_sort(out.back().values.begin(), out.back().values.end(),
                     [](const auto& a, const auto& b) { return a.amount.weight > b.amount.weight; });
  }
  return out;
}

}  // namespace walkabout::profile
