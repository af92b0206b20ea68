#include "profile/query/sync_over_async.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "profile/query/pool_stack.h"
#include "profile/query/rows.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

constexpr char kWaits[] = "waits";

class WaitingStacks {
 public:
  explicit WaitingStacks(const Profile& profile) : profile_(profile) {}

  // From the leaf to the method that asked for the wait.
  bool waits_for_task(uint32_t leaf, uint32_t caller) const {
    for (uint32_t node = leaf; node != 0 && node != caller; node = parent(node)) {
      if (profile::waits_for_task(name(node))) return true;
    }
    return false;
  }
  bool is_of_pool(uint32_t node) const {
    for (; node != 0; node = parent(node)) {
      if (takes_pools_work(name(node))) return true;
    }
    return false;
  }
  uint32_t frame(uint32_t node) const { return node == 0 ? kNoFrame : profile_.nodes[node].frame; }

 private:
  uint32_t parent(uint32_t node) const { return profile_.nodes[node].parent; }
  std::string_view name(uint32_t node) const { return profile_.frames[profile_.nodes[node].frame].name; }

  const Profile& profile_;
};

}  // namespace

std::optional<SyncOverAsync> sync_over_async(const Profile& profile, View view) {
  const wire::Source& source = source_of(profile, view);
  const std::optional<size_t> state = find_label(source, wire::LabelType::kThreadState);
  if (!state && source.name != kWaits) return std::nullopt;
  const wire::Adding adding = adding_of(profile, view);
  const WaitingStacks stacks(profile);
  SyncOverAsync out;
  std::map<std::pair<uint32_t, uint32_t>, Amount> waits;
  for (const Row& row : rows(profile, {.labels = true}, view)) {
    const bool blocked =
        !state || label_of(profile, row.labels, state) == static_cast<uint64_t>(wire::ThreadState::kBlocked);
    if (!blocked) continue;
    const WaitNodes wait = wait_of(profile, row.node);
    if (wait.caller == 0 || !stacks.waits_for_task(row.node, wait.caller) || !stacks.is_of_pool(wait.caller))
      continue;
    add(row.sum, adding, out.amount);
    add(row.sum, adding, waits[{stacks.frame(wait.method), stacks.frame(wait.caller)}]);
  }
  if (out.amount.samples == 0) return std::nullopt;
  for (const auto& [frames, amount] : waits) out.waits.push_back({frames.first, frames.second, amount});
  std::stable_sort(out.waits.begin(), out.waits.end(),
                   [](const Wait& a, const Wait& b) { return a.amount.weight > b.amount.weight; });
  return out;
}

}  // namespace walkabout::profile
