#include "agent/sources/exceptions.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "agent/sources/table.h"
#include "agent/sources/texts.h"
#include "base/byte_hash.h"
#include "clr/events/keywords.h"

namespace walkabout::agent {
namespace {

// The runtime's frames between a throw and its events are less.
constexpr uint64_t kDispatchBytes = 64 << 10;

constexpr std::u16string_view kKinds[] = {u"thrown", u"thrown in a handler", u"rethrown"};

size_t kind_of(const clr::ExceptionThrown& event) {
  if (event.rethrown) return 2;
  return event.nested ? 1 : 0;
}

__attribute__((noinline)) uint64_t stack_pointer() {
  return reinterpret_cast<uint64_t>(__builtin_frame_address(0));
}

}  // namespace

std::unique_ptr<Source> make_exceptions_source() { return std::make_unique<ExceptionsSource>(); }

wire::Source ExceptionsSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"exceptions", "count"}, {"caught", "count"}}, {{"type", wire::LabelType::kType},
                                                                   {"kind", wire::LabelType::kText},
                                                                   {"handler", wire::LabelType::kText},
                                                                   {"message", wire::LabelType::kMessage}});
}

// With the events of handlers come those of every finally and filter block, and of the end of each.
SourceNeeds ExceptionsSource::needs(uint32_t /*runtime*/) const {
  return {0, 0, clr::kExceptionKeyword, clr::kInformational};
}

void ExceptionsSource::on_event(const RuntimeEvent& event) {
  if (event.id == clr::kExceptionThrown) thrown(event);
  if (event.id == clr::kExceptionCatchStart) handled(event);
}

void ExceptionsSource::look_up(const clr::ExceptionThrown& thrown, TypeAndKind& last) {
  const size_t kind = kind_of(thrown);
  const uint64_t hash = base::hash_of(thrown.type.bytes, kind);
  if (last.hash != hash || last.type == 0)
    last = {hash, label(*texts_, thrown.type), label(*texts_, kKinds[kind])};
}

void ExceptionsSource::thrown(const RuntimeEvent& event) {
  clr::ExceptionThrown thrown;
  if (!capture_.is_on() || !clr::parse_exception_thrown(event.payload, &thrown)) return;
  Thread* thread = capture_.mine(threads_);
  if (thread == nullptr) return capture_.lose();
  look_up(thrown, thread->labels);
  const uint64_t sp = stack_pointer();
  Thrown& last = thread->thrown;
  const bool inside = last.sp != 0 && (sp < last.sp || last.inside);
  last = {thread->labels.type, thread->labels.kind, sp, inside};
  std::array<uint64_t, kLabels> labels{last.type, last.kind, 0, 0};
  capture_.event(std::array<uint64_t, kValues>{1, 0}, labels,
                 [&] { labels[3] = texts_->id_of_message(thrown.message.bytes).value; });
}

uint64_t ExceptionsSource::handler_label(Handler& last, const clr::EventString& method) {
  const uint64_t hash = base::hash_of(method.bytes, 0);
  if (last.hash != hash || last.label == 0) {
    const clr::PlainMethod plain = clr::plain_method(method);
    last = {hash, texts_->id_of_many(plain.type.bytes, plain.name.bytes).value};
  }
  return last.label;
}

void ExceptionsSource::handled(const RuntimeEvent& event) {
  clr::EventString method;
  Thread* thread = capture_.mine(threads_);
  if (thread == nullptr || !clr::parse_exception_catch(event.payload, &method)) return;
  const Thrown last = std::exchange(thread->thrown, Thrown{});
  const bool known = last.sp != 0 && !last.inside && stack_pointer() <= last.sp + kDispatchBytes;
  const std::array<uint64_t, kLabels> labels{known ? last.type : 0, known ? last.kind : 0,
                                             handler_label(thread->handler, method), 0};
  capture_.event(std::array<uint64_t, kValues>{0, 1}, labels);
}

}  // namespace walkabout::agent
