#include "agent/sources/exceptions.h"

#include <array>
#include <memory>

#include "agent/sources/table.h"
#include "agent/sources/texts.h"
#include "clr/events/exception.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kExceptionKeyword = 0x8000;
constexpr uint32_t kError = 2;  // above it come events of every catch and finally block

std::u16string_view kind_of(const clr::ExceptionThrown& event) {
  if (event.rethrown) return u"rethrown";
  return event.nested ? u"thrown in a handler" : u"thrown";
}

}  // namespace

std::unique_ptr<Source> make_exceptions_source() { return std::make_unique<ExceptionsSource>(); }

wire::Source ExceptionsSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"exceptions", "count"}}, {{"type", wire::LabelType::kType},
                                              {"kind", wire::LabelType::kText},
                                              {"message", wire::LabelType::kMessage}});
}

SourceNeeds ExceptionsSource::needs(uint32_t /*runtime*/) const { return {0, 0, kExceptionKeyword, kError}; }

void ExceptionsSource::on_event(const RuntimeEvent& event) {
  clr::ExceptionThrown thrown;
  if (event.id != clr::kExceptionThrown || !capture_.is_on()) return;
  if (!clr::parse_exception_thrown(event.payload, &thrown)) return;
  const std::array<uint64_t, 1> values{1};
  std::array<uint64_t, 3> labels{label(*texts_, thrown.type), label(*texts_, kind_of(thrown)), 0};
  if (capture_.will_walk()) labels[2] = texts_->id_of_message(thrown.message.bytes).value;
  capture_.event(values, labels);
}

}  // namespace walkabout::agent
