// Records for tests: one of every type with every field set to something a default is not.
#pragma once

#include <string>
#include <vector>

#include "recording/visitor.h"
#include "wire/encode.h"
#include "wire/records.h"

namespace walkabout::recording::testing {

inline wire::Session full_session() {
  wire::Session r;
  r.version = 1;
  r.pid = 4242;
  r.command_line = "dotnet demo.dll --fast";
  r.runtime = ".NET 10.0.12";
  r.os = "Linux 6.1.0 x86_64";
  r.host = "box";
  r.wall_start_ns = 1'700'000'000'000'000'001;
  r.monotonic_start_ns = 123'456'789'012;
  r.interval_ns = 10'101'010;
  r.engine = wire::Engine::kTimer;
  r.kernel_ticks = true;
  r.oracle = true;
  r.depth = 2048;
  r.agent_version = "0.1.0";
  return r;
}

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
  r.weight_ns = {10'000'000, 9'999'999};
  r.stack = {base::StackId(3), base::StackId(0)};
  r.end = {wire::WalkEnd::kRooted, wire::WalkEnd::kTooDeep};
  r.flags = {5, 0};
  return r;
}

inline constexpr int kEveryRecord = 17;  // records of every_record()

// A stream with one record of every type and a second tree of stacks, in a legal order. `each` is called
// between them with the bytes so far.
template <typename Each>
std::string every_record(Each each) {
  std::string out;
  const auto add = [&](const auto& record) {
    wire::encode(record, out);
    each(out);
  };
  add(full_session());
  add(wire::Thread{base::ThreadId(1), 99, "worker", "Worker #1", wire::ThreadKind::kManaged, 17});
  add(wire::Module{base::CodeId(1), wire::ModuleKind::kReadyToRun, "/usr/lib/A.dll",
                   std::string("\0\xff\x01", 3), 0x7fff'0000'0000, 0x1000, 0x7ffe'ffff'f000});
  add(wire::Method{base::MethodId(1), "Demo.Worker+<>c", "<Main>b__0_0", "System.Int32", "Demo.dll", 2});
  add(wire::JitCode{base::CodeId(2), base::MethodId(1), wire::Tier::kOsr, 0x7000'0000, 300});
  add(wire::MethodRange{base::CodeId(1), 16, 48, base::MethodId(1)});
  wire::encode(three_nodes(), 1, out);
  each(out);
  add(two_samples());
  wire::encode(next_tree(), 1, out);
  each(out);
  add(two_samples());
  wire::Oracle oracle{base::ThreadId(1), 1, 0x80131363, three_nodes().frame, 5000, 33000, false};
  oracle.above_seed = 2;
  add(oracle);
  add(wire::ThreadEnd{base::ThreadId(1), 2'500, 123'456});
  add(wire::Counters{3'000, 3, 2, {0, 1, 0, 0, 0}, 11, 22, 33, 44, 55, 66, {0x7777, 0x8888}});
  add(wire::Message{3'001, wire::Severity::kWarning, "the signal was stolen"});
  add(wire::Rate{3'001, 20'202'020, 10'101'010, 23'000, 10'000});
  add(wire::End{3'002});
  add(wire::NativeSymbols{base::CodeId(1),
                          true,
                          false,
                          "/usr/lib/debug/x",
                          {{16, 32, "qsort(void*)", "_Z5qsortPv", true}, {40, 48, "memcpy", "", false}}});
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
  void on_oracle(const wire::Oracle& r) override { add(r); }
  void on_thread_end(const wire::ThreadEnd& r) override { add(r); }
  void on_counters(const wire::Counters& r) override { add(r); }
  void on_message(const wire::Message& r) override { add(r); }
  void on_rate(const wire::Rate& r) override { add(r); }
  void on_end(const wire::End& r) override { add(r); }
  void on_native_symbols(const wire::NativeSymbols& r) override { add(r); }

 private:
  template <typename Record>
  void add(const Record& r) {
    wire::encode(r, bytes);
    ++records;
  }
};

}  // namespace walkabout::recording::testing
