// Records for tests: one of every type with every field set (wire/test_values.h), and small trees of stacks.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "recording/visitor.h"
#include "wire/encode.h"
#include "wire/records.h"
#include "wire/test_values.h"

namespace walkabout::recording::testing {

inline wire::Nodes three_nodes() {
  wire::Nodes r;
  r.parent = {0, 1, 2};
  r.frame = {wire::Frame::in_code(wire::FrameKind::kNative, base::CodeId(1), 0xffff'ffff),
             wire::Frame::in_code(wire::FrameKind::kReadyToRun, base::CodeId(wire::Frame::kMaxCode), 7),
             wire::Frame::at_address(wire::FrameKind::kStub, wire::Frame::kAddressMask)};
  return r;
}

inline wire::Nodes next_tree() {
  wire::Nodes r = three_nodes();
  r.parent = {0, 0, 2};
  r.new_tree = true;
  return r;
}

inline wire::Samples two_samples() {
  wire::Samples r;
  r.thread = base::ThreadId(1);
  r.time_us = {1'000, 2'000};
  r.values = {10'000'000, 9'999'999};
  r.stack = {base::StackId(3), base::StackId(0)};
  r.end = {wire::WalkEnd::kRooted, wire::WalkEnd::kTooDeep};
  r.flags = {5, 0};
  return r;
}

inline constexpr int kEveryRecord = 36;  // records of every_record()

// sample_value(), referring to the others of its kind.
template <typename Record>
Record linked_sample_value() {
  Record r = wire::testing::sample_value<Record>();
  if constexpr (std::is_same_v<Record, wire::JitCode>) {
    r.code = base::CodeId(2);
    r.method = base::MethodId(1);
  }
  if constexpr (std::is_same_v<Record, wire::MethodRange>) r.method = base::MethodId(1);
  return r;
}

// A stream with one record of every type and a second tree of stacks, in a legal order. `each` is called
// between them with the bytes so far.
template <typename Each>
std::string every_record(Each each) {
  std::string out;
  const auto add = [&]<typename Record>(const Record& record) {
    if constexpr (std::is_same_v<Record, wire::Nodes>) {
      wire::encode(record, 1, out);
    } else {
      wire::encode(record, out);
    }
    each(out);
    if constexpr (std::is_same_v<Record, wire::Samples>) {
      wire::encode(next_tree(), 1, out);
      each(out);
      wire::encode(record, out);
      each(out);
    }
  };
  [&add]<typename... Record>(wire::RecordList<Record...>) {
    (add(linked_sample_value<Record>()), ...);
  }(wire::Records());
  return out;
}
inline std::string every_record() {
  return every_record([](const std::string&) {});
}

// Encodes again whatever it is shown: equal bytes mean nothing was lost on the way.
class Reencoder : public RecordVisitor {
 public:
  std::string bytes;
  int records = 0;

  void on_session(const wire::Session& r) override { add(r); }
  void on_source(const wire::Source& r) override { add(r); }
  void on_text(const wire::Text& r) override { add(r); }
  void on_thread(const wire::Thread& r) override { add(r); }
  void on_module(const wire::Module& r) override { add(r); }
  void on_method(const wire::Method& r) override { add(r); }
  void on_jit_code(const wire::JitCode& r) override { add(r); }
  void on_method_range(const wire::MethodRange& r) override { add(r); }
  void on_nodes(const wire::Nodes& r, uint32_t first_id) override {
    wire::encode(r, first_id, bytes);
    ++records;
  }
  void on_samples(const wire::Samples& r) override { add(r); }
  void on_sweep(const wire::Sweep& r) override { add(r); }
  void on_snapshot(const wire::Snapshot& r) override { add(r); }
  void on_oracle(const wire::Oracle& r) override { add(r); }
  void on_thread_end(const wire::ThreadEnd& r) override { add(r); }
  void on_counters(const wire::Counters& r) override { add(r); }
  void on_message(const wire::Message& r) override { add(r); }
  void on_rate(const wire::Rate& r) override { add(r); }
  void on_end(const wire::End& r) override { add(r); }
  void on_native_symbols(const wire::NativeSymbols& r) override { add(r); }
  void on_assembly(const wire::Assembly& r) override { add(r); }
  void on_il_map(const wire::IlMap& r) override { add(r); }
  void on_source_lines(const wire::SourceLines& r) override { add(r); }
  void on_inline_tree(const wire::InlineTree& r) override { add(r); }
  void on_native_lines(const wire::NativeLines& r) override { add(r); }
  void on_counted_method(const wire::CountedMethod& r) override { add(r); }
  void on_call_counts(const wire::CallCounts& r) override { add(r); }
  void on_caller_counts(const wire::CallerCounts& r) override { add(r); }
  void on_call_pattern(const wire::CallPattern& r) override { add(r); }
  void on_call_state(const wire::CallState& r) override { add(r); }
  void on_trace_nodes(const wire::TraceNodes& r) override { add(r); }
  void on_trace_times(const wire::TraceTimes& r) override { add(r); }
  void on_trace_spread(const wire::TraceSpread& r) override { add(r); }
  void on_traced_call(const wire::TracedCall& r) override { add(r); }
  void on_trace_state(const wire::TraceState& r) override { add(r); }

 private:
  template <typename Record>
  void add(const Record& r) {
    wire::encode(r, bytes);
    ++records;
  }
};

}  // namespace walkabout::recording::testing
