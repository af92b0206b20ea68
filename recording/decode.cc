#include "recording/decode.h"

#include <string>

#include "recording/fields.h"
#include "recording/messages.h"

namespace walkabout::recording {

void Decoder::dispatch(const RawRecord& record, RecordVisitor& visitor) {
  switch (record.type) {
    case wire::RecordType::kSession:
      return visitor.on_session(decode_session(record.body));
    case wire::RecordType::kThread:
      return visitor.on_thread(decode_thread(record.body));
    case wire::RecordType::kModule:
      return visitor.on_module(decode_module(record.body));
    case wire::RecordType::kMethod:
      return visitor.on_method(decode_method(record.body));
    case wire::RecordType::kJitCode:
      return visitor.on_jit_code(decode_jit_code(record.body));
    case wire::RecordType::kMethodRange:
      return visitor.on_method_range(decode_method_range(record.body));
    case wire::RecordType::kNodes: {
      decode_nodes(record.body);
      if (node_columns_.new_tree) nodes_ = 0;
      const uint32_t first = nodes_ + 1;
      nodes_ += static_cast<uint32_t>(node_columns_.parent.size());
      return visitor.on_nodes(node_columns_, first);
    }
    case wire::RecordType::kSamples:
      decode_samples(record.body);
      return visitor.on_samples(sample_columns_);
    case wire::RecordType::kOracle:
      return visitor.on_oracle(decode_oracle(record.body));
    case wire::RecordType::kThreadEnd:
      return visitor.on_thread_end(decode_thread_end(record.body));
    case wire::RecordType::kCounters:
      return visitor.on_counters(decode_counters(record.body));
    case wire::RecordType::kMessage:
      return visitor.on_message(decode_message(record.body));
    case wire::RecordType::kRate:
      return visitor.on_rate(decode_rate(record.body));
    case wire::RecordType::kEnd:
      return visitor.on_end(decode_end(record.body));
    case wire::RecordType::kNativeSymbols:
      return visitor.on_native_symbols(decode_native_symbols(record.body));
  }
}

base::Status Decoder::decode(const RawRecord& record, RecordVisitor& visitor) {
  const auto broken = [&record](const char* how) {
    return base::Status::error("a record of type " + std::to_string(static_cast<uint32_t>(record.type)) +
                               " " + how);
  };
  try {
    dispatch(record, visitor);
    return {};
  } catch (const BadRecord& bad) {
    return broken(bad.what);
  } catch (const protozero::exception&) {
    return broken("is not a well-formed message");
  }
}

}  // namespace walkabout::recording
