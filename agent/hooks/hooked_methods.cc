#include "agent/hooks/hooked_methods.h"

#include <algorithm>

#include "clr/abi/info_helpers.h"
#include "clr/names/method_name.h"
#include "clr/names/method_record.h"
#include "wire/counter_blocks.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

// The runtime's own dispatcher of exceptions, which never returns where one is caught: on .NET 9 its frames
// are still on the stack when those that it unwinds are reported.
bool dispatches_exceptions(clr::ModuleNames& names, const clr::ModuleNames::Method& method) {
  if (method.owner == 0 || names.file_name() != "System.Private.CoreLib.dll") return false;
  const std::string type = names.name_of(method.owner);
  return type == "System.Runtime.EH" || type.starts_with("System.Runtime.EH+") ||
         type == "System.Runtime.StackFrameIterator" ||
         type == "System.Runtime.ExceptionServices.InternalCalls";
}

}  // namespace

HookedMethods::HookedMethods(clr::ICorProfilerInfo12* info, std::vector<wire::MethodPattern> patterns)
    : info_(info), patterns_(std::move(patterns)) {
  matched_.resize(patterns_.size());
  state_.looked = true;
}

[[gnu::cold]] bool HookedMethods::is_wanted(clr::ModuleNames& names, clr::mdMethodDef token,
                                            std::vector<size_t>* matched) const {
  const clr::ModuleNames::Method method = names.method(token);
  if (dispatches_exceptions(names, method)) return false;
  if (patterns_.empty()) return true;
  const std::string type = method.owner == 0 ? std::string() : names.name_of(method.owner);
  const std::string name = wire::matched_name(type, method.name);
  const std::vector<std::string> attributes =
      wire::asks_for_attributes(patterns_) ? names.attributes(token) : std::vector<std::string>();
  const wire::NamedMethod named{names.file_name(), name, wire::is_state_machine(type), attributes};
  return wire::choose(patterns_, named, [matched](size_t i) { matched->push_back(i); });
}

std::optional<uint32_t> HookedMethods::map(clr::FunctionID function) {
  clr::ClassID type = 0;
  Key key;
  if (clr::failed(info_->GetFunctionInfo(function, &type, &key.first, &key.second))) return std::nullopt;
  const uint32_t index = index_in(key);
  const base::Lock lock(mutex_);
  functions_[function] = index;
  return index == kNotHooked ? std::nullopt : std::optional(index);
}

[[gnu::cold]] uint32_t HookedMethods::index_in(const Key& key) {
  {
    const base::Lock lock(mutex_);
    if (const auto known = methods_.find(key); known != methods_.end()) return known->second;
  }
  clr::ModuleNames names = clr::ModuleNames::of(*info_, key.first);
  std::vector<size_t> matched;
  const bool wanted = is_wanted(names, key.second, &matched);
  clr::MethodName name;
  if (wanted) name = clr::declared_name(names, key.second);
  const base::Lock lock(mutex_);
  const auto [place, is_new] = methods_.try_emplace(key, kNotHooked);
  if (!is_new) return place->second;  // another thread's, meanwhile
  for (const size_t i : matched) ++matched_[i];
  patterns_changed_ = patterns_changed_ || !matched.empty();
  if (!wanted) return kNotHooked;
  if (state_.chosen == wire::kMostCountedMethods) {
    ++state_.too_many;
    return kNotHooked;
  }
  place->second = static_cast<uint32_t>(state_.chosen++);
  ++state_.rewritten;
  wire::encode(clr::counted_method_record(place->second, std::move(name)), declared_);
  return place->second;
}

std::optional<uint32_t> HookedMethods::index_of(clr::FunctionID function) {
  const base::Lock lock(mutex_);
  const auto known = functions_.find(function);
  if (known == functions_.end() || known->second == kNotHooked) return std::nullopt;
  return known->second;
}

void HookedMethods::module_unloads(clr::ModuleID module) {
  const base::Lock lock(mutex_);
  methods_.erase(methods_.lower_bound({module, 0}), methods_.upper_bound({module, ~clr::mdMethodDef{0}}));
}

[[gnu::cold]] void HookedMethods::emit(uint64_t time_us, std::string* records) {
  wire::CallState state;
  {
    const base::Lock lock(mutex_);
    for (size_t i = 0; patterns_changed_ && i < patterns_.size(); ++i)
      wire::encode(wire::CallPattern{static_cast<uint32_t>(i), patterns_[i].text, matched_[i], ""}, *records);
    patterns_changed_ = false;
    *records += declared_;
    declared_.clear();
    state = state_;
  }
  std::string said;
  wire::encode(state, said);
  if (std::exchange(last_state_, said) == said) return;
  state.time_us = time_us;
  wire::encode(state, *records);
}

}  // namespace walkabout::agent
