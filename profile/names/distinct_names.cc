#include "profile/names/distinct_names.h"

#include <utility>
#include <vector>

namespace walkabout::profile {
namespace {

using Methods = std::vector<const wire::Method*>;

// Those that are called as another one is.
Methods shared_names(const Methods& methods, Detail detail) {
  struct Named {
    const wire::Method* first;
    bool is_shared = false;
  };
  std::unordered_map<std::string, Named> by_name;
  std::vector<Named*> named;
  named.reserve(methods.size());
  for (const wire::Method* method : methods) {
    std::string key = readable_name(*method, detail).text + '\0' + method->module;
    Named& known = by_name.try_emplace(std::move(key), Named{method}).first->second;
    if (known.first != method && raw_name(*known.first) != raw_name(*method)) known.is_shared = true;
    named.push_back(&known);
  }
  Methods out;
  for (size_t i = 0; i < methods.size(); ++i) {
    if (named[i]->is_shared) out.push_back(methods[i]);
  }
  return out;
}

}  // namespace

void DistinctNames::learn(const CodeTable& code) {
  if (code.methods().size() == learned_) return;
  learned_ = code.methods().size();
  more_than_usual_.clear();
  Methods all;
  for (const auto& [id, method] : code.methods()) all.push_back(&method);
  const Methods shared = shared_names(all, Detail::kUsual);
  for (const wire::Method* method : shared) more_than_usual_[method] = Detail::kMore;
  for (const wire::Method* method : shared_names(shared, Detail::kMore))
    more_than_usual_[method] = Detail::kRaw;
}

ReadableName DistinctNames::of(const wire::Method& method) const {
  const auto more = more_than_usual_.find(&method);
  return readable_name(method, more == more_than_usual_.end() ? Detail::kUsual : more->second);
}

}  // namespace walkabout::profile
