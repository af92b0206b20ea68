#include "profile/query/compiled_again.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profile/query/named_source.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

bool has_times(const Profile& profile, const NamedSource& jit) {
  return !profile.view ||
         (source_of(profile, *profile.view).id == jit.source().id && profile.view->value == 0);
}

}  // namespace

std::vector<CompiledAgain> compiled_again(const Profile& profile) {
  const NamedSource jit(profile, "jit");
  if (!jit.recorded() || profile.processes > 1 || !has_times(profile, jit)) return {};
  std::map<uint64_t, CompiledAgain> by_method;
  for (const Sample& sample : profile.samples) {
    if (!jit.has(sample) || sample.end == wire::WalkEnd::kNotWalked) continue;
    const uint64_t number = jit.label_number(sample, "method's number");
    if (number == 0) continue;
    CompiledAgain& one = by_method[number];
    if (one.method.empty()) one.method = jit.label(sample, "method");
    one.compiles.push_back({sample.time_us, sample.weight, jit.label(sample, "tier")});
    one.ns += one.compiles.back().ns;
  }
  std::vector<CompiledAgain> again;
  for (auto& [number, one] : by_method) {
    if (one.compiles.size() < 2) continue;
    std::ranges::stable_sort(one.compiles, {}, &Compile::time_us);
    again.push_back(std::move(one));
  }
  std::ranges::stable_sort(again, std::ranges::greater(), &CompiledAgain::ns);
  return again;
}

}  // namespace walkabout::profile
