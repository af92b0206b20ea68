// For tests of traced calls: a session that knows threads by the system's numbers, and what the records say.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "agent/trace/call_tracing.h"
#include "agent/trace/trace_pages.h"
#include "agent/trace/traced_call.h"
#include "base/clock.h"

namespace walkabout::agent::testing {

// Columns of a record by number, as they are encoded: of differences where they rise.
using TestColumns = std::map<uint32_t, std::vector<uint64_t>>;

struct TestTimes {
  uint64_t calls = 0, wall = 0, self = 0, cpu = 0, self_cpu = 0, waiting = 0, exceptions = 0, least = 0,
           most = 0, allocated = 0;
};
struct TestCall {
  uint64_t call = 0, caller = 0, node = 0, begin = 0, wall = 0, cpu = 0, waiting = 0, thread = 0,
           ended_in = 0, outcome = 0;
  std::string values;
};

// What a recording says in the end.
struct TestTrace {
  std::vector<std::pair<uint64_t, uint64_t>> nodes{{0, 0}};  // parent and method, by id
  std::map<std::pair<uint64_t, uint64_t>, TestTimes> times;  // by node and thread
  std::map<uint64_t, std::map<uint64_t, uint64_t>> spread;   // calls by node and bucket
  std::vector<TestCall> calls;
  TestColumns state;

  void read(const std::string& records) {
    for (size_t at = 0; at < records.size();) {
      const char* begin = records.data() + at;
      const uint64_t size = protozero::decode_varint(&begin, records.data() + records.size());
      read_record(protozero::pbf_reader(begin, size));
      at = static_cast<size_t>(begin - records.data()) + size;
    }
  }

  // "2/1": method 1 called by method 2.
  std::string path(uint64_t node) const {
    const auto [parent, method] = nodes.at(node);
    return (parent == 0 ? "" : path(parent) + "/") + std::to_string(method);
  }
  // Of all threads.
  std::map<std::string, TestTimes> by_path() const {
    std::map<std::string, TestTimes> all;
    for (const auto& [key, t] : times) {
      TestTimes& sum = all[path(key.first)];
      sum.least = sum.calls == 0 ? t.least : t.calls == 0 ? sum.least : std::min(sum.least, t.least);
      sum.most = std::max(sum.most, t.most);
      sum.calls += t.calls;
      sum.wall += t.wall;
      sum.self += t.self;
      sum.cpu += t.cpu;
      sum.self_cpu += t.self_cpu;
      sum.waiting += t.waiting;
      sum.exceptions += t.exceptions;
      sum.allocated += t.allocated;
    }
    return all;
  }
  uint64_t calls_of(const std::string& path) const {
    const auto all = by_path();
    return all.contains(path) ? all.at(path).calls : 0;
  }
  uint64_t stated(uint32_t field) const { return state.contains(field) ? state.at(field).at(0) : 0; }
  uint64_t too_deep() const { return stated(8); }
  uint64_t no_room() const { return stated(9); }
  uint64_t unmatched() const { return stated(10); }

 private:
  static TestColumns columns_of(protozero::pbf_reader record) {
    TestColumns columns;
    while (record.next()) {
      std::vector<uint64_t>& column = columns[record.tag()];
      if (record.wire_type() == protozero::pbf_wire_type::varint) {
        column.push_back(record.get_uint64());
      } else {
        const auto view = record.get_view();
        const char* at = view.data();
        while (at < view.data() + view.size())
          column.push_back(protozero::decode_varint(&at, view.data() + view.size()));
      }
    }
    return columns;
  }
  static std::vector<uint64_t> risen(std::vector<uint64_t> column) {
    for (size_t i = 1; i < column.size(); ++i) column[i] += column[i - 1];
    return column;
  }

