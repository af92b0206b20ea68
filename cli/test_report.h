// A recording file for the verbs' tests: two threads, mixed stacks, oracle answers, counters.
#pragma once

#include <string>

#include "profile/model/test_recording.h"
#include "recording/test_file.h"
#include "recording/test_records.h"
#include "recording/writer.h"

namespace walkabout::cli::testing {

// A recording of two events: 30 ms of CPU time, 10 s of wall time of which 9 s are blocked.
inline std::string two_event_stream() {
  using wire::ThreadState;
  recording::testing::Reencoder out;
  profile::testing::TestRecording emit(out);
  wire::Session session;
  session.command_line = "dotnet demo.dll";
  session.runtime = ".NET 10.0.1";
  session.os = "Linux 6.1.0 x86_64";
  session.interval_ns = 10'000'000;
  session.kernel_ticks = true;
  out.on_session(session);
  out.on_source(wire::cpu_source(session));
  out.on_source(profile::testing::wall_source());
  const auto main = emit.thread("main", 1);
  const auto waiter = emit.thread("waiter", 2);
  const auto root = emit.stack({emit.jitted("Demo.Program", "Main")});
  const auto waiting = emit.push(root, emit.jitted("System.Threading.Monitor", "Enter"));
  const auto reading = emit.push(root, emit.jitted("Demo.Program", "Read"));
  emit.sample(main, 1'000, 10'000'000, root);
  emit.sample(main, 2'000, 20'000'000, root);
  emit.wall(main, 2'500, 900'000'000, root, ThreadState::kRunning);
  emit.wall(main, 3'000, 100'000'000, root, ThreadState::kRunnable);
  emit.wall(waiter, 4'000, 6'000'000'000, waiting, ThreadState::kBlocked, profile::testing::kFutex);
  emit.wall(waiter, 5'000, 3'000'000'000, reading, ThreadState::kBlocked, profile::testing::kRead);
  wire::Counters counters;
  counters.time_us = 6'000;
  counters.attempts = counters.samples = 2;
  counters.sources = {{profile::testing::wall_source().id, 7, 4, {2, 1}}};
  out.on_counters(counters);
  out.on_end({10'000'000});
  return out.bytes;
}

// As a stream of records.
inline std::string small_stream() {
  recording::testing::Reencoder out;
  profile::testing::TestRecording emit(out);
  wire::Session session;
  session.kernel_ticks = true;
  session.pid = 77;
  session.command_line = "dotnet demo.dll";
  session.runtime = ".NET 10.0.1";
  session.interval_ns = 10'000'000;
  out.on_session(session);
  const auto main_thread = emit.thread("main", 1);
  const auto sorter = emit.thread("x", 22, "Sorter");
  const auto unsampled = emit.thread("walkabout", 23, "", wire::ThreadKind::kAgent);
  const auto libc = emit.module("/lib/libc.so.6");
  const auto clr = emit.module("/x/libcoreclr.so");
  const wire::Frame main = emit.jitted("Demo.Program", "Main");
  const wire::Frame sort = emit.jitted("Demo.Sorter", "Sort");
  const auto root = emit.stack({main});
  const auto sorting = emit.push(root, sort);
  const auto in_qsort = emit.push(sorting, profile::testing::TestRecording::native(libc, 0x510));
  const auto in_clr = emit.push(root, profile::testing::TestRecording::native(clr, 0x10));
  emit.sample(main_thread, 1'000'000, 10'000'000, sorting);
  out.on_oracle({main_thread, 0, 0, {sort, main}, 1'000, 9'000, true});
  emit.sample(main_thread, 1'500'000, 60'000'000, in_qsort);
  out.on_oracle({main_thread, 1, 0x80131360, {}, 1'100, 100, true});
  emit.sample(main_thread, 2'000'000, 20'000'000, in_clr, wire::WalkEnd::kBadReturn);
  emit.sample(sorter, 2'500'000, 5'000'000, in_qsort);  // and its tail of 5 ms below
  out.on_oracle({sorter, 0, 0, {main}, 1'200, 9'000, true});
  out.on_thread_end({sorter, 2'600'000, 5'000'000});
  out.on_thread_end({unsampled, 2'700'000, 1'000'000});
  wire::Counters counters;
  counters.time_us = 3'000'000;
  counters.attempts = 6;
  counters.samples = 4;
  counters.drops = {1, 0, 1, 0};
  counters.handler_ns = 1'000'000;
  counters.agent_threads_ns = 2'000'000;
  counters.callbacks_ns = 500'000;
  counters.process_cpu_ns = 105'000'000;
  counters.walk_cycles_p50 = 2'345;
  counters.walk_frames = 11;
  out.on_counters(counters);
  out.on_message({3'000'000, wire::Severity::kWarning, "the kernel caps the rate"});
  out.on_end({3'100'000});
  emit.symbols(libc, false, {{0x500, 0x600, "qsort", "", false}});
  emit.symbols(clr, true, {});
  return out.bytes;
}

inline void write_recording(const std::string& path, const std::string& stream) {
  auto writer = recording::Writer::create(path);
  ASSERT_TRUE(writer.ok()) << writer.message();
  ASSERT_TRUE(writer->append_encoded(stream).ok());
  ASSERT_TRUE(writer->finish().ok());
}

class RecordingFile : public recording::testing::TestFile {
 public:
  explicit RecordingFile(const std::string& stream = small_stream()) { write_recording(path(), stream); }
};

}  // namespace walkabout::cli::testing
