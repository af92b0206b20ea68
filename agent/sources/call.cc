#include "agent/sources/call.h"

#include <array>
#include <optional>

#include "agent/sources/table.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kNoBound = 1;  // each() asks for no share of the thread's time

}  // namespace

std::unique_ptr<Source> make_call_source() { return std::make_unique<CallSource>(); }

CallSource::CallSource() : capture_(wire::source_id("call"), kNoBound) {}

wire::Source CallSource::declaration(uint64_t /*period_ns*/) const {
  wire::Source source;
  source.values = {{"calls", "count", wire::Adding::kSum}};
  source.labels = {{"call", static_cast<uint32_t>(wire::LabelType::kNumber)}};
  return source;
}

base::Status CallSource::start(const SourceContext& context) {
  capture_.begin(context);
  return {};
}

base::ThreadId CallSource::this_thread() const {
  const std::optional<Place> place = capture_.place();
  return place ? place->thread : base::ThreadId();
}

void CallSource::on_slow_call(uint64_t call) {
  const std::array<uint64_t, 1> values = {1}, labels = {call};
  static_cast<void>(capture_.each(values, labels));
}

}  // namespace walkabout::agent
