#include "wire/encode.h"

#include <algorithm>
#include <utility>

#include "wire/protozero_writer.h"
#include "wire/put.h"

namespace walkabout::wire {
namespace {

using protozero::pbf_writer;

// Appends (varint length, Record{type: body}) to out.
void append_record(RecordType type, const std::string& body, std::string& out) {
  const auto field = static_cast<protozero::pbf_tag_type>(type);
  constexpr uint64_t kLengthDelimited = 2;
  const int header = protozero::length_of_varint(uint64_t{field} << 3 | kLengthDelimited) +
                     protozero::length_of_varint(body.size());
  protozero::add_varint_to_buffer(&out, static_cast<uint64_t>(header) + body.size());
  pbf_writer(out).add_message(field, body);
}

template <typename T>
uint64_t number_of(T value) {
  return static_cast<uint64_t>(value);
}
template <typename Tag>
uint64_t number_of(base::Id<Tag> id) {
  return id.value;
}

uint64_t packed_code(Frame frame) {
  const uint64_t what = frame.has_code() ? frame.code().value : frame.address();
  return what << 4 | static_cast<uint64_t>(frame.kind());
}

void put_frames(pbf_writer& to, uint32_t number, const std::vector<Frame>& frames) {
  {
    protozero::packed_field_uint64 codes(to, number);
    for (const Frame frame : frames) codes.add_element(packed_code(frame));
  }
  protozero::packed_field_uint32 offsets(to, number + 1);
  for (const Frame frame : frames) offsets.add_element(frame.has_code() ? frame.offset() : 0);
}

template <typename T>
void put_rare(pbf_writer& to, uint32_t number, const std::vector<T>& values) {
  if (std::all_of(values.begin(), values.end(), [](T v) { return v == T{}; })) return;
  protozero::packed_field_uint32 column(to, number);
  for (const T v : values) column.add_element(static_cast<uint32_t>(number_of(v)));
}

// Column: of what the differences are written as.
template <typename Column, typename T>
void put_differences(pbf_writer& to, uint32_t number, const std::vector<T>& values) {
  Column column(to, number);
  uint64_t before = 0;
  for (const T v : values) {
    column.add_element(number_of(v) - std::exchange(before, number_of(v)));
  }
}

template <typename Record>
void put_fields(pbf_writer& to, const Record& record);

template <Form kForm, typename Record, typename Value>
void put_field(pbf_writer& to, const Field<kForm, Record, Value>& field, const Record& record) {
  const Value& value = record.*field.member;
  if constexpr (kForm == Form::kText || kForm == Form::kBytes) {
    put(to, field.number, value);
  } else if constexpr (kForm == Form::kColumn || kForm == Form::kTable) {
    to.add_packed_uint64(field.number, value.begin(), value.end());
  } else if constexpr (kForm == Form::kRare) {
    put_rare(to, field.number, value);
  } else if constexpr (kForm == Form::kRising) {
    put_differences<protozero::packed_field_uint64>(to, field.number, value);
  } else if constexpr (kForm == Form::kDifferences) {
    put_differences<protozero::packed_field_sint64>(to, field.number, value);
  } else if constexpr (kForm == Form::kFrames) {
    put_frames(to, field.number, value);
  } else if constexpr (kForm == Form::kMessages) {
    for (const auto& one : value) {
      std::string body;
      pbf_writer message(body);
      put_fields(message, one);
      to.add_message(field.number, body);
    }
  } else if constexpr (kForm != Form::kParents) {
    const uint64_t number = number_of(value);
    if (field.always || number != field.left_out) to.add_uint64(field.number, number);
  }
}

template <typename Record>
void put_fields(pbf_writer& to, const Record& record) {
  for_each_field<Record>([&](const auto& field) { put_field(to, field, record); });
}

}  // namespace

template <typename Record>
void encode(const Record& r, std::string& out) {
  std::string body;
  pbf_writer to(body);
  put_fields(to, r);
  append_record(Record::kType, body, out);
}

void encode(const Nodes& r, uint32_t first_id, std::string& out) {
  std::string body;
  pbf_writer to(body);
  {
    protozero::packed_field_sint32 column(to, field_number(&Nodes::parent));
    uint32_t id = first_id;
    for (const uint32_t parent : r.parent) {
      // The roots of a new tree are marked, so that a reader that does not know of new trees refuses them.
      const bool marked = r.new_tree && parent == 0;
      column.add_element(marked ? 0 : static_cast<int32_t>(id - parent));
      ++id;
    }
  }
  put_fields(to, r);
  append_record(Nodes::kType, body, out);
}

template void encode(const Session& r, std::string& out);
template void encode(const Source& r, std::string& out);
template void encode(const Text& r, std::string& out);
template void encode(const Thread& r, std::string& out);
template void encode(const Module& r, std::string& out);
template void encode(const Method& r, std::string& out);
template void encode(const JitCode& r, std::string& out);
template void encode(const MethodRange& r, std::string& out);
template void encode(const Samples& r, std::string& out);
template void encode(const Sweep& r, std::string& out);
template void encode(const Snapshot& r, std::string& out);
template void encode(const Oracle& r, std::string& out);
template void encode(const ThreadEnd& r, std::string& out);
template void encode(const Counters& r, std::string& out);
template void encode(const Message& r, std::string& out);
template void encode(const Rate& r, std::string& out);
template void encode(const End& r, std::string& out);
template void encode(const NativeSymbols& r, std::string& out);
template void encode(const Assembly& r, std::string& out);
template void encode(const IlMap& r, std::string& out);
template void encode(const SourceLines& r, std::string& out);
template void encode(const InlineTree& r, std::string& out);
template void encode(const NativeLines& r, std::string& out);
template void encode(const CountedMethod& r, std::string& out);
template void encode(const CallCounts& r, std::string& out);
template void encode(const CallerCounts& r, std::string& out);
template void encode(const CallPattern& r, std::string& out);
template void encode(const CallState& r, std::string& out);
template void encode(const TraceNodes& r, std::string& out);
template void encode(const TraceTimes& r, std::string& out);
template void encode(const TraceSpread& r, std::string& out);
template void encode(const TracedCall& r, std::string& out);
template void encode(const TraceState& r, std::string& out);

}  // namespace walkabout::wire
