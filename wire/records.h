// What the agent emits, in order: the records of the stream and, framed and compressed, of a .walk file.
// Plain values; recording/format.md is the specification, wire/encode.h writes them, recording/decode.h reads
// them.
//
// The stream is a sequence of (varint length, protobuf message Record). A Record has exactly one field, whose
// number is the RecordType and whose value is the message below. Behind each struct stands how its members
// are listed (fields(), wire/field.h): whatever treats a record field by field follows that list. It is a
// template so that only who uses it pays for it when he compiles. INVARIANTS: what a record refers to was
// declared before it (a Code before a frame in it, a Method before the Code or MethodRange that names it,
// nodes before the samples on them, a Thread before its samples). With WALKABOUT_EVERY the agent
// emits one recording after the other: behind the End of one stands the Session of the next, and nothing
// declared before holds any more but the ids of threads and code. Times are microseconds since
// Session.monotonic_start_ns; weights and CPU times are nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "wire/field.h"
#include "wire/frame.h"

namespace walkabout::wire {

inline constexpr uint32_t kStreamVersion = 2;
// Until this version a stream had one source, CPU time, and no Source record.
inline constexpr uint32_t kFirstVersionWithSources = 2;

enum class RecordType : uint32_t {
  kSession = 1,
  kThread = 2,
  kModule = 3,
  kMethod = 4,
  kJitCode = 5,
  kMethodRange = 6,
  kNodes = 7,
  kSamples = 8,
  kOracle = 9,
  kThreadEnd = 10,
  kCounters = 11,
  kMessage = 12,
  kEnd = 13,
  kNativeSymbols = 14,  // appended by the CLI, never by the agent
  kRate = 15,
  kSource = 16,
  kText = 17,
};

// kSuspend: Windows, where a thread of the agent stops the others one by one.
enum class Engine : uint8_t { kPerf = 1, kTimer = 2, kSuspend = 3 };

struct Session {
  static constexpr RecordType kType = RecordType::kSession;
  uint32_t version = kStreamVersion;
  uint32_t pid = 0;
  std::string command_line;  // arguments joined by spaces
  std::string runtime;       // ".NET 10.0.12"
  std::string os;            // uname: "Linux 6.1.0 x86_64"
  std::string host;
  uint64_t wall_start_ns = 0;       // CLOCK_REALTIME when sampling began
  uint64_t monotonic_start_ns = 0;  // CLOCK_MONOTONIC then
  uint64_t interval_ns = 0;         // asked for, CPU time per sample of a thread
  Engine engine = Engine::kPerf;
  bool kernel_ticks = false;  // ticks inside system calls are seen (else their time is in the next weight)
  bool oracle = false;
  uint32_t depth = 0;  // frames kept of one stack
  std::string agent_version;
};
template <typename = void>
constexpr auto fields(const Session*) {
  return std::tuple(as::number(1, &Session::version).always_written(), as::number(2, &Session::pid),
                    as::text(3, &Session::command_line, Place::kCommandLine),
                    as::text(4, &Session::runtime, Place::kNone), as::text(5, &Session::os, Place::kNone),
                    as::text(6, &Session::host, Place::kHost), as::number(7, &Session::wall_start_ns),
                    as::number(8, &Session::monotonic_start_ns), as::time(9, &Session::interval_ns),
                    as::choice(10, &Session::engine, Engine::kSuspend).always_written(),
                    as::number(11, &Session::kernel_ticks), as::number(12, &Session::oracle),
                    as::number(13, &Session::depth), as::text(14, &Session::agent_version, Place::kNone));
}

// How a value of several samples becomes one.
enum class Adding : uint8_t { kSum = 0, kMax = 1 };

// What a source measures at each sample.
struct SourceValue {
  std::string name;  // "cpu time"
  std::string unit;  // "nanoseconds", "bytes", "count"
  Adding adding = Adding::kSum;
};
template <typename = void>
constexpr auto fields(const SourceValue*) {
  return std::tuple(as::text(1, &SourceValue::name, Place::kNone),
                    as::text(2, &SourceValue::unit, Place::kNone),
                    as::choice(3, &SourceValue::adding, Adding::kMax));
}

// What the number of a label means. A reader shows one that it does not know as a number.
enum class LabelType : uint32_t {
  kNumber = 0,
  kThreadState = 1,  // a ThreadState
  kSystemCall = 2,   // its number on the system of Session.os, plus 1; 0: none
  kAddress = 3,
  kText = 4,     // the id of a Text; 0: none
  kMessage = 5,  // the same, and what the text says is the program's data
  kType = 6,     // the same, and the text is a type's name as the runtime has it
};

// What a thread was doing at a sample.
enum class ThreadState : uint32_t {
  kRunning = 1,   // on a processor
  kRunnable = 2,  // waiting for one
  kBlocked = 3,
};

// What tells samples of one stack apart.
struct SourceLabel {
  std::string name;   // "state"
  uint32_t type = 0;  // a LabelType
};
template <typename = void>
constexpr auto fields(const SourceLabel*) {
  return std::tuple(as::text(1, &SourceLabel::name, Place::kNone), as::number(2, &SourceLabel::type));
}

// Whether its number is the id of a Text.
inline bool is_text(const SourceLabel& label) {
  return label.type == static_cast<uint32_t>(LabelType::kText) ||
         label.type == static_cast<uint32_t>(LabelType::kMessage) ||
         label.type == static_cast<uint32_t>(LabelType::kType);
}

// What makes a source sample. A reader takes one that it does not know as kEvent.
enum class Clock : uint32_t {
  kEvent = 0,      // something happened; period: every so many, in the unit of the first value
  kThreadCpu = 1,  // a thread's CPU time; period in nanoseconds
  kWall = 2,       // CLOCK_MONOTONIC; period in nanoseconds
};

inline constexpr base::SourceId kCpuSource(1);

// A kind of sample of this recording: emitted behind Session, before its first samples.
struct Source {
  static constexpr RecordType kType = RecordType::kSource;
  base::SourceId id;
  std::string name;                 // "cpu": what the user calls it by
  std::vector<SourceValue> values;  // at least one
  std::vector<SourceLabel> labels;
  uint32_t clock = 0;  // a Clock
  uint64_t period = 0;
};
template <typename = void>
constexpr auto fields(const Source*) {
  return std::tuple(as::number(1, &Source::id), as::text(2, &Source::name, Place::kNone),
                    as::messages(3, &Source::values), as::messages(4, &Source::labels),
                    as::number(5, &Source::clock), as::time(6, &Source::period));
}
// What a recording without Source records has.
Source cpu_source(const Session& session);

// What labels of types kText and kMessage stand for: a type's name, an exception's message. Emitted before
// the first sample with its id.
struct Text {
  static constexpr RecordType kType = RecordType::kText;
  base::TextId id;
  std::string text;
  std::string message;  // instead: of labels of type kMessage
};
template <typename = void>
constexpr auto fields(const Text*) {
  return std::tuple(as::number(1, &Text::id), as::text(2, &Text::text, Place::kNone),
                    as::text(3, &Text::message, Place::kMessage));
}

enum class ThreadKind : uint8_t { kNative = 0, kManaged = 1, kAgent = 2 };

// Said again when something about it changes (a name); the last one counts.
struct Thread {
  static constexpr RecordType kType = RecordType::kThread;
  base::ThreadId id;
  uint32_t tid = 0;
  std::string os_name;       // /proc/self/task/TID/comm
  std::string managed_name;  // Thread.Name, empty if never set
  ThreadKind kind = ThreadKind::kNative;
  uint64_t start_us = 0;  // when it was first seen
};
template <typename = void>
constexpr auto fields(const Thread*) {
  return std::tuple(as::number(1, &Thread::id), as::number(2, &Thread::tid),
                    as::text(3, &Thread::os_name, Place::kNone),
                    as::text(4, &Thread::managed_name, Place::kNone),
                    as::choice(5, &Thread::kind, ThreadKind::kAgent), as::time(6, &Thread::start_us));
}

enum class ModuleKind : uint8_t { kElf = 1, kReadyToRun = 2, kVdso = 3, kPe = 4 };

// A native or ready-to-run image in memory. Frames of kind kNative and kReadyToRun refer to it.
struct Module {
  static constexpr RecordType kType = RecordType::kModule;
  base::CodeId code;
  ModuleKind kind = ModuleKind::kElf;
  std::string path;      // as the target sees it
  std::string build_id;  // raw bytes of the GNU build id; empty if none
  uint64_t start = 0;    // lowest mapped address
  uint64_t size = 0;
  uint64_t bias = 0;  // ELF: load bias; PE: image base
};
template <typename = void>
constexpr auto fields(const Module*) {
  return std::tuple(
      as::number(1, &Module::code), as::choice(2, &Module::kind, ModuleKind::kPe).always_written(),
      as::text(3, &Module::path, Place::kPath), as::raw(4, &Module::build_id), as::number(5, &Module::start),
      as::number(6, &Module::size), as::number(7, &Module::bias));
}

enum class MethodFlag : uint32_t {
  kDynamic = 1,  // a DynamicMethod: no metadata, named by its event
  kIlStub = 2,   // marshalling, delegate and other stubs the runtime generates
  kIterator =
      4,  // a MoveNext that returns bool: the body of an iterator (one that returns void: of an async method)
};

// A managed method. Names are raw metadata names ("<Main>b__0_0", "<RunAsync>d__5.MoveNext"); the reader
// makes them readable. type is "Namespace.Outer+Inner<System.Int32>" with its generic arguments; method has
// its own ("Map<T>").
struct Method {
  static constexpr RecordType kType = RecordType::kMethod;
  base::MethodId id;
  std::string type;
  std::string method;
  std::string parameters;  // "System.Int32, System.String[]"
  std::string module;      // file name of its module, "Demo.dll"
  uint32_t flags = 0;      // MethodFlag
};
template <typename = void>
constexpr auto fields(const Method*) {
  return std::tuple(as::number(1, &Method::id), as::text(2, &Method::type, Place::kNone),
                    as::text(3, &Method::method, Place::kNone),
                    as::text(4, &Method::parameters, Place::kNone),
                    as::text(5, &Method::module, Place::kPath), as::number(6, &Method::flags));
}

enum class Tier : uint8_t {
  kUnknown = 0,
  kMinOpts = 1,    // optimizations off (debug build, huge method)
  kOptimized = 2,  // jitted once, fully (no tiering)
  kTier0 = 3,
  kTier1 = 4,
  kOsr = 5,  // on-stack replacement
  kTier0Instrumented = 6,
  kTier1Instrumented = 7,
  kReadyToRun = 8,
  kPreJit = 9,  // other precompiled code
};

// One compiled method. Frames of kind kJitted refer to it.
struct JitCode {
  static constexpr RecordType kType = RecordType::kJitCode;
  base::CodeId code;
  base::MethodId method;
  Tier tier = Tier::kUnknown;
  uint64_t start = 0;
  uint32_t size = 0;
  uint32_t main_size = 0;  // bytes before its funclets (catch, finally, filter bodies); 0: it has none
};
template <typename = void>
constexpr auto fields(const JitCode*) {
  return std::tuple(as::number(1, &JitCode::code), as::number(2, &JitCode::method),
                    as::choice(3, &JitCode::tier, Tier::kPreJit), as::number(4, &JitCode::start),
                    as::number(5, &JitCode::size), as::number(6, &JitCode::main_size));
}

// The precompiled code of one method (or a funclet of it) in a ready-to-run image: [begin, end) are RVAs.
struct MethodRange {
  static constexpr RecordType kType = RecordType::kMethodRange;
  base::CodeId module;
  uint32_t begin = 0;
  uint32_t end = 0;
  base::MethodId method;
};
template <typename = void>
constexpr auto fields(const MethodRange*) {
  return std::tuple(as::number(1, &MethodRange::module), as::number(2, &MethodRange::begin),
                    as::number(3, &MethodRange::end), as::number(4, &MethodRange::method));
}

// New nodes of the stack tree, in columns. A node's id is its place in the order of all nodes of its tree,
// from 1. parent 0 is the root end: the node's frame is the thread's outermost.
struct Nodes {
  static constexpr RecordType kType = RecordType::kNodes;
  std::vector<uint32_t> parent;  // node id - parent id: always > 0; node id itself for the root
  std::vector<Frame> frame;
  // A tree of stacks ends at a bound, so that neither side has to hold all stacks of a long recording: with
  // these nodes the next one begins. What is emitted from here on refers to its nodes alone; everything else
  // (threads, code, methods) stays as it was declared.
  bool new_tree = false;
};
template <typename = void>
constexpr auto fields(const Nodes*) {
  return std::tuple(as::parents(1, &Nodes::parent), as::frames(2, &Nodes::frame),
                    as::number(4, &Nodes::new_tree));
}

enum class SampleFlag : uint8_t {
  kInGc = 1,     // the thread was doing garbage collection work
  kInJit = 2,    // the thread was compiling
  kLeftOut = 4,  // the middle of the stack was left out (a kLeftOut frame says how much)
  kOwnWalk = 8,  // Windows: the CLR had refused its walk, so the managed frames are of our own as well
};

// Where in the process the samples of a record come from. Who takes what is left of a process's memory counts
// by it (collect/recovery.h).
enum class SampleOrigin : uint8_t {
  kTick = 0,      // the thread's signal handler
  kCallback = 1,  // the thread itself, outside of it
  kObserver = 2,  // a thread of the agent's
  kTally = 3,     // summed, without stacks (WalkEnd::kNotWalked)
};

// Samples of one thread, one source and one origin in time order, in columns. Values and labels are tables:
// the rows of the source's first value, then those of its second, and so on.
struct Samples {
  static constexpr RecordType kType = RecordType::kSamples;
  base::ThreadId thread;
  std::vector<uint64_t> time_us;
  std::vector<uint64_t> values;  // of kCpuSource: CPU time of the thread since its sample before
  std::vector<base::StackId> stack;
  std::vector<WalkEnd> end;
  std::vector<uint8_t> flags;  // SampleFlag
  base::SourceId source = kCpuSource;
  std::vector<uint64_t> labels;
  SampleOrigin origin = SampleOrigin::kTick;

