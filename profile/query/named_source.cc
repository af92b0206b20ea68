#include "profile/query/named_source.h"

#include <algorithm>

#include "profile/names/label_text.h"
#include "profile/query/blocked.h"

namespace walkabout::profile {

NamedSource::NamedSource(const Profile& profile, std::string_view name) : profile_(profile) {
  for (size_t i = 0; i < profile.sources.size(); ++i) {
    if (profile.sources[i].name == name && !is_refused(name)) index_ = static_cast<uint8_t>(i);
  }
}

uint64_t NamedSource::value(const Sample& sample, std::string_view name) const {
  const std::vector<wire::SourceValue>& values = source().values;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].name == name) return value_of(profile_, sample, i);
  }
  return 0;
}

std::optional<size_t> NamedSource::label_index(std::string_view name) const {
  const std::vector<wire::SourceLabel>& labels = source().labels;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i].name == name) return i;
  }
  return std::nullopt;
}

std::string NamedSource::label(const Sample& sample, std::string_view name) const {
  const std::optional<size_t> at = label_index(name);
  return at ? label_text(profile_, source().labels[*at], label_of(profile_, sample.labels, at)) : "";
}

uint64_t NamedSource::label_number(const Sample& sample, std::string_view name) const {
  return label_of(profile_, sample.labels, label_index(name));
}

bool NamedSource::has_sum(const Sample& sample) const {
  if (!has(sample) || sample.end != wire::WalkEnd::kNotWalked) return false;
  const std::vector<wire::SourceValue>& values = source().values;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].unit == "count") return value_of(profile_, sample, i) != 0;
  }
  return false;
}

// The agent declares a source before it knows that the runtime cannot give it, and says so then.
bool NamedSource::is_refused(std::string_view name) const {
  const std::string refusal = std::string(name) + " is not recorded";
  return std::any_of(profile_.messages.begin(), profile_.messages.end(), [&](const wire::Message& message) {
    return message.text.compare(0, refusal.size(), refusal) == 0;
  });
}

}  // namespace walkabout::profile
