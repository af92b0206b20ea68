// The methods whose calls are to be counted, by index, what became of each, and the callers that the runtime
// compiles again because some of them were inlined there. Says which code may be changed, and whose code is
// to be given back. No lock of its own: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "clr/abi/types.h"

namespace walkabout::agent {

class ChosenMethods {
 public:
  using Key = std::pair<clr::ModuleID, clr::mdMethodDef>;

  // What is known of one beside its key.
  struct About {
    clr::mdMethodDef named = 0;  // which method of the module it stands for
    bool async = false;          // the MoveNext of an async method
  };

  size_t size() const { return methods_.size(); }
  // Its index, the next one. Nothing is changed yet.
  uint32_t add(const Key& key, const About& about);
  uint32_t add(const Key& key) { return add(key, {key.second, false}); }
  std::optional<uint32_t> find(const Key& key) const;
  const Key& key_of(uint32_t index) const { return methods_[index].key; }
  const About& about(uint32_t index) const { return methods_[index].about; }

  // Its counters are there.
  void may_be_changed(uint32_t index);
  // The runtime is asked for it, or was: its code is to be given back, whatever else becomes of it.
  void request(uint32_t index);
  bool is_requested(uint32_t index) const { return methods_[index].requested; }
  // False: it was left alone before.
  bool leave_alone(uint32_t index);
  // None: the method keeps its code, for it was not chosen, has no counters yet, or is left alone.
  std::optional<uint32_t> to_change(const Key& key) const;
  // False: it was before.
  bool changed(uint32_t index);
  // A method that keeps its code was compiled again. One that was asked for is known as such.
  void note_caller(const Key& key);

  size_t callers() const { return callers_.size(); }
  // What has to have its own code again: methods, and callers.
  std::vector<Key> methods_to_revert() const;
  const std::set<Key>& callers_to_revert() const { return callers_; }

 private:
  enum class Fate : uint8_t { kChosen, kMayBeChanged, kChanged, kLeftAlone };
  struct Method {
    Key key;
    About about;
    Fate fate = Fate::kChosen;
    bool requested = false;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const { return key.first * 31 + key.second; }
  };

  std::vector<Method> methods_;
  std::unordered_map<Key, uint32_t, KeyHash> index_of_;
  std::set<Key> callers_;
};

}  // namespace walkabout::agent
