#include "agent/sources/jit.h"

#include <algorithm>
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

// "Namespace.Type.Method", as far as there is room. Its stack is not there during the walk.
__attribute__((noinline)) uint64_t method_label(TextTable& texts, const clr::MethodLoad& method) {
  std::array<uint8_t, 512> name;
  size_t size = 0;
  const auto add = [&](std::span<const uint8_t> part) {
    const size_t taken = std::min(part.size(), name.size() - size) & ~size_t{1};
    std::copy_n(part.begin(), taken, name.begin() + static_cast<ptrdiff_t>(size));
    size += taken;
  };
  constexpr uint8_t kDot[] = {'.', 0};
  add(method.type.bytes);
  if (size != 0) add(kDot);
  add(method.name.bytes);
  return texts.id_of_many(std::span(name).first(size)).value;
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
  const std::optional<Place> place = capture_.place();
  if (!place) return;
  NestedTimes& compiles = compiles_.of(*place);
  if (event.id == clr::kMethodJittingStarted) {
    clr::JittingStarted start;
    if (clr::parse_jitting_started(event.payload, &start))
      compiles.begin(start.method_id, base::monotonic_ns(), start.il_size);
    return;
  }
  clr::MethodLoad load;
  if (!clr::parse_method_load(event.payload, event.version, &load)) return;
  const std::optional<NestedTimes::Ended> compiled = compiles.end(load.method_id, base::monotonic_ns());
  if (!compiled) return;  // not compiled now: a stub, or precompiled code
  const std::array<uint64_t, 4> values{compiled->own_ns, 1, load.size, compiled->note};
  std::array<uint64_t, 2> labels{label(*texts_, tier_text(load.tier)), 0};
  capture_.event(values, labels, [&] { labels[1] = method_label(*texts_, load); });
}

}  // namespace walkabout::agent