  // Of the first value.
  uint64_t weight(size_t row) const { return values[row]; }
};
template <typename = void>
constexpr auto fields(const Samples*) {
  return std::tuple(as::number(1, &Samples::thread), as::rising(2, &Samples::time_us),
                    as::table(3, &Samples::values), as::differences(4, &Samples::stack),
                    as::rare(5, &Samples::end), as::rare(6, &Samples::flags),
                    as::number(7, &Samples::source).left_out_at(kCpuSource.value),
                    as::table(8, &Samples::labels), as::choice(9, &Samples::origin, SampleOrigin::kTally));
}

// An Oracle's hresult of our own (customer bit set): the CLR was not asked, because it was stopping its
// threads and might have made the interrupted one wait in the handler.
inline constexpr uint32_t kRuntimeSuspending = 0xA0040001;
// Or because the thread was interrupted inside the runtime, whose walk may need a lock the thread holds
// (before .NET 10).
inline constexpr uint32_t kInsideRuntime = 0xA0040002;
// Or because the thread was interrupted inside the dynamic loader: the CLR's walk reads variables of its
// thread, whose place the loader may be about to find.
inline constexpr uint32_t kInsideLoader = 0xA0040003;

// What the CLR's own walk (DoStackSnapshot, seeded with the same registers) found for one sample: managed
// frames only, leaf first. `sample` counts the samples of this thread and of kCpuSource from 0 in the order
// they are emitted.
struct Oracle {
  static constexpr RecordType kType = RecordType::kOracle;
  base::ThreadId thread;
  uint64_t sample = 0;
  uint32_t hresult = 0;  // 0 = S_OK, or one of the three above
  std::vector<Frame> frames;
  uint64_t our_cycles = 0;  // TSC cycles of our walk of that sample
  uint64_t clr_cycles = 0;  // of the CLR's
  bool clr_first = false;   // the CLR walked before we did; so each at times finds the caches cold
  bool seeded = true;       // false: no managed frame was found, so no seed and no walk was asked for
  uint32_t above_seed = 0;  // so many leaf-most frames of the sample lie above the one the CLR's walk
                            // began at: no managed code as far as the agent knew when it walked
};
template <typename = void>
constexpr auto fields(const Oracle*) {
  return std::tuple(as::number(1, &Oracle::thread), as::number(2, &Oracle::sample),
                    as::number(3, &Oracle::hresult), as::frames(4, &Oracle::frames),
                    as::number(6, &Oracle::our_cycles), as::number(7, &Oracle::clr_cycles),
                    as::number(8, &Oracle::seeded).always_written(), as::number(9, &Oracle::clr_first),
                    as::number(10, &Oracle::above_seed));
}

// A thread is gone, or the recording ends. unsampled_ns: its CPU time after its last sample; readers add it
// to that sample. A thread that was never sampled has it in no stack; so have the agent's own threads.
struct ThreadEnd {
  static constexpr RecordType kType = RecordType::kThreadEnd;
  base::ThreadId thread;
  uint64_t time_us = 0;
  uint64_t unsampled_ns = 0;
  bool without_clock = false;  // it could not be given one, or no ring: so it was not sampled
};
template <typename = void>
constexpr auto fields(const ThreadEnd*) {
  return std::tuple(as::number(1, &ThreadEnd::thread), as::time(2, &ThreadEnd::time_us),
                    as::time(3, &ThreadEnd::unsampled_ns), as::number(4, &ThreadEnd::without_clock));
}

// Of a source but kCpuSource, as in Counters.
struct SourceCounters {
  base::SourceId source;
  uint64_t attempts = 0;
  uint64_t samples = 0;
  std::vector<uint64_t> drops;  // indexed by DropCause
};
template <typename = void>
constexpr auto fields(const SourceCounters*) {
  return std::tuple(as::number(1, &SourceCounters::source), as::number(2, &SourceCounters::attempts),
                    as::number(3, &SourceCounters::samples), as::column(4, &SourceCounters::drops));
}

// Totals since the start; the last one emitted counts. attempts == samples + sum(drops), always, for each
// source; those that stand here themselves are kCpuSource's.
struct Counters {
  static constexpr RecordType kType = RecordType::kCounters;
  uint64_t time_us = 0;
  uint64_t attempts = 0;
  uint64_t samples = 0;
  std::vector<uint64_t> drops;       // packed, indexed by DropCause
  uint64_t handler_ns = 0;           // CPU time inside the signal handler
  uint64_t agent_threads_ns = 0;     // CPU time of the agent's own threads
  uint64_t process_cpu_ns = 0;       // CPU time of the process since Session start
  uint64_t walk_cycles_p50 = 0;      // median TSC cycles of a walk
  uint64_t walk_frames = 0;          // frames walked in all
  uint64_t timer_overruns = 0;       // engine timer: ticks the kernel merged
  std::vector<uint64_t> unknown_pc;  // first few addresses no rule was found for (diagnosis)
  uint64_t callbacks_ns = 0;         // CPU time inside the agent's callbacks; Linux only
  std::vector<SourceCounters> sources;

