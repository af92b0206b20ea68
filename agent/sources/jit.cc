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

#if defined(_WIN32)
constexpr bool kByCallbacks = true;  // agent/windows/session/jit_code.h says why
#else
constexpr bool kByCallbacks = false;
#endif

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

// False: it is not compiled now. It is a stub, or precompiled code.
__attribute__((noinline)) bool read(const RuntimeEvent& event, NestedTimes& compiles,
                                    JitSource::Compiled* method) {
  clr::MethodLoad load;
  if (!clr::parse_method_load(event.payload, event.version, &load)) return false;
  const std::optional<NestedTimes::Ended> ended = compiles.end(load.method_id, base::monotonic_ns());
  if (!ended) return false;
  *method = {load.method_id, ended->own_ns, ended->note, load.size, load.tier, load.type, load.name};
  return true;
}

}  // namespace

std::unique_ptr<Source> make_jit_source() { return std::make_unique<JitSource>(); }

wire::Source JitSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"compile time", "nanoseconds"}, {"methods", "count"}, {"code", "bytes"}, {"IL", "bytes"}},
                  {{"tier", wire::LabelType::kText},
                   {"method", wire::LabelType::kText},
                   {"method's number", wire::LabelType::kMethod}});
}

SourceNeeds JitSource::needs(uint32_t /*runtime*/) const {
  if (kByCallbacks) return {clr::COR_PRF_MONITOR_JIT_COMPILATION, 0, 0, 0};
  return {0, 0, clr::kJitKeyword, clr::kVerbose};
}

base::Status JitSource::start(const SourceContext& context) {
  info_ = context.info;
  return EventSource::start(context);
}

void JitSource::on_event(const RuntimeEvent& event) {
  if (kByCallbacks || (event.id != clr::kMethodJittingStarted && event.id != clr::kMethodLoadVerbose)) return;
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
  capture(method, [&] { return texts_->id_of_many(method.type.bytes, method.name.bytes).value; });
}

void JitSource::on_compile_begin(clr::FunctionID method, uint32_t il_size) {
  if (NestedTimes* compiles = capture_.mine(compiles_); compiles != nullptr)
    compiles->begin(method, base::monotonic_ns(), il_size);
}

void JitSource::on_compile_end(clr::FunctionID method, uint32_t code_size) {
  NestedTimes* compiles = capture_.mine(compiles_);
  if (compiles == nullptr) return;
  const std::optional<NestedTimes::Ended> ended = compiles->end(method, base::monotonic_ns());
  if (!ended) return;
  capture({method, ended->own_ns, ended->note, code_size, 0, {}, {}}, [&]() -> uint64_t {
    clr::ShortName* name = capture_.mine(names_);
    if (info_ == nullptr || name == nullptr) return 0;
    name->clear();
    name->of_function(*info_, method);
    return label_of_many(*texts_, name->text());
  });
}

template <typename Name>
void JitSource::capture(const Compiled& method, Name name) {
  const std::array<uint64_t, 4> values{method.own_ns, 1, method.size, method.il_size};
  std::array<uint64_t, 3> labels{label(*texts_, tier_text(method.tier)), 0, method.id};
  capture_.event(values, labels, [&] { labels[1] = name(); });
}

}  // namespace walkabout::agent
