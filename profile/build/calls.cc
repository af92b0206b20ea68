#include "profile/build/calls.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profile/build/callers.h"
#include "profile/names/names.h"
#include "profile/names/readable_name.h"
#include "recording/caller_totals.h"
#include "recording/reader.h"
#include "wire/method_pattern.h"

namespace walkabout::profile {
namespace {

class CallReader : public recording::RecordVisitor {
 public:
  void on_session(const wire::Session& r) override {
    result.session = r;
    names.on_session(r);
  }
  void on_module(const wire::Module& r) override { names.on_module(r); }
  void on_method(const wire::Method& r) override { names.on_method(r); }
  void on_jit_code(const wire::JitCode& r) override { names.on_jit_code(r); }
  void on_method_range(const wire::MethodRange& r) override { names.on_method_range(r); }
  void on_native_symbols(const wire::NativeSymbols& r) override { names.on_native_symbols(r); }
  void on_inline_tree(const wire::InlineTree& r) override { names.on_inline_tree(r); }
  void on_native_lines(const wire::NativeLines& r) override { names.on_native_lines(r); }
  void on_caller_counts(const wire::CallerCounts& r) override {
    callers.add(r);
    seen(r.time_us);
  }
  void on_counted_method(const wire::CountedMethod& r) override { totals.add(r); }
  void on_call_counts(const wire::CallCounts& r) override {
    totals.add(r);
    seen(r.time_us);
  }
  void on_call_pattern(const wire::CallPattern& r) override { totals.add(r); }
  void on_call_state(const wire::CallState& r) override {
    totals.add(r);
    if (result.session.attached && r.looked && since_us == 0) since_us = r.time_us;
    seen(r.time_us);
  }
  void on_message(const wire::Message& r) override { result.messages.push_back(r); }
  void on_counters(const wire::Counters& r) override { seen(r.time_us); }
  void on_end(const wire::End& r) override {
    seen(r.time_us);
    result.complete = true;
  }

  recording::CallTotals totals;
  recording::CallerTotals callers;
  Names names;
  Calls result;
  uint64_t since_us = 0;

 private:
  void seen(uint64_t time_us) { result.duration_us = std::max(result.duration_us, time_us); }
};

wire::Method method_of(const wire::CountedMethod& counted) {
  wire::Method method;
  method.type = counted.type;
  method.method = counted.method;
  method.parameters = counted.parameters;
  method.returns = counted.returns;
  method.module = counted.module;
  method.flags = counted.flags;
  return method;
}

// Without what stands in brackets, but for names that begin with one.
std::string match_of(const wire::CountedMethod& method) {
  const auto plain = [](std::string_view name) {
    std::string result;
    int depth = 0;
    for (size_t i = 0; i < name.size(); ++i) {
      const bool begins_name = i == 0 || name[i - 1] == '+' || name[i - 1] == '.';
      if (name[i] == '<' && begins_name) {
        const size_t end = std::min(name.find('>', i), name.size() - 1);
        result.append(name.substr(i, end - i + 1));
        i = end;
        continue;
      }
      depth += name[i] == '<' ? 1 : 0;
      if (depth == 0) result.push_back(name[i]);
      depth -= name[i] == '>' && depth > 0 ? 1 : 0;
    }
    return result;
  };
  return wire::matched_name(plain(method.type), plain(method.method));
}

ReadableName readable_name_of(const wire::CountedMethod& method, Detail detail) {
  if (method.method.empty()) return {"[method " + std::to_string(method.index) + ", not named]"};
  return readable_name(method_of(method), detail);
}

}  // namespace

std::string name_of(const wire::CountedMethod& method) {
  return readable_name_of(method, Detail::kUsual).text;
}

uint64_t CountedCalls::not_told() const {
  uint64_t told = 0;
  for (const Caller& caller : callers) told += caller.calls;
  return calls - std::min(told, calls);
}

uint64_t Calls::total() const {
  uint64_t sum = 0;
  for (const CountedCalls& method : methods) sum += method.calls;
  return sum;
}

std::vector<CountedCalls> calls_by_index(const recording::CallTotals& totals) {
  std::vector<CountedCalls> all;
  std::map<std::pair<std::string, std::string>, size_t> alike;
  for (const wire::CountedMethod& counted : totals.methods()) {
    ReadableName name = readable_name_of(counted, Detail::kUsual);
    ++alike[{counted.module, name.text}];
    all.push_back({std::move(name.text), match_of(counted), counted.module, totals.calls()[counted.index],
                   counted.problem, raw_name(method_of(counted)), name.own, counted.index});
  }
  for (CountedCalls& one : all) {
    const wire::CountedMethod& counted = totals.methods()[static_cast<size_t>(&one - all.data())];
    if (alike[{one.module, one.name}] <= 1) continue;
    ReadableName name = readable_name_of(counted, Detail::kMore);
    one.name = std::move(name.text);
    one.own = name.own;
  }
  return all;
}

std::vector<CountedCalls> named_calls(const recording::CallTotals& totals) {
  std::vector<CountedCalls> all = calls_by_index(totals);
  std::stable_sort(all.begin(), all.end(), [](const CountedCalls& a, const CountedCalls& b) {
    return a.calls != b.calls ? a.calls > b.calls : a.name < b.name;
  });
  return all;
}

bool counts_calls(const std::string& path) {
  struct Beginning : recording::RecordVisitor {
    void on_samples(const wire::Samples&) override { known = true; }
    void on_call_pattern(const wire::CallPattern&) override { known = counts = true; }
    bool known = false, counts = false;
  } beginning;
  const base::Result<recording::ReadSummary> ended =
      recording::read_recording(path, beginning, [&beginning](const recording::RawRecord&) {
        return beginning.known ? base::Status::error("it is known") : base::Status();
      });
  static_cast<void>(ended);
  return beginning.counts;
}

base::Result<Calls> load_calls(const std::string& path) {
  CallReader reader;
  const base::Result<recording::ReadSummary> summary = recording::read_recording(path, reader);
  if (!summary.ok()) return summary.status();
  Calls calls = std::move(reader.result);
  calls.asked = reader.totals.asked();
  calls.methods = named_calls(reader.totals);
  for (const auto& [number, pattern] : reader.totals.patterns()) calls.patterns.push_back(pattern);
  calls.state = reader.totals.state();
  calls.by_caller = reader.callers.asked();
  calls.no_room = reader.callers.no_room();
  calls.not_found = reader.callers.not_found();
  if (calls.by_caller) add_callers(reader.callers, &reader.names, &calls.methods);
  calls.duration_us -= std::min(reader.since_us, calls.duration_us);
  calls.damage = summary->damage;
  return calls;
}

}  // namespace walkabout::profile
