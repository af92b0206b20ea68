#include "wire/encode.h"

#include <algorithm>
#include <utility>

#include "wire/fields.h"
#include "wire/protozero_writer.h"
#include "wire/put.h"

namespace walkabout::wire {
namespace {

// Appends (varint length, Record{type: body}) to out.
void append_record(RecordType type, const std::string& body, std::string& out) {
  const auto field = static_cast<protozero::pbf_tag_type>(type);
  const int header =
      1 + protozero::length_of_varint(body.size());  // every RecordType is below 16: a one-byte tag
  protozero::add_varint_to_buffer(&out, static_cast<uint64_t>(header) + body.size());
  protozero::pbf_writer(out).add_message(field, body);
}

template <typename Field, typename Tag>
void put(Builder<Field>& to, Field field, base::Id<Tag> id) {
  put(to, field, uint64_t{id.value});
}
// Always written: fields whose value after an absent field would not be 0.
template <typename Field, typename T>
void put_always(Builder<Field>& to, Field field, T value) {
  to.add_uint64(field, static_cast<uint64_t>(value));
}

uint64_t packed_code(Frame frame) {
  const uint64_t what = frame.has_code() ? frame.code().value : frame.address();
  return what << 4 | static_cast<uint64_t>(frame.kind());
}

template <typename Field>
void put_frames(Builder<Field>& to, Field code, Field offset, const std::vector<Frame>& frames) {
  {
    protozero::packed_field_uint64 column(to, static_cast<uint32_t>(code));
    for (const Frame frame : frames) column.add_element(packed_code(frame));
  }
  protozero::packed_field_uint32 column(to, static_cast<uint32_t>(offset));
  for (const Frame frame : frames) column.add_element(frame.has_code() ? frame.offset() : 0);
}

// A column of small numbers that is nearly always all zero, and then left out.
template <typename Field, typename T>
void put_rare(Builder<Field>& to, Field field, const std::vector<T>& values) {
  if (std::all_of(values.begin(), values.end(), [](T v) { return v == T{}; })) return;
  protozero::packed_field_uint32 column(to, static_cast<uint32_t>(field));
  for (const T v : values) column.add_element(static_cast<uint32_t>(v));
}

template <typename Field>
void put_column(Builder<Field>& to, Field field, const std::vector<uint64_t>& values) {
  to.add_packed_uint64(field, values.begin(), values.end());
}

void put_symbol(Builder<NativeSymbolsField>& to, const NativeSymbol& s) {
  std::string body;
  Builder<NativeSymbolField> symbol(body);
  put(symbol, NativeSymbolField::kBegin, s.begin);
  put(symbol, NativeSymbolField::kEnd, s.end);
  put(symbol, NativeSymbolField::kName, s.name);
  put(symbol, NativeSymbolField::kRawName, s.raw_name);
  put(symbol, NativeSymbolField::kApproximate, s.approximate);
  to.add_message(NativeSymbolsField::kSymbol, body);
}

}  // namespace

void encode(const Session& r, std::string& out) {
  std::string body;
  Builder<SessionField> to(body);
  put_always(to, SessionField::kVersion, r.version);
  put(to, SessionField::kPid, r.pid);
  put(to, SessionField::kCommandLine, r.command_line);
  put(to, SessionField::kRuntime, r.runtime);
  put(to, SessionField::kOs, r.os);
  put(to, SessionField::kHost, r.host);
  put(to, SessionField::kWallStart, r.wall_start_ns);
  put(to, SessionField::kMonotonicStart, r.monotonic_start_ns);
  put(to, SessionField::kInterval, r.interval_ns);
  put_always(to, SessionField::kEngine, r.engine);
  put(to, SessionField::kKernelTicks, r.kernel_ticks);
  put(to, SessionField::kOracle, r.oracle);
  put(to, SessionField::kDepth, r.depth);
  put(to, SessionField::kAgentVersion, r.agent_version);
  append_record(RecordType::kSession, body, out);
}

void encode(const Thread& r, std::string& out) {
  std::string body;
  Builder<ThreadField> to(body);
  put(to, ThreadField::kId, r.id);
  put(to, ThreadField::kTid, r.tid);
  put(to, ThreadField::kOsName, r.os_name);
  put(to, ThreadField::kManagedName, r.managed_name);
  put(to, ThreadField::kKind, static_cast<uint64_t>(r.kind));
  put(to, ThreadField::kStart, r.start_us);
  append_record(RecordType::kThread, body, out);
}

void encode(const Module& r, std::string& out) {
  std::string body;
  Builder<ModuleField> to(body);
  put(to, ModuleField::kCode, r.code);
  put_always(to, ModuleField::kKind, r.kind);
  put(to, ModuleField::kPath, r.path);
  put(to, ModuleField::kBuildId, r.build_id);
  put(to, ModuleField::kStart, r.start);
  put(to, ModuleField::kSize, r.size);
  put(to, ModuleField::kBias, r.bias);
  append_record(RecordType::kModule, body, out);
}

void encode(const Method& r, std::string& out) {
  std::string body;
  Builder<MethodField> to(body);
  put(to, MethodField::kId, r.id);
  put(to, MethodField::kType, r.type);
  put(to, MethodField::kMethod, r.method);
  put(to, MethodField::kParameters, r.parameters);
  put(to, MethodField::kModule, r.module);
  put(to, MethodField::kFlags, r.flags);
  append_record(RecordType::kMethod, body, out);
}

void encode(const JitCode& r, std::string& out) {
  std::string body;
  Builder<JitCodeField> to(body);
  put(to, JitCodeField::kCode, r.code);
  put(to, JitCodeField::kMethod, r.method);
  put(to, JitCodeField::kTier, static_cast<uint64_t>(r.tier));
  put(to, JitCodeField::kStart, r.start);
  put(to, JitCodeField::kSize, r.size);
  put(to, JitCodeField::kMainSize, r.main_size);
  append_record(RecordType::kJitCode, body, out);
}

void encode(const MethodRange& r, std::string& out) {
  std::string body;
  Builder<MethodRangeField> to(body);
  put(to, MethodRangeField::kModule, r.module);
  put(to, MethodRangeField::kBegin, r.begin);
  put(to, MethodRangeField::kEnd, r.end);
  put(to, MethodRangeField::kMethod, r.method);
  append_record(RecordType::kMethodRange, body, out);
}

void encode(const Nodes& r, uint32_t first_id, std::string& out) {
  std::string body;
  Builder<NodesField> to(body);
  {
    protozero::packed_field_sint32 column(to, static_cast<uint32_t>(NodesField::kParent));
    uint32_t id = first_id;
    for (const uint32_t parent : r.parent) {
      // The roots of a new tree are marked, so that a reader that does not know of new trees refuses them.
      const bool marked = r.new_tree && parent == 0;
      column.add_element(marked ? 0 : static_cast<int32_t>(id - parent));
      ++id;
    }
  }
  put_frames(to, NodesField::kFrame, NodesField::kOffset, r.frame);
  put(to, NodesField::kNewTree, r.new_tree);
  append_record(RecordType::kNodes, body, out);
}

void encode(const Samples& r, std::string& out) {
  std::string body;
  Builder<SamplesField> to(body);
  put(to, SamplesField::kThread, r.thread);
  {
    protozero::packed_field_uint64 column(to, static_cast<uint32_t>(SamplesField::kTime));
    uint64_t before = 0;
    for (const uint64_t time : r.time_us) column.add_element(time - std::exchange(before, time));
  }
  put_column(to, SamplesField::kWeight, r.weight_ns);
  {
    protozero::packed_field_sint64 column(to, static_cast<uint32_t>(SamplesField::kStack));
    int64_t before = 0;
    for (const base::StackId stack : r.stack) {
      column.add_element(int64_t{stack.value} - std::exchange(before, int64_t{stack.value}));
    }
  }
  put_rare(to, SamplesField::kEnd, r.end);
  put_rare(to, SamplesField::kFlags, r.flags);
  append_record(RecordType::kSamples, body, out);
}

void encode(const Oracle& r, std::string& out) {
  std::string body;
  Builder<OracleField> to(body);
  put(to, OracleField::kThread, r.thread);
  put(to, OracleField::kSample, r.sample);
  put(to, OracleField::kHresult, r.hresult);
  put_frames(to, OracleField::kFrame, OracleField::kOffset, r.frames);
  put(to, OracleField::kOurCycles, r.our_cycles);
  put(to, OracleField::kClrCycles, r.clr_cycles);
  put_always(to, OracleField::kSeeded, r.seeded);
  put(to, OracleField::kClrFirst, r.clr_first);
  put(to, OracleField::kAboveSeed, r.above_seed);
  append_record(RecordType::kOracle, body, out);
}

void encode(const ThreadEnd& r, std::string& out) {
  std::string body;
  Builder<ThreadEndField> to(body);
  put(to, ThreadEndField::kThread, r.thread);
  put(to, ThreadEndField::kTime, r.time_us);
  put(to, ThreadEndField::kUnsampled, r.unsampled_ns);
  append_record(RecordType::kThreadEnd, body, out);
}

void encode(const Counters& r, std::string& out) {
  std::string body;
  Builder<CountersField> to(body);
  put(to, CountersField::kTime, r.time_us);
  put(to, CountersField::kAttempts, r.attempts);
  put(to, CountersField::kSamples, r.samples);
  put_column(to, CountersField::kDrops, r.drops);
  put(to, CountersField::kHandler, r.handler_ns);
  put(to, CountersField::kAgentThreads, r.agent_threads_ns);
  put(to, CountersField::kProcessCpu, r.process_cpu_ns);
  put(to, CountersField::kWalkCyclesP50, r.walk_cycles_p50);
  put(to, CountersField::kWalkFrames, r.walk_frames);
  put(to, CountersField::kTimerOverruns, r.timer_overruns);
  put_column(to, CountersField::kUnknownPc, r.unknown_pc);
  append_record(RecordType::kCounters, body, out);
}

void encode(const Message& r, std::string& out) {
  std::string body;
  Builder<MessageField> to(body);
  put(to, MessageField::kTime, r.time_us);
  put(to, MessageField::kSeverity, static_cast<uint64_t>(r.severity));
  put(to, MessageField::kText, r.text);
  append_record(RecordType::kMessage, body, out);
}

void encode(const Rate& r, std::string& out) {
  std::string body;
  Builder<RateField> to(body);
  put(to, RateField::kTime, r.time_us);
  put(to, RateField::kInterval, r.interval_ns);
  put(to, RateField::kBefore, r.before_ns);
  put(to, RateField::kCost, r.cost_ppm);
  put(to, RateField::kBudget, r.budget_ppm);
  append_record(RecordType::kRate, body, out);
}

void encode(const End& r, std::string& out) {
  std::string body;
  Builder<EndField> to(body);
  put(to, EndField::kTime, r.time_us);
  append_record(RecordType::kEnd, body, out);
}

void encode(const NativeSymbols& r, std::string& out) {
  std::string body;
  Builder<NativeSymbolsField> to(body);
  put(to, NativeSymbolsField::kModule, r.module);
  put(to, NativeSymbolsField::kStripped, r.stripped);
  put_always(to, NativeSymbolsField::kFound, r.found);
  put(to, NativeSymbolsField::kSource, r.source);
  for (const NativeSymbol& symbol : r.symbols) put_symbol(to, symbol);
  append_record(RecordType::kNativeSymbols, body, out);
}

}  // namespace walkabout::wire