  void read_record(protozero::pbf_reader record) {
    ASSERT_TRUE(record.next());
    const auto type = static_cast<wire::RecordType>(record.tag());
    const auto body = record.get_message();
    if (type == wire::RecordType::kTracedCall) return read_call(body);
    TestColumns columns = columns_of(body);
    if (type == wire::RecordType::kTraceState) {
      state = columns;
    } else if (type == wire::RecordType::kTraceNodes) {
      for (size_t i = 0; i < columns[1].size(); ++i) nodes.emplace_back(columns[1][i], columns[2].at(i));
    } else if (type == wire::RecordType::kTraceTimes) {
      read_times(columns);
    } else if (type == wire::RecordType::kTraceSpread) {
      std::map<uint64_t, uint64_t>& calls_by_bucket = spread[columns[1].at(0)];
      calls_by_bucket.clear();
      const std::vector<uint64_t> buckets = risen(columns[2]);
      for (size_t i = 0; i < buckets.size(); ++i) calls_by_bucket[buckets[i]] = columns[3].at(i);
    }
  }

  void read_times(TestColumns& columns) {
    const std::vector<uint64_t> ids = risen(columns[3]);
    for (size_t i = 0; i < ids.size(); ++i) {
      EXPECT_LT(ids[i], nodes.size());
      EXPECT_TRUE(i == 0 || ids[i] > ids[i - 1]);
      const auto at = [&](uint32_t field) { return columns[field].empty() ? 0 : columns[field].at(i); };
      times[{ids[i], columns[2].at(0)}] = {at(4), at(5),  at(6),  at(7),  at(8),
                                           at(9), at(10), at(11), at(12), at(13)};
    }
  }

  void read_call(protozero::pbf_reader record) {
    TestCall c;
    uint64_t* const fields[] = {nullptr, &c.call,    &c.caller, &c.node,     &c.begin,  &c.wall,
                                &c.cpu,  &c.waiting, &c.thread, &c.ended_in, &c.outcome};
    while (record.next()) {
      if (record.tag() <= 10) {
        *fields[record.tag()] = record.get_uint64();
        continue;
      }
      auto value = record.get_message();
      while (value.next()) {
        if (value.tag() == 3) {
          c.values += value.get_string();
        } else {
          value.skip();
        }
      }
    }
    calls.push_back(c);
  }
};

// Knows threads by the system's numbers; what is kept of a call is its text.
struct TestReader : TraceReader {
  base::ThreadId this_thread() override { return thread_of(this_trace_thread()); }
  base::ThreadId thread_of(uint64_t tid) override { return base::ThreadId(static_cast<uint32_t>(tid)); }
  void on_slow_call(uint64_t call) override {
    const std::lock_guard lock(mutex);
    told.push_back(call);
  }
  void describe(uint32_t, std::span<const uint8_t> values, wire::TracedCall* call) override {
    call->arguments.push_back({"", "", std::string(values.begin(), values.end()), false});
  }
  std::mutex mutex;
  std::vector<uint64_t> told;
};

struct TracingTest : ::testing::Test {
  void begin(const TraceOptions& options = {}) {
    const base::Status begun = tracing.begin(options, base::monotonic_ns());
    ASSERT_TRUE(begun.ok()) << begun.message();
  }
  void emit(bool all = false) {
    std::string records;
    tracing.emit(time_us += 1'000'000, all, &records);
    trace.read(records);
  }
  void end() {
    std::string records;
    tracing.end(time_us += 1'000'000, &records);
    trace.read(records);
  }

  TestReader reader;
  CallTracing tracing{reader, nullptr};
  TestTrace trace;
  uint64_t time_us = 1'000'000;
};

// One call for as long as it stands.
class TestScope {
 public:
  explicit TestScope(uint64_t method, uint64_t outcome = kTraceReturned)
      : outcome_(outcome), token_(walkabout_trace_enter(method)) {}
  ~TestScope() { walkabout_trace_leave(token_, outcome_); }
  TestScope(const TestScope&) = delete;
  TestScope& operator=(const TestScope&) = delete;
  uint64_t token() const { return token_; }

 private:
  const uint64_t outcome_, token_;
};

}  // namespace walkabout::agent::testing
