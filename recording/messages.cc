#include "recording/messages.h"

#include "recording/columns.h"
#include "recording/fields.h"
#include "wire/fields.h"

namespace walkabout::recording {

wire::Session decode_session(std::string_view body) {
  using F = wire::SessionField;
  wire::Session r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kVersion:
        return take(f, r.version);
      case F::kPid:
        return take(f, r.pid);
      case F::kCommandLine:
        return take(f, r.command_line);
      case F::kRuntime:
        return take(f, r.runtime);
      case F::kOs:
        return take(f, r.os);
      case F::kHost:
        return take(f, r.host);
      case F::kWallStart:
        return take(f, r.wall_start_ns);
      case F::kMonotonicStart:
        return take(f, r.monotonic_start_ns);
      case F::kInterval:
        return take_time(f, r.interval_ns);
      case F::kEngine:
        return take_enum(f, r.engine, wire::Engine::kSuspend);
      case F::kKernelTicks:
        return take(f, r.kernel_ticks);
      case F::kOracle:
        return take(f, r.oracle);
      case F::kDepth:
        return take(f, r.depth);
      case F::kAgentVersion:
        return take(f, r.agent_version);
    }
    f.skip();
  });
  return r;
}

wire::Thread decode_thread(std::string_view body) {
  using F = wire::ThreadField;
  wire::Thread r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kId:
        return take(f, r.id);
      case F::kTid:
        return take(f, r.tid);
      case F::kOsName:
        return take(f, r.os_name);
      case F::kManagedName:
        return take(f, r.managed_name);
      case F::kKind:
        return take_enum(f, r.kind, wire::ThreadKind::kAgent);
      case F::kStart:
        return take_time(f, r.start_us);
    }
    f.skip();
  });
  return r;
}

wire::Module decode_module(std::string_view body) {
  using F = wire::ModuleField;
  wire::Module r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kCode:
        return take(f, r.code);
      case F::kKind:
        return take_enum(f, r.kind, wire::ModuleKind::kPe);
      case F::kPath:
        return take(f, r.path);
      case F::kBuildId:
        return take_raw(f, r.build_id);
      case F::kStart:
        return take(f, r.start);
      case F::kSize:
        return take(f, r.size);
      case F::kBias:
        return take(f, r.bias);
    }
    f.skip();
  });
  return r;
}

wire::Method decode_method(std::string_view body) {
  using F = wire::MethodField;
  wire::Method r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kId:
        return take(f, r.id);
      case F::kType:
        return take(f, r.type);
      case F::kMethod:
        return take(f, r.method);
      case F::kParameters:
        return take(f, r.parameters);
      case F::kModule:
        return take(f, r.module);
      case F::kFlags:
        return take(f, r.flags);
    }
    f.skip();
  });
  return r;
}

wire::JitCode decode_jit_code(std::string_view body) {
  using F = wire::JitCodeField;
  wire::JitCode r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kCode:
        return take(f, r.code);
      case F::kMethod:
        return take(f, r.method);
      case F::kTier:
        return take_enum(f, r.tier, wire::Tier::kPreJit);
      case F::kStart:
        return take(f, r.start);
      case F::kSize:
        return take(f, r.size);
      case F::kMainSize:
        return take(f, r.main_size);
    }
    f.skip();
  });
  return r;
}

wire::MethodRange decode_method_range(std::string_view body) {
  using F = wire::MethodRangeField;
  wire::MethodRange r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kModule:
        return take(f, r.module);
      case F::kBegin:
        return take(f, r.begin);
      case F::kEnd:
        return take(f, r.end);
      case F::kMethod:
        return take(f, r.method);
    }
    f.skip();
  });
  return r;
}

wire::Oracle decode_oracle(std::string_view body) {
  using F = wire::OracleField;
  wire::Oracle r;
  std::string_view codes;
  std::string_view offsets;
  for_each_field<F>(body, [&](Fields<F>& f) {
    switch (f.tag()) {
      case F::kThread:
        return take(f, r.thread);
      case F::kSample:
        return take(f, r.sample);
      case F::kHresult:
        return take(f, r.hresult);
      case F::kFrame:
        return take_bytes(f, codes);
      case F::kOffset:
        return take_bytes(f, offsets);
      case F::kOurCycles:
        return take(f, r.our_cycles);
      case F::kClrCycles:
        return take(f, r.clr_cycles);
      case F::kSeeded:
        return take(f, r.seeded);
      case F::kClrFirst:
        return take(f, r.clr_first);
      case F::kAboveSeed:
        return take(f, r.above_seed);
    }
    f.skip();
  });
  read_frames(codes, offsets, r.frames);
  return r;
}

