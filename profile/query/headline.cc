#include "profile/query/headline.h"

#include <algorithm>
#include <array>

#include "profile/query/managed_code.h"
#include "profile/query/rows.h"
#include "profile/query/runtime_work.h"
#include "profile/query/view.h"

namespace walkabout::profile {

std::vector<HeadlinePart> headline(const Profile& profile, View view) {
  if (source_of(profile, view).clock == static_cast<uint32_t>(wire::Clock::kEvent)) return {};
  const wire::Adding adding = adding_of(profile, view);
  std::array<Amount, static_cast<size_t>(Activity::kCount)> activity{};
  Amount all;
  const std::vector<Row> rows = activity_rows(profile, view);
  for (const Row& row : rows) {
    add(row.sum, adding, activity[static_cast<size_t>(row.activity)]);
    add(row.sum, adding, all);
  }
  const auto of = [&activity](Activity one) { return activity[static_cast<size_t>(one)]; };
  const ManagedCode code = managed_code(profile, view, rows);
  std::vector<HeadlinePart> parts{{"your code", code.mine, 0},
                                  {"framework", code.framework, 0},
                                  {"native code", of(Activity::kNative), 0},
                                  {"GC", of(Activity::kGc), 0},
                                  {"JIT", of(Activity::kJit), 0}};
  const std::vector<RuntimeWork> work = runtime_work(profile, view, rows);
  for (const RuntimeWork& one : work)
    parts.push_back({one.what == kOtherWork ? "runtime, other" : std::string(one.what), one.amount, 0});
  if (work.empty()) parts.push_back({"runtime", of(Activity::kRuntime), 0});
  std::stable_sort(parts.begin() + 2, parts.end(), [](const HeadlinePart& a, const HeadlinePart& b) {
    return a.amount.weight > b.amount.weight;
  });
  std::erase_if(parts, [](const HeadlinePart& part) { return part.amount.weight == 0; });
  for (HeadlinePart& part : parts)
    part.share = static_cast<double>(part.amount.weight) / static_cast<double>(all.weight);
  return parts;
}

}  // namespace walkabout::profile
