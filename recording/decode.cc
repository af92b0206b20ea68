#include "recording/decode.h"

#include <string>
#include <tuple>

#include "recording/fields.h"

namespace walkabout::recording {
namespace {

// Who gets a record: the function whose argument it is.
constexpr std::tuple kVisits(&RecordVisitor::on_session, &RecordVisitor::on_source, &RecordVisitor::on_text,
                             &RecordVisitor::on_thread, &RecordVisitor::on_module, &RecordVisitor::on_method,
                             &RecordVisitor::on_jit_code, &RecordVisitor::on_method_range,
                             &RecordVisitor::on_sweep, &RecordVisitor::on_snapshot, &RecordVisitor::on_oracle,
                             &RecordVisitor::on_thread_end, &RecordVisitor::on_counters,
                             &RecordVisitor::on_message, &RecordVisitor::on_rate, &RecordVisitor::on_end,
                             &RecordVisitor::on_native_symbols, &RecordVisitor::on_assembly,
                             &RecordVisitor::on_il_map, &RecordVisitor::on_source_lines,
                             &RecordVisitor::on_inline_tree, &RecordVisitor::on_native_lines,
                             &RecordVisitor::on_counted_method, &RecordVisitor::on_call_counts,
                             &RecordVisitor::on_call_pattern, &RecordVisitor::on_call_state,
                             &RecordVisitor::on_trace_nodes, &RecordVisitor::on_trace_times,
                             &RecordVisitor::on_trace_spread, &RecordVisitor::on_traced_call,
                             &RecordVisitor::on_trace_state, &RecordVisitor::on_caller_counts);

}  // namespace

template <typename Record>
void Decoder::decode_as(const Record*, std::string_view body, RecordVisitor& visitor) {
  (visitor.*std::get<void (RecordVisitor::*)(const Record&)>(kVisits))(decoded<Record>(body));
}

void Decoder::decode_as(const wire::Source*, std::string_view body, RecordVisitor& visitor) {
  const auto source = decoded<wire::Source>(body);
  if (!source.id.valid() || source.id.value > kMaxSources) throw BadRecord{"has a source out of range"};
  if (source.values.empty() || source.values.size() > kMaxSourceColumns ||
      source.labels.size() > kMaxSourceColumns)
    throw BadRecord{"has a source with no value, or with too many values or labels"};
  const Shape shape{source.values.size(), source.labels.size()};
  if (source.id == wire::kCpuSource && (shape.values != 1 || shape.labels != 0))
    throw BadRecord{"declares CPU time with other values or labels than it has"};
  const auto [known, added] = shapes_.emplace(source.id, shape);
  if (!added && (known->second.values != shape.values || known->second.labels != shape.labels))
    throw BadRecord{"declares a source again, with other values or labels"};
  visitor.on_source(source);
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

Decoder::Shape Decoder::shape_of(base::SourceId source) const {
  const auto declared = shapes_.find(source);
  if (declared != shapes_.end()) return declared->second;
  if (source != wire::kCpuSource) throw BadRecord{"has samples of a source that was never declared"};
  return {};
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
