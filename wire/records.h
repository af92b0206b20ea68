// What the agent says, in order: the records of the stream and, framed and compressed, of a .walk file.
// Plain values; recording/format.md is the specification, wire/encode.h writes them, recording/decode.h reads
// them.
//
// The stream is a sequence of (varint length, protobuf message Record). A Record has exactly one field, whose
// number is the RecordType and whose value is the message below. Field numbers of each message stand behind
// its members. INVARIANTS: what a record refers to was said before it (a Code before a frame in it, a Method
// before the Code or MethodRange that names it, nodes before the samples on them, a Thread before its
// samples). An agent that is told to (WALKABOUT_EVERY) says one recording after the other: behind the End of
// one stands the Session of the next, and nothing said before holds any more but the ids of threads and code.
// Times are microseconds since Session.monotonic_start_ns; weights and CPU times are nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "wire/frame.h"

namespace walkabout::wire {

inline constexpr uint32_t kStreamVersion = 1;

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
};

// kSuspend: Windows, where a thread of the agent stops the others one by one.
enum class Engine : uint8_t { kPerf = 1, kTimer = 2, kSuspend = 3 };

struct Session {
  uint32_t version = kStreamVersion;  // 1
  uint32_t pid = 0;                   // 2
  std::string command_line;           // 3  arguments joined by spaces
  std::string runtime;                // 4  ".NET 10.0.12"
  std::string os;                     // 5  uname: "Linux 6.1.0 x86_64"
  std::string host;                   // 6
  uint64_t wall_start_ns = 0;         // 7  CLOCK_REALTIME when sampling began
  uint64_t monotonic_start_ns = 0;    // 8  CLOCK_MONOTONIC then
  uint64_t interval_ns = 0;           // 9  asked for, CPU time per sample of a thread
  Engine engine = Engine::kPerf;      // 10
  bool kernel_ticks = false;  // 11 ticks inside system calls are seen (else their time is in the next weight)
  bool oracle = false;        // 12
  uint32_t depth = 0;         // 13 frames kept of one stack
  std::string agent_version;  // 14
};

enum class ThreadKind : uint8_t { kNative = 0, kManaged = 1, kAgent = 2 };

// Said again when something about it changes (a name); the last one counts.
struct Thread {
  base::ThreadId id;                      // 1
  uint32_t tid = 0;                       // 2
  std::string os_name;                    // 3  /proc/self/task/TID/comm
  std::string managed_name;               // 4  Thread.Name, empty if never set
  ThreadKind kind = ThreadKind::kNative;  // 5
  uint64_t start_us = 0;                  // 6  when it was first seen
};

enum class ModuleKind : uint8_t { kElf = 1, kReadyToRun = 2, kVdso = 3, kPe = 4 };

// A native or ready-to-run image in memory. Frames of kind kNative and kReadyToRun refer to it.
struct Module {
  base::CodeId code;                   // 1
  ModuleKind kind = ModuleKind::kElf;  // 2
  std::string path;                    // 3  as the target sees it
  std::string build_id;                // 4  raw bytes of the GNU build id; empty if none
  uint64_t start = 0;                  // 5  lowest mapped address
  uint64_t size = 0;                   // 6
  uint64_t bias = 0;                   // 7  ELF: load bias; PE: image base
};

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
  base::MethodId id;       // 1
  std::string type;        // 2
  std::string method;      // 3
  std::string parameters;  // 4  "System.Int32, System.String[]"
  std::string module;      // 5  file name of its module, "Demo.dll"
  uint32_t flags = 0;      // 6  MethodFlag
};

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

// One jitted body. Frames of kind kJitted refer to it.
struct JitCode {
  base::CodeId code;           // 1
  base::MethodId method;       // 2
  Tier tier = Tier::kUnknown;  // 3
  uint64_t start = 0;          // 4
  uint32_t size = 0;           // 5
  uint32_t main_size = 0;      // 6  bytes before its funclets (catch, finally, filter bodies); 0: it has none
};

// The precompiled code of one method (or a funclet of it) in a ready-to-run image: [begin, end) are RVAs.
struct MethodRange {
  base::CodeId module;    // 1
  uint32_t begin = 0;     // 2
  uint32_t end = 0;       // 3
  base::MethodId method;  // 4
};

// New nodes of the stack tree, in columns. A node's id is its place in the order of all nodes of its tree,
// from 1. parent 0 is the root end: the node's frame is the thread's outermost.
struct Nodes {
  std::vector<uint32_t>
      parent;  // 1  packed sint32: node id - parent id (always > 0; node id itself for the root)
  std::vector<Frame> frame;  // 2  packed uint64: code << 4 | kind (kStub, kUnknown, kLeftOut: address << 4 |
                             // kind) 3  packed uint32: offset (0 for those three)
  // A tree of stacks ends at a bound, so that neither side has to hold all stacks of a long recording: with
  // these nodes the next one begins. What is said from here on refers to its nodes alone; everything else
  // (threads, code, methods) stays as it was said.
  bool new_tree = false;  // 4
};

