// The model every report reads: display frames, a tree of them, samples. Built once from a recording, then
// immutable; any number of threads may read it.
//
// A display frame is what a person sees as one box: a managed method (all its tiers and offsets), a native
// function, a folded run of unnamed frames of a stripped library. The tree's nodes are (parent, display
// frame); a sample points at its leaf node. Times are microseconds since the start of the recording. A
// sample's weight is the first value of its source, in the unit of that: nanoseconds of CPU time for the
// source "cpu". Where a Profile has a `view`, all its samples are of one source, and their weights are of the
// value that was chosen.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/traces.h"
#include "wire/records.h"

namespace walkabout::profile {

enum class Kind : uint8_t {
  kManaged = 0,
  kNative = 1,   // a native library that is not the CLR's own
  kRuntime = 2,  // libcoreclr, libclrjit, libclrgc, libSystem.*.Native, libhost*: the CLR's own native code
  kStub = 3,     // generated code without a method: precode, dispatch, write barriers
  kOther = 4,    // markers: [left out 512 frames], [unknown], [not sampled]
};
const char* to_string(Kind kind);  // "managed" "native" "runtime" "stub" "other"
// The CLR's own code, compiled or generated.
inline bool is_runtime(Kind kind) { return kind == Kind::kRuntime || kind == Kind::kStub; }

// Whose code a frame is of, as far as a recording says it (profile/names/origin.h).
enum class Origin : uint8_t {
  kMine = 0,       // the program's
  kFramework = 1,  // .NET's own libraries, native code, the runtime, methods made at run time
  kAsync = 2,      // of the framework: what runs async methods, tasks and work of the thread pool
  kMarker = 3,     // no code, or nobody knows whose
};

// Which runs of frames are folded to one.
enum class Folding : uint8_t {
  kNone = 0,
  kAsync = 1,   // async machinery
  kMyCode = 2,  // all that is not the program's
};

// Where in the sources a frame is.
struct SourcePlace {
  std::string file;              // path as the PDB has it; empty: nothing is known
  std::vector<uint32_t> lines;   // rising: it is one of these
  bool sure = false;             // it is the one there is in `lines`
  uint32_t first = 0, last = 0;  // of the lines that its method has in that file
  std::string hash = {};         // of the document, which tells files of one name apart; may be empty
  bool known() const { return !lines.empty(); }
  bool operator==(const SourcePlace&) const = default;
};

// Lines of a source file, the first of which has this number.
struct SourcePiece {
  uint32_t first = 1;
  std::string text;  // each line ends with '\n'
};

// A source file that frames have their places in.
struct SourceDocument {
  std::string path;  // as SourcePlace::file
  wire::HashKind hash_kind = wire::HashKind::kUnknown;
  std::string hash;      // of what was compiled
  std::string url;       // where SourceLink says that it can be fetched from; empty if it does not
  bool several = false;  // files of this path were compiled that differ
  // Where texts were asked for (profile/query/source_text.h):
  std::vector<SourcePiece> text;  // rising; of what was compiled, nothing else
  uint32_t lines = 0;             // that the whole file has; 0: not known
  std::string note;               // what of it is not in `text`, and why; empty: nothing
};

struct DisplayFrame {
  std::string name;  // readable: "Demo.Worker.RunAsync(int)", "qsort", "libcoreclr.so [12 unnamed frames]" is
                     // "[libcoreclr.so]"
  std::string raw_name;  // as the metadata or the symbol table has it
  std::string module;    // file name: "Demo.dll", "libc.so.6"; empty for markers
  Kind kind = Kind::kOther;
  bool exact = true;  // false: nearest exported name of a stripped library
  uint32_t own = 0;   // of a managed method: where its name begins behind the namespace
  Origin origin = Origin::kMarker;
  // Where lines were asked for (BuildOptions::lines): then a method has a frame for each of its places.
  SourcePlace place = {};
  // Of a method whose code the compiler has put into the caller's: its name ends in kInlinedMark.
  bool inlined = false;
  // What compiled the code that was met of it, a bit for each wire::Tier; 0: not known, or no managed code.
  uint16_t tiers = 0;
};
inline constexpr std::string_view kInlinedMark = " [inlined]";

struct Node {
  uint32_t parent = 0;  // index into nodes; node 0 is the root and its own parent
  uint32_t frame = 0;   // index into frames
};

// What the sampled thread was doing, best knowledge first: GC and JIT win over the kind of the leaf frame.
enum class Activity : uint8_t { kManaged = 0, kNative = 1, kRuntime = 2, kGc = 3, kJit = 4, kCount = 5 };
const char* to_string(Activity activity);  // "managed" "native" "runtime" "gc" "jit"

struct Sample {
  uint64_t time_us = 0;
  uint64_t weight = 0;
  uint32_t thread = 0;  // index into threads
  uint32_t node = 0;    // leaf node
  wire::WalkEnd end = wire::WalkEnd::kRooted;
  Activity activity = Activity::kManaged;
  bool shortened = false;  // the middle of its stack was left out: it was deeper than Session.depth
  uint8_t source = 0;      // index into sources
  uint32_t count = 1;      // so many samples; see Thinned
  uint32_t labels = 0;     // index into label_sets
  uint32_t more = 0;       // where its values behind the first begin in more_values, if its source has some
};
static_assert(sizeof(Sample) == 40);

// A source, and which of its values is looked at.
struct View {
  uint8_t source = 0;  // index into sources
  uint8_t value = 0;   // index into its values
};

struct Amount {
  uint64_t weight = 0;
  uint64_t samples = 0;
  Amount& operator+=(const Amount& other) {
    weight += other.weight;
    samples += other.samples;
    return *this;
  }
};

// What was put together so that the profile of a very long recording stays bounded (profile/build/thinner.h).
struct Thinned {
  uint64_t span_us = 0;  // equal samples of each so long are one, at the time of the first; 0: none are
  bool stacks = false;   // the rarest stacks are cut off above what they share; the rest is one frame:
  uint32_t rest = 0;     // this one
  // By frame: what the frames that were cut off had of CPU time, or of the event that the profile was read
  // for, so that sums over functions stay right. Shorter than frames, or empty.
  std::vector<Amount> self;
  std::vector<Amount> total;
};

// Its amounts are of the profile's view; without one, of the source "cpu", or of the first where CPU time was
// not sampled.
struct Thread {
  std::string name;  // .NET name, else OS name, else "thread TID"
  uint32_t tid = 0;
  wire::ThreadKind kind = wire::ThreadKind::kNative;
  uint64_t samples = 0;
  uint64_t weight = 0;
  uint64_t unsampled_ns = 0;
};

// Values of which the largest counts, each time that they were measured: the sizes of a heap.
struct Gauges {
  std::vector<wire::SourceValue> values;  // empty: the source has none
  std::vector<uint64_t> time_us;          // in order
  std::vector<uint64_t> measured;         // at each time all values
};

struct Profile {
  wire::Session session;
  uint32_t processes = 1;   // that it is of (profile/build/merge.h)
  wire::Counters counters;  // the last ones recorded
  std::vector<wire::Source> sources;
  std::vector<Thread> threads;
  std::vector<DisplayFrame> frames;
  std::vector<SourceDocument> documents;  // of the frames' places, by path
  std::vector<Node> nodes;                // nodes[0] is the root; parents come before children
  // By node: so many frames it stands for at most, where it is a folded run; 0: it is none. Empty: none is
  // (profile/query/folding.h).
  std::vector<uint32_t> folded;
  Folding page_folding = Folding::kAsync;  // which of them the page folds to begin with
  std::vector<Sample> samples;             // in time order
  // What labels of type wire::LabelType::kText stand for: text N is at N - 1.
  std::vector<std::string> texts;
  // A label for each that the source has; the first set is empty, of samples without labels.
  std::vector<std::vector<uint64_t>> label_sets{{}};
  std::vector<uint64_t> more_values;
  std::optional<View> view;
  Gauges gauges;  // of the view's source; of several processes together they say nothing
  Thinned thinned;
  bool chosen = false;                  // by time and focus of a filter, while it was read
  std::vector<wire::Message> messages;  // of the agent, and what could be done better (recording/advice.h)
  std::vector<std::string>
      stripped;               // libraries hit that have no symbol table: their frames are mostly unnamed
  uint64_t duration_us = 0;   // last time in the recording
  uint64_t total_weight = 0;  // of all samples that the amounts of threads are of
  bool lacks_time = false;    // a message says how much CPU time is in no stack
  bool complete = false;      // the agent ended in good order
  std::string damage;         // empty, or what the reader had to leave out, where
  std::vector<Traces> traces = {};  // of each process whose calls were traced
};

// One of the values that the sample's source has. REQUIRES: the profile has no view.
inline uint64_t value_of(const Profile& profile, const Sample& sample, size_t value) {
  return value == 0 ? sample.weight : profile.more_values[sample.more + value - 1];
}
// Of the profile's view; of one without, CPU time.
const wire::SourceValue& viewed_value(const Profile& profile);

}  // namespace walkabout::profile
