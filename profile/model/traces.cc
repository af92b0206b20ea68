#include "profile/model/traces.h"

namespace walkabout::profile {
namespace {

std::string text_of(const wire::TracedValue& value) {
  std::string text = value.text.empty() ? "?" : value.text;
  if (value.cut && !text.ends_with("…")) text += "…";
  return text;
}

}  // namespace

uint64_t Traces::all_calls() const {
  uint64_t sum = 0;
  for (const TracedNode& node : nodes) sum += node.figures.calls;
  return sum;
}

uint64_t Traces::all_self() const {
  uint64_t sum = 0;
  for (const TracedNode& node : nodes) sum += node.figures.self;
  return sum;
}

std::string arguments_text(const SlowCall& call) {
  std::string text;
  for (const wire::TracedValue& value : call.arguments) {
    if (!text.empty()) text += ", ";
    if (!value.name.empty()) text += value.name + ": ";
    text += text_of(value);
  }
  return text;
}

std::string result_text(const SlowCall& call) {
  if (call.result.empty()) return {};
  const wire::TracedValue& value = call.result.front();
  if (call.outcome != wire::CallOutcome::kException) return text_of(value);
  if (value.type.empty()) return value.text;
  return value.type + (value.text.empty() ? "" : ": " + value.text);
}

}  // namespace walkabout::profile