enum class SampleFlag : uint8_t {
  kInGc = 1,     // the thread was doing garbage collection work
  kInJit = 2,    // the thread was compiling
  kLeftOut = 4,  // the middle of the stack was left out (a kLeftOut frame says how much)
  kOwnWalk = 8,  // Windows: the CLR had refused its walk, so the managed frames are of our own as well
};

// Samples of one thread in time order, in columns.
struct Samples {
  base::ThreadId thread;  // 1
  std::vector<uint64_t>
      time_us;  // 2  packed uint64, each the difference to the one before (the first: absolute)
  std::vector<uint64_t> weight_ns;   // 3  packed uint64: CPU time of the thread since its sample before
  std::vector<base::StackId> stack;  // 4  packed sint64: difference to the one before (first: to 0)
  std::vector<WalkEnd> end;          // 5  packed uint32; the field is left out when all are kRooted
  std::vector<uint8_t> flags;        // 6  packed uint32 of SampleFlag; left out when all are 0
};

// An Oracle's hresult of our own (customer bit set): the CLR was not asked, because it was stopping its
// threads and might have made the interrupted one wait in the handler.
inline constexpr uint32_t kRuntimeSuspending = 0xA0040001;
// Or because the thread was interrupted inside the runtime, whose walk may need a lock the thread holds
// (before .NET 10).
inline constexpr uint32_t kInsideRuntime = 0xA0040002;

// What the CLR's own walk (DoStackSnapshot, seeded with the same registers) said for one sample: managed
// frames only, leaf first. `sample` counts the samples of this thread from 0 in the order they are said.
struct Oracle {
  base::ThreadId thread;      // 1
  uint64_t sample = 0;        // 2
  uint32_t hresult = 0;       // 3  0 = S_OK, or one of the two above
  std::vector<Frame> frames;  // 4, 5  in the columns of Nodes 2 and 3
  uint64_t our_cycles = 0;    // 6  TSC cycles of our walk of that sample
  uint64_t clr_cycles = 0;    // 7  of the CLR's
  bool clr_first = false;     // 9  the CLR walked before we did; so each at times finds the caches cold
  bool seeded = true;         // 8  false: no managed frame was found, so no seed and no walk was asked for
  uint32_t above_seed = 0;    // 10  so many leaf-most frames of the sample lie above the one the CLR's walk
                              // began at: no managed code as far as the agent knew when it walked
};

// A thread is gone, or the recording ends. unsampled_ns: its CPU time after its last sample; readers add it
// to that sample. A thread that was never sampled has it in no stack; so have the agent's own threads.
struct ThreadEnd {
  base::ThreadId thread;      // 1
  uint64_t time_us = 0;       // 2
  uint64_t unsampled_ns = 0;  // 3
};

// Totals since the start; the last one said counts. attempts == samples + sum(drops), always.
struct Counters {
  uint64_t time_us = 0;              // 1
  uint64_t attempts = 0;             // 2
  uint64_t samples = 0;              // 3
  std::vector<uint64_t> drops;       // 4  packed, indexed by DropCause
  uint64_t handler_ns = 0;           // 5  CPU time inside the signal handler
  uint64_t agent_threads_ns = 0;     // 6  CPU time of the agent's own threads
  uint64_t process_cpu_ns = 0;       // 7  CPU time of the process since Session start
  uint64_t walk_cycles_p50 = 0;      // 8  median TSC cycles of a walk
  uint64_t walk_frames = 0;          // 9  frames walked in all
  uint64_t timer_overruns = 0;       // 10 engine timer: ticks the kernel merged
  std::vector<uint64_t> unknown_pc;  // 11 first few addresses no rule was found for (diagnosis)
};

enum class Severity : uint8_t { kInfo = 0, kWarning = 1 };
// One sentence for the person who reads the recording.
struct Message {
  uint64_t time_us = 0;                 // 1
  Severity severity = Severity::kInfo;  // 2
  std::string text;                     // 3
};

// The agent changed its rate to keep to its budget: from now on one sample every interval_ns of a thread's
// CPU time. Also the first thing said in a recording that begins with another rate than Session.interval_ns.
struct Rate {
  uint64_t time_us = 0;      // 1
  uint64_t interval_ns = 0;  // 2
  uint64_t before_ns = 0;    // 3  until now
  uint64_t cost_ppm = 0;     // 4  what sampling took of the process's CPU time lately, in millionths
  uint64_t budget_ppm = 0;   // 5  what it may take
};

// The agent stopped in good order. A recording without it was cut off.
struct End {
  uint64_t time_us = 0;  // 1
};

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
struct NativeSymbols {
  base::CodeId module;                // 1
  bool stripped = false;              // 2  the file has no .symtab and no debug file was found
  bool found = true;                  // 3  false: no file with this build id could be read
  std::string source;                 // 4  file the names came from
  std::vector<NativeSymbol> symbols;  // 5 repeated {1 begin, 2 end, 3 name, 4 raw_name, 5 approximate}
};

}  // namespace walkabout::wire