  // CPU time that profiling took, as far as it was counted.
  uint64_t profiling_ns() const { return handler_ns + callbacks_ns + agent_threads_ns; }
};
template <typename = void>
constexpr auto fields(const Counters*) {
  return std::tuple(as::time(1, &Counters::time_us), as::number(2, &Counters::attempts),
                    as::number(3, &Counters::samples), as::column(4, &Counters::drops),
                    as::time(5, &Counters::handler_ns), as::time(6, &Counters::agent_threads_ns),
                    as::time(7, &Counters::process_cpu_ns), as::number(8, &Counters::walk_cycles_p50),
                    as::number(9, &Counters::walk_frames), as::number(10, &Counters::timer_overruns),
                    as::column(11, &Counters::unknown_pc), as::time(12, &Counters::callbacks_ns),
                    as::messages(13, &Counters::sources));
}

enum class Severity : uint8_t { kInfo = 0, kWarning = 1 };
// One sentence for the person who reads the recording.
struct Message {
  static constexpr RecordType kType = RecordType::kMessage;
  uint64_t time_us = 0;
  Severity severity = Severity::kInfo;
  std::string text;
};
template <typename = void>
constexpr auto fields(const Message*) {
  return std::tuple(as::time(1, &Message::time_us), as::choice(2, &Message::severity, Severity::kWarning),
                    as::text(3, &Message::text, Place::kSentence));
}

// The agent changed its rate to keep to its budget: from now on one sample every interval_ns of a thread's
// CPU time. Also the first thing emitted in a recording that begins with another rate than
// Session.interval_ns.
struct Rate {
  static constexpr RecordType kType = RecordType::kRate;
  uint64_t time_us = 0;
  uint64_t interval_ns = 0;
  uint64_t before_ns = 0;   // until now
  uint64_t cost_ppm = 0;    // what sampling took of the process's CPU time lately, in millionths
  uint64_t budget_ppm = 0;  // what it may take
};
template <typename = void>
constexpr auto fields(const Rate*) {
  return std::tuple(as::time(1, &Rate::time_us), as::time(2, &Rate::interval_ns),
                    as::time(3, &Rate::before_ns), as::number(4, &Rate::cost_ppm),
                    as::number(5, &Rate::budget_ppm));
}

// The agent stopped in good order. A recording without it was cut off.
struct End {
  static constexpr RecordType kType = RecordType::kEnd;
  uint64_t time_us = 0;
};
template <typename = void>
constexpr auto fields(const End*) {
  return std::tuple(as::time(1, &End::time_us));
}

// Names for native code of one image, found outside the target. One entry per distinct function that samples
// hit.
struct NativeSymbol {
  uint32_t begin = 0;  // offset range the name stands for, [begin, end)
  uint32_t end = 0;
  std::string name;      // demangled
  std::string raw_name;  // as in the symbol table, empty if the same
  bool approximate =
      false;  // not its own name: the nearest exported one below plus the distance ("foo+0x1c0")
};
template <typename = void>
constexpr auto fields(const NativeSymbol*) {
  return std::tuple(as::number(1, &NativeSymbol::begin), as::number(2, &NativeSymbol::end),
                    as::text(3, &NativeSymbol::name, Place::kNone),
                    as::text(4, &NativeSymbol::raw_name, Place::kNone),
                    as::number(5, &NativeSymbol::approximate));
}

struct NativeSymbols {
  static constexpr RecordType kType = RecordType::kNativeSymbols;
  base::CodeId module;
  bool stripped = false;  // the file has no .symtab and no debug file was found
  bool found = true;      // false: no file with this build id could be read
  std::string source;     // file the names came from
  std::vector<NativeSymbol> symbols;
};
template <typename = void>
constexpr auto fields(const NativeSymbols*) {
  return std::tuple(as::number(1, &NativeSymbols::module), as::number(2, &NativeSymbols::stripped),
                    as::number(3, &NativeSymbols::found).always_written(),
                    as::text(4, &NativeSymbols::source, Place::kPath),
                    as::messages(5, &NativeSymbols::symbols));
}

template <typename... Record>
struct RecordList {};
// All there are, in an order in which a stream may say them.
using Records = RecordList<Session, Source, Text, Thread, Module, Method, JitCode, MethodRange, Nodes,
                           Samples, Oracle, ThreadEnd, Counters, Message, Rate, End, NativeSymbols>;

// Calls with(const Record*) for the record of this type (the pointer is null and says the type alone). False
// if this version knows none.
template <typename With>
constexpr bool with_record(RecordType type, With with) {
  const auto look = [&]<typename... Record>(RecordList<Record...>) {
    return ((type == Record::kType && (with(static_cast<const Record*>(nullptr)), true)) || ...);
  };
  return look(Records());
}

}  // namespace walkabout::wire