wire::ThreadEnd decode_thread_end(std::string_view body) {
  using F = wire::ThreadEndField;
  wire::ThreadEnd r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kThread:
        return take(f, r.thread);
      case F::kTime:
        return take_time(f, r.time_us);
      case F::kUnsampled:
        return take_time(f, r.unsampled_ns);
    }
    f.skip();
  });
  return r;
}

wire::Counters decode_counters(std::string_view body) {
  using F = wire::CountersField;
  wire::Counters r;
  std::string_view drops;
  std::string_view unknown_pc;
  for_each_field<F>(body, [&](Fields<F>& f) {
    switch (f.tag()) {
      case F::kTime:
        return take_time(f, r.time_us);
      case F::kAttempts:
        return take(f, r.attempts);
      case F::kSamples:
        return take(f, r.samples);
      case F::kDrops:
        return take_bytes(f, drops);
      case F::kHandler:
        return take_time(f, r.handler_ns);
      case F::kAgentThreads:
        return take_time(f, r.agent_threads_ns);
      case F::kProcessCpu:
        return take_time(f, r.process_cpu_ns);
      case F::kWalkCyclesP50:
        return take(f, r.walk_cycles_p50);
      case F::kWalkFrames:
        return take(f, r.walk_frames);
      case F::kTimerOverruns:
        return take(f, r.timer_overruns);
      case F::kUnknownPc:
        return take_bytes(f, unknown_pc);
    }
    f.skip();
  });
  read_column(drops, r.drops);
  read_column(unknown_pc, r.unknown_pc);
  return r;
}

wire::Message decode_message(std::string_view body) {
  using F = wire::MessageField;
  wire::Message r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kTime:
        return take_time(f, r.time_us);
      case F::kSeverity:
        return take_enum(f, r.severity, wire::Severity::kWarning);
      case F::kText:
        return take(f, r.text);
    }
    f.skip();
  });
  return r;
}

wire::Rate decode_rate(std::string_view body) {
  using F = wire::RateField;
  wire::Rate r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kTime:
        return take_time(f, r.time_us);
      case F::kInterval:
        return take_time(f, r.interval_ns);
      case F::kBefore:
        return take_time(f, r.before_ns);
      case F::kCost:
        return take(f, r.cost_ppm);
      case F::kBudget:
        return take(f, r.budget_ppm);
    }
    f.skip();
  });
  return r;
}

wire::End decode_end(std::string_view body) {
  using F = wire::EndField;
  wire::End r;
  for_each_field<F>(body, [&r](Fields<F>& f) { f.tag() == F::kTime ? take_time(f, r.time_us) : f.skip(); });
  return r;
}

namespace {

wire::NativeSymbol decode_symbol(std::string_view body) {
  using F = wire::NativeSymbolField;
  wire::NativeSymbol r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kBegin:
        return take(f, r.begin);
      case F::kEnd:
        return take(f, r.end);
      case F::kName:
        return take(f, r.name);
      case F::kRawName:
        return take(f, r.raw_name);
      case F::kApproximate:
        return take(f, r.approximate);
    }
    f.skip();
  });
  return r;
}

}  // namespace

wire::NativeSymbols decode_native_symbols(std::string_view body) {
  using F = wire::NativeSymbolsField;
  wire::NativeSymbols r;
  for_each_field<F>(body, [&r](Fields<F>& f) {
    switch (f.tag()) {
      case F::kModule:
        return take(f, r.module);
      case F::kStripped:
        return take(f, r.stripped);
      case F::kFound:
        return take(f, r.found);
      case F::kSource:
        return take(f, r.source);
      case F::kSymbol: {
        std::string_view symbol;
        const bool bytes = is(f, protozero::pbf_wire_type::length_delimited);
        take_bytes(f, symbol);
        if (bytes) r.symbols.push_back(decode_symbol(symbol));
        return;
      }
    }
    f.skip();
  });
  return r;
}

}  // namespace walkabout::recording
