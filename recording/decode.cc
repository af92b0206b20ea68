#include "recording/decode.h"

#include <string>
#include <tuple>

#include "recording/fields.h"

namespace walkabout::recording {
namespace {

// Who gets a record: the function whose argument it is.
constexpr std::tuple kVisits(&RecordVisitor::on_session, &RecordVisitor::on_thread, &RecordVisitor::on_module,
                             &RecordVisitor::on_method, &RecordVisitor::on_jit_code,
                             &RecordVisitor::on_method_range, &RecordVisitor::on_oracle,
                             &RecordVisitor::on_thread_end, &RecordVisitor::on_counters,
                             &RecordVisitor::on_message, &RecordVisitor::on_rate, &RecordVisitor::on_end,
                             &RecordVisitor::on_native_symbols);

}  // namespace

template <typename Record>
void Decoder::decode_as(const Record*, std::string_view body, RecordVisitor& visitor) {
  (visitor.*std::get<void (RecordVisitor::*)(const Record&)>(kVisits))(decoded<Record>(body));
}

void Decoder::decode_as(const wire::Nodes*, std::string_view body, RecordVisitor& visitor) {
  decode_nodes(body);
  if (node_columns_.new_tree) nodes_ = 0;
  const uint32_t first = nodes_ + 1;
  nodes_ += static_cast<uint32_t>(node_columns_.parent.size());
  visitor.on_nodes(node_columns_, first);
}

void Decoder::decode_as(const wire::Samples*, std::string_view body, RecordVisitor& visitor) {
  decode_samples(body);
  visitor.on_samples(sample_columns_);
}

base::Status Decoder::decode(const RawRecord& record, RecordVisitor& visitor) {
  const auto broken = [&record](const char* how) {
    return base::Status::error("a record of type " + std::to_string(static_cast<uint32_t>(record.type)) +
                               " " + how);
  };
  try {
    wire::with_record(record.type, [&](const auto* type) { decode_as(type, record.body, visitor); });
    return {};
  } catch (const BadRecord& bad) {
    return broken(bad.what);
  } catch (const protozero::exception&) {
    return broken("is not a well-formed message");
  }
}

}  // namespace walkabout::recording
