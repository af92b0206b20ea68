#include "profile/names/distinct_names.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace walkabout::profile {
namespace {

using Methods = std::vector<const wire::Method*>;

// By index of a method: whether it is called as another one is.
std::vector<bool> shared_names(const Methods& methods, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, size_t> first;  // who was called so first
  std::vector<bool> shared(methods.size(), false);
  for (size_t i = 0; i < methods.size(); ++i) {
    const auto [known, added] = first.try_emplace(names[i], i);
    if (added || raw_name(*methods[known->second]) == raw_name(*methods[i])) continue;
    shared[i] = shared[known->second] = true;
  }
  // Those that have the raw name of the first one, too.
  for (size_t i = 0; i < methods.size(); ++i) shared[i] = shared[first[names[i]]];
  return shared;
}

// What may be another one's name in another module.
std::string name_in_module(const wire::Method& method, Detail detail) {
  return readable_name(method, detail).text + '\0' + method.module;
}

}  // namespace

void DistinctNames::learn(const CodeTable& code) {
  if (code.methods().size() == learned_) return;
  learned_ = code.methods().size();
  more_than_usual_.clear();
  Methods methods;
  std::vector<std::string> names;
  for (const auto& [id, method] : code.methods()) {
    methods.push_back(&method);
    names.push_back(name_in_module(method, Detail::kUsual));
  }
  // A name with more may be the usual one of a third.
  for (bool changed = true; changed;) {
    changed = false;
    const std::vector<bool> shared = shared_names(methods, names);
    for (size_t i = 0; i < methods.size(); ++i) {
      if (!shared[i]) continue;
      const auto [detail, added] = more_than_usual_.try_emplace(methods[i], Detail::kMore);
      if (!added && std::exchange(detail->second, Detail::kRaw) == Detail::kRaw) continue;
      names[i] = name_in_module(*methods[i], detail->second);
      changed = true;
    }
  }
}

ReadableName DistinctNames::of(const wire::Method& method) const {
  const auto more = more_than_usual_.find(&method);
  return readable_name(method, more == more_than_usual_.end() ? Detail::kUsual : more->second);
}

}  // namespace walkabout::profile
