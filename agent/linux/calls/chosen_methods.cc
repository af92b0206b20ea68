#include "agent/linux/calls/chosen_methods.h"

namespace walkabout::agent {

uint32_t ChosenMethods::add(const Key& key, const About& about) {
  const auto index = static_cast<uint32_t>(methods_.size());
  index_of_.emplace(key, index);
  methods_.push_back({key, about});
  return index;
}

std::optional<uint32_t> ChosenMethods::find(const Key& key) const {
  const auto known = index_of_.find(key);
  return known == index_of_.end() ? std::nullopt : std::optional(known->second);
}

void ChosenMethods::may_be_changed(uint32_t index) {
  if (methods_[index].fate == Fate::kChosen) methods_[index].fate = Fate::kMayBeChanged;
}

void ChosenMethods::request(uint32_t index) {
  methods_[index].requested = true;
  callers_.erase(methods_[index].key);
}

bool ChosenMethods::leave_alone(uint32_t index) {
  return std::exchange(methods_[index].fate, Fate::kLeftAlone) != Fate::kLeftAlone;
}

std::optional<uint32_t> ChosenMethods::to_change(const Key& key) const {
  const std::optional<uint32_t> index = find(key);
  if (!index) return index;
  const Fate fate = methods_[*index].fate;
  return fate == Fate::kMayBeChanged || fate == Fate::kChanged ? index : std::nullopt;
}

// As the inliner of another it may be before it is asked for.
bool ChosenMethods::changed(uint32_t index) {
  request(index);
  if (methods_[index].fate != Fate::kMayBeChanged) return false;
  methods_[index].fate = Fate::kChanged;
  return true;
}

void ChosenMethods::note_caller(const Key& key) {
  const std::optional<uint32_t> index = find(key);
  if (!index || !methods_[*index].requested) callers_.insert(key);
}

std::vector<ChosenMethods::Key> ChosenMethods::methods_to_revert() const {
  std::vector<Key> keys;
  for (const Method& method : methods_) {
    if (method.requested) keys.push_back(method.key);
  }
  return keys;
}

}  // namespace walkabout::agent
