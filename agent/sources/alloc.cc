#include "agent/sources/alloc.h"

#include <array>
#include <memory>
#include <optional>

#include "agent/sources/sampled_object.h"
#include "agent/sources/table.h"
#include "agent/sources/texts.h"

namespace walkabout::agent {

std::unique_ptr<Source> make_alloc_source() { return std::make_unique<AllocSource>(); }

wire::Source AllocSource::declaration(uint64_t /*period_ns*/) const {
  wire::Source source = declared({{"allocated", "bytes"}, {"objects", "count"}},
                                 {{"type", wire::LabelType::kType}, {"heap", wire::LabelType::kText}});
  source.period = kBytesBetweenSamples;
  return source;
}

SourceNeeds AllocSource::needs(uint32_t runtime) const { return needs_of_sampled_objects(runtime); }

base::Status AllocSource::start(const SourceContext& context) {
  report_silence(context.runtime, context.spooler);
  return EventSource::start(context);
}

void AllocSource::on_event(const RuntimeEvent& event) {
  const std::optional<SampledObject> sampled = sampled_object(event);
  if (!sampled || !capture_.is_on()) return;
  const std::array<uint64_t, 2> values{sampled->bytes, rounded(sampled->objects, random_number())};
  const std::array<uint64_t, 2> labels{label(*texts_, sampled->object.type),
                                       label(*texts_, clr::heap_text(sampled->object.heap))};
  capture_.event(values, labels);
}

}  // namespace walkabout::agent
