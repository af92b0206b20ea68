#include "agent/sources/jit.h"

#include <array>
#include <memory>
#include <string_view>

#include "agent/sources/table.h"
#include "agent/sources/texts.h"
#include "base/clock.h"
#include "clr/events/keywords.h"
#include "clr/events/load_events.h"

namespace walkabout::agent {
namespace {

std::u16string_view tier_text(uint8_t tier) {
  constexpr std::u16string_view kTexts[] = {u"unknown",
                                            u"not optimized",
                                            u"optimized",
                                            u"tier 0",
                                            u"tier 1",
                                            u"on-stack replacement",
                                            u"tier 0, instrumented",
                                            u"tier 1, instrumented"};
  return tier < std::size(kTexts) ? kTexts[tier] : kTexts[0];
}

// Of a method that was compiled, what its event keeps during the walk.
struct Compiled {
  uint64_t own_ns = 0;
  uint32_t il_size = 0, size = 0;
  uint8_t tier = 0;
  clr::EventString type, name;
};

// False: it is not compiled now. It is a stub, or precompiled code.
__attribute__((noinline)) bool read(const RuntimeEvent& event, NestedTimes& compiles, Compiled* method) {
  clr::MethodLoad load;
  if (!clr::parse_method_load(event.payload, event.version, &load)) return false;
  const std::optional<NestedTimes::Ended> ended = compiles.end(load.method_id, base::monotonic_ns());
  if (!ended) return false;
  *method = {ended->own_ns, ended->note, load.size, load.tier, load.type, load.name};
  return true;
}

}  // namespace

std::unique_ptr<Source> make_jit_source() { return std::make_unique<JitSource>(); }

wire::Source JitSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"compile time", "nanoseconds"}, {"methods", "count"}, {"code", "bytes"}, {"IL", "bytes"}},
                  {{"tier", wire::LabelType::kText}, {"method", wire::LabelType::kText}});
}

SourceNeeds JitSource::needs(uint32_t /*runtime*/) const { return {0, 0, clr::kJitKeyword, clr::kVerbose}; }

void JitSource::on_event(const RuntimeEvent& event) {
  if (event.id != clr::kMethodJittingStarted && event.id != clr::kMethodLoadVerbose) return;
  NestedTimes* compiles = capture_.mine(compiles_);
  if (compiles == nullptr) return;
  if (event.id == clr::kMethodLoadVerbose) return ends(event, *compiles);
  begins(event, *compiles);
}

void JitSource::begins(const RuntimeEvent& event, NestedTimes& compiles) {
  clr::JittingStarted start;
  if (clr::parse_jitting_started(event.payload, &start))
    compiles.begin(start.method_id, base::monotonic_ns(), start.il_size);
}

void JitSource::ends(const RuntimeEvent& event, NestedTimes& compiles) {
  Compiled method;
  if (!read(event, compiles, &method)) return;
  const std::array<uint64_t, 4> values{method.own_ns, 1, method.size, method.il_size};
  std::array<uint64_t, 2> labels{label(*texts_, tier_text(method.tier)), 0};
  capture_.event(values, labels,
                 [&] { labels[1] = texts_->id_of_many(method.type.bytes, method.name.bytes).value; });
}

}  // namespace walkabout::agent
