#include "agent/sources/loads.h"

#include <array>
#include <memory>

#include "agent/shared/utf16_file_name.h"
#include "agent/sources/table.h"
#include "agent/sources/texts.h"
#include "base/clock.h"
#include "clr/events/keywords.h"
#include "clr/events/load_events.h"
#include "clr/events/payload.h"

namespace walkabout::agent {
namespace {

// Without its folder.
clr::EventString file_name(clr::EventString path) {
  return {path.bytes.subspan(file_name_offset(path.bytes, kSeparators))};
}

}  // namespace

std::unique_ptr<Source> make_loads_source() { return std::make_unique<LoadsSource>(); }

wire::Source LoadsSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"loads", "count"}, {"load time", "nanoseconds"}},
                  {{"kind", wire::LabelType::kText}, {"name", wire::LabelType::kType}});
}

SourceNeeds LoadsSource::needs(uint32_t /*runtime*/) const {
  return {0, 0, clr::kLoaderKeyword | clr::kTypeDiagnosticKeyword, clr::kVerbose};
}

base::Status LoadsSource::start(const SourceContext& context) {
  types_capture_.begin(context);
  return EventSource::start(context);
}

void LoadsSource::on_event(const RuntimeEvent& event) {
  clr::EventString name;
  if (event.id == clr::kAssemblyLoad) {
    if (clr::parse_assembly_load(event.payload, &name)) rare_loaded(u"assembly", name);
  } else if (event.id == clr::kModuleLoad) {
    if (clr::parse_module_load(event.payload, &name)) rare_loaded(u"module", file_name(name));
  } else if (event.id == clr::kTypeLoadStart || event.id == clr::kTypeLoadStop) {
    type_event(event);
  }
}

void LoadsSource::rare_loaded(std::u16string_view what, const clr::EventString& name) {
  if (!capture_.is_on()) return;
  const std::array<uint64_t, 2> values{1, 0};
  const std::array<uint64_t, 2> labels{label(*texts_, what), label(*texts_, name)};
  capture_.event(values, labels);
}

void LoadsSource::type_event(const RuntimeEvent& event) {
  NestedTimes* types = types_capture_.mine(types_);
  if (types == nullptr || event.payload.size() < sizeof(uint32_t)) return;
  const auto load = clr::number_at<uint32_t>(event.payload, 0);
  if (event.id == clr::kTypeLoadStart) return types->begin(load, base::monotonic_ns());
  const std::optional<NestedTimes::Ended> ended = types->end(load, base::monotonic_ns());
  clr::EventString name;
  if (!ended || !clr::parse_type_load_stop(event.payload, &name)) return;
  const std::array<uint64_t, 2> values{1, ended->own_ns};
  std::array<uint64_t, 2> labels{label(*texts_, u"type"), 0};
  types_capture_.event(values, labels, [&] { labels[1] = texts_->id_of_many(name.bytes).value; });
}

}  // namespace walkabout::agent
