// A source of a recording by its name, and what its samples say by the names of its values and labels. Of a
// profile without a view. Any thread, no state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "profile/model/profile.h"

namespace walkabout::profile {

class NamedSource {
 public:
  // profile: outlives it.
  NamedSource(const Profile& profile, std::string_view name);
  // False also where the agent declared the source and the runtime could not give it.
  bool recorded() const { return index_.has_value(); }
  bool has(const Sample& sample) const { return index_ == sample.source; }
  // 0 where the source has no such value. REQUIRES, of this and the following: recorded().
  uint64_t value(const Sample& sample, std::string_view name) const;
  std::string label(const Sample& sample, std::string_view name) const;
  // The label as it was recorded; 0 where there is none.
  uint64_t label_number(const Sample& sample, std::string_view name) const;
  // Whether the sample is a sum of these events. Samples of the source's other values are none.
  bool has_sum(const Sample& sample) const;
  const wire::Source& source() const { return profile_.sources[*index_]; }

 private:
  std::optional<size_t> label_index(std::string_view name) const;
  bool is_refused(std::string_view name) const;

  const Profile& profile_;
  std::optional<uint8_t> index_;
};

}  // namespace walkabout::profile
