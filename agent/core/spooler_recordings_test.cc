// What stands at the beginning and end of each recording of a stream: times, threads, counters.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "agent/core/spooler.h"
#include "agent/core/test_spooler.h"
#include "clr/abi/null_info.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

using namespace testing;

constexpr uint64_t kShortNs = 50'000'000;

// A varint's value, and where what follows it begins.
std::pair<size_t, size_t> varint_at(const std::string& bytes, size_t at) {
  size_t value = 0;
  for (int shift = 0; at < bytes.size(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[at++]);
    value |= size_t{byte & 0x7fu} << shift;
    if (byte < 0x80) break;
  }
  return {value, at};
}

// Several in one stream: each is whole, and together they have every sample and all CPU time.
TEST_F(SpoolerTest, OneRecordingAfterTheOther) {
  const std::string path = ::testing::TempDir() + "recordings-" + std::to_string(::getpid());
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  shared = world.arm_self(false).shared;
  wire::Session session;
  session.monotonic_start_ns = base::monotonic_ns();
  Spooler spooler({world.registry, world.threads, out, &info}, session, {kShortNs, 0, kSmallTree});
  spooler.begin_counting();
  spooler.report(wire::Severity::kWarning, "standing");
  ASSERT_TRUE(spooler.start(1).ok());
  const uint64_t end_ns = base::monotonic_ns() + 10 * kShortNs;
  int written = 0;
  for (; base::monotonic_ns() < end_ns; ++written) {
    testing::burn_ns(1'000'000);
    write_sample(shared, some_stack(static_cast<uint64_t>(written)));
    ::usleep(1000);
  }
  spooler.stop(10'000, world.threads.stop());
  std::ifstream file(path, std::ios::binary);
  const std::string stream{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  // Types by hand: the agent cannot read what it writes.
  int sessions = 0, ends = 0, standing = 0, threads = 0, trees = 0;
  for (size_t at = 0; at < stream.size();) {
    const auto [length, begin] = varint_at(stream, at);
    const auto type = static_cast<wire::RecordType>(static_cast<uint8_t>(stream[begin]) >> 3);
    EXPECT_EQ(sessions, ends + (type == wire::RecordType::kSession ? 0 : 1))
        << "between a Session and its End";
    sessions += type == wire::RecordType::kSession;
    ends += type == wire::RecordType::kEnd;
    if (type == wire::RecordType::kSession) trees = 0;
    if (type == wire::RecordType::kNodes) {
      const bool anew = stream.substr(begin, length).ends_with("\x20\x01");
      EXPECT_EQ(anew, trees++ > 0) << "each stack fills a tree; a recording begins with its first";
    }
    threads += type == wire::RecordType::kThread &&
               stream.substr(begin, length).find("agent_test") != std::string::npos;
    standing += stream.substr(begin, length).find("standing") != std::string::npos;
    at = begin + length;
  }
  EXPECT_GE(sessions, 5);
  EXPECT_EQ(ends, sessions);
  EXPECT_EQ(standing, sessions) << "reported before the first: for the readers of all";
  EXPECT_GE(threads, sessions - 1) << "a living thread is emitted in each";
  EXPECT_EQ(shared->ticks().taken[0], static_cast<uint64_t>(written));
  EXPECT_EQ(shared->ticks().tail, shared->ticks().head);
}

// Of the last Counters of a stream: the times.
wire::Counters times_in(const std::string& stream) {
  wire::Counters found;
  for (size_t at = 0; at < stream.size();) {
    const auto [length, begin] = varint_at(stream, at);
    at = begin + length;
    if (static_cast<wire::RecordType>(static_cast<uint8_t>(stream[begin]) >> 3) !=
        wire::RecordType::kCounters)
      continue;
    for (size_t field = varint_at(stream, begin + 1).second; field < at;) {
      const auto [key, behind] = varint_at(stream, field);
      const auto [value, next] = varint_at(stream, behind);
      field = next + (key % 8 == 2 ? value : 0);
      for (uint64_t wire::Counters::*time :
           {&wire::Counters::process_cpu_ns, &wire::Counters::agent_threads_ns,
            &wire::Counters::callbacks_ns})
        if (key >> 3 == wire::field_number(time)) found.*time = value;
    }
  }
  return found;
}

// What the spooler does behind the last look at the process's clock is among its threads' CPU time.
TEST_F(SpoolerTest, TheLastPassIsPartOfTheProcessesCpuTime) {
  constexpr uint64_t kProcessNs = 5'000'000'000;
  const std::string path = ::testing::TempDir() + "last-pass-" + std::to_string(::getpid());
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, {});
  ASSERT_TRUE(spooler.start(1).ok());
  ::usleep(10'000);
  spooler.stop(10'000, kProcessNs);
  const wire::Counters times = times_in(taken_from(path));
  EXPECT_GT(times.process_cpu_ns, kProcessNs);
  EXPECT_LE(times.process_cpu_ns, kProcessNs + times.agent_threads_ns);
}

void spend_some(CallbackTime& time) {
  const CallbackTime::Scope counted(time);
  for (const uint64_t end_ns = base::thread_cpu_ns() + 1'000'000; base::thread_cpu_ns() < end_ns;) {
  }
}

TEST_F(SpoolerTest, CallbacksAreCountedFromWhereTheProcessIs) {
  const std::string path = ::testing::TempDir() + "callbacks-" + std::to_string(::getpid());
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  CallbackTime callbacks;
  spend_some(callbacks);
  Spooler spooler({world.registry, world.threads, out, &info, &callbacks}, wire::Session{}, {});
  spooler.begin_counting();
  const uint64_t before_ns = callbacks.ns();
  EXPECT_GT(before_ns, 0u);
  spend_some(callbacks);
  ASSERT_TRUE(spooler.start(1).ok());
  spooler.stop(10'000, base::process_cpu_ns());
  EXPECT_EQ(times_in(taken_from(path)).callbacks_ns, callbacks.ns() - before_ns);
}

TEST_F(SpoolerTest, AThreadKeepsItsNameWhenTheSystemsNameChanges) {
  const std::string path = ::testing::TempDir() + "names-" + std::to_string(::getpid());
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  shared = world.arm_self().shared;
  std::string name = "given by the program";
  ASSERT_TRUE(world.threads.set_managed_name(testing::own_tid(), name));
  Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, {});
  ASSERT_TRUE(spooler.start(1).ok());
  ::usleep(1'200'000);  // names are looked at again after a second
  ::prctl(PR_SET_NAME, "the system's");
  write_sample(shared);
  ::usleep(100'000);
  spooler.stop(10'000, 0);
  ::prctl(PR_SET_NAME, "agent_test");
  std::ifstream file(path, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  const size_t renamed = written.find("the system's");
  ASSERT_NE(renamed, std::string::npos);
  const size_t last_name = written.rfind("given by the program");
  ASSERT_NE(last_name, std::string::npos);
  EXPECT_GT(last_name, renamed) << "the last record of the thread has both";
}

}  // namespace
}  // namespace walkabout::agent
