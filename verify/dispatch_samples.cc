#include "verify/dispatch_samples.h"

#include <algorithm>
#include <string_view>

namespace walkabout::profile {
namespace {

// Behind these the handler runs, or has run.
constexpr std::string_view kDispatches[] = {"ExceptionThrown", "ExceptionSearch", "ExceptionUnwind"};

}  // namespace

void DispatchSamples::add(const wire::Source& source) {
  if (source.name == "exceptions") exceptions_ = source.id;
  if (source.name != "callbacks") return;
  const auto label = std::find_if(source.labels.begin(), source.labels.end(),
                                  [](const wire::SourceLabel& one) { return one.name == "callback"; });
  if (label == source.labels.end()) return;
  callbacks_ = source.id;
  label_ = static_cast<size_t>(label - source.labels.begin());
}

void DispatchSamples::add(const wire::Text& text) {
  if (std::any_of(std::begin(kDispatches), std::end(kDispatches),
                  [&](std::string_view begin) { return text.text.starts_with(begin); }))
    dispatches_.insert(text.id.value);
}

std::vector<uint32_t> DispatchSamples::stacks() const {
  std::vector<uint32_t> out = throws_;
  for (const auto& [text, stack] : called_) {
    if (dispatches_.count(text) != 0) out.push_back(stack);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace walkabout::profile
