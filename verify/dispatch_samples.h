// Samples that say themselves that an exception is being dispatched: of `exceptions` each throw, of
// `callbacks` those of the search for a handler and of the unwinding. The runtime raises them from the native
// code that the method which threw has called. Feed it the records, then ask. One thread.
#pragma once

#include <unordered_set>
#include <utility>
#include <vector>

#include "wire/records.h"

namespace walkabout::profile {

class DispatchSamples {
 public:
  void add(const wire::Source& source);
  void add(const wire::Text& text);
  // entry_of(i): the entry of sample i's stack. Texts may come later than their samples.
  template <typename EntryOf>
  void add(const wire::Samples& samples, EntryOf entry_of) {
    const size_t n = samples.stack.size();
    if (samples.source == exceptions_) {
      for (size_t i = 0; i < n; ++i) {
        if (samples.values[i] != 0) throws_.push_back(entry_of(i));
      }
    } else if (samples.source == callbacks_ && samples.labels.size() >= (label_ + 1) * n) {
      for (size_t i = 0; i < n; ++i) called_.emplace_back(samples.labels[label_ * n + i], entry_of(i));
    }
  }

  // Entries of their stacks, each once.
  std::vector<uint32_t> stacks() const;

 private:
  base::SourceId exceptions_, callbacks_;    // invalid: not declared
  size_t label_ = 0;                         // of callbacks: which one it was
  std::unordered_set<uint64_t> dispatches_;  // texts
  std::vector<uint32_t> throws_;
  std::vector<std::pair<uint64_t, uint32_t>> called_;  // text, stack
};

}  // namespace walkabout::profile
