#include "profile/query/headline.h"

#include <algorithm>
#include <array>

#include "profile/query/managed_code.h"
#include "profile/query/runtime_work.h"
#include "profile/query/view.h"

namespace walkabout::profile {

namespace {

constexpr uint64_t kFew =
    100;  // work of the runtime that is less than such a part of all has no word of its own

}  // namespace

std::vector<HeadlinePart> headline(const Profile& profile, View view, const std::vector<Row>& rows) {
  if (source_of(profile, view).clock == static_cast<uint32_t>(wire::Clock::kEvent)) return {};
  const wire::Adding adding = adding_of(profile, view);
  std::array<Amount, static_cast<size_t>(Activity::kCount)> activity{};
  Amount all;
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
  HeadlinePart rest{"runtime, other", {}, 0};
  for (const RuntimeWork& one : work) {
    if (one.what != kOtherWork && one.amount.weight * kFew >= all.weight) {
      parts.push_back({std::string(one.what), one.amount, 0});
    } else {
      rest.amount += one.amount;
    }
  }
  parts.push_back(rest);
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
