// Stacks and the samples on them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "wire/field.h"
#include "wire/frame.h"
#include "wire/record_type.h"
#include "wire/source_records.h"

namespace walkabout::wire {

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
  // Of async stacks. How many frames of the stack, from its leaf, come before those that await; 0: the stack
  // tells all callers. And the node of the nearest that awaits, the outermost is a root; 0: nobody does.
  std::vector<uint32_t> async_joint;
  std::vector<base::StackId> awaiter;

  // Of the first value.
  uint64_t weight(size_t row) const { return values[row]; }
};
template <typename = void>
constexpr auto fields(const Samples*) {
  return std::tuple(as::number(1, &Samples::thread), as::rising(2, &Samples::time_us),
                    as::table(3, &Samples::values), as::differences(4, &Samples::stack),
                    as::rare(5, &Samples::end), as::rare(6, &Samples::flags),
                    as::number(7, &Samples::source).left_out_at(kCpuSource.value),
                    as::table(8, &Samples::labels), as::choice(9, &Samples::origin, SampleOrigin::kTally),
                    as::rare(10, &Samples::async_joint), as::rare(11, &Samples::awaiter));
}

// The agent looked which of the objects still exist that it follows: those with a label of
// LabelType::kObject. An object counts for its sample until a Sweep says that it is gone.
struct Sweep {
  static constexpr RecordType kType = RecordType::kSweep;
  uint64_t time_us = 0;
  std::vector<uint64_t>
      gone;  // objects that were collected since the sweep before, or are no longer followed
  // What is not gone stands for two to the power of it as much as before: of the others about as many were
  // given up by chance.
  uint32_t halvings = 0;
  // Collections so far that had begun and that had ended by then; and of all generations.
  uint64_t begun = 0;
  uint64_t ended = 0;
  uint64_t full_begun = 0;
  uint64_t full_ended = 0;
};
template <typename = void>
constexpr auto fields(const Sweep*) {
  return std::tuple(as::time(1, &Sweep::time_us), as::rising(2, &Sweep::gone),
                    as::number(3, &Sweep::halvings), as::number(4, &Sweep::begun),
                    as::number(5, &Sweep::ended), as::number(6, &Sweep::full_begun),
                    as::number(7, &Sweep::full_ended));
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
// frames only, leaf first. `sample` counts the samples of this thread and source from 0 in the order they are
// emitted: of kCpuSource all, of another those that the thread took in a callback (SampleOrigin::kCallback).
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
  base::SourceId source = kCpuSource;
};
template <typename = void>
constexpr auto fields(const Oracle*) {
  return std::tuple(
      as::number(1, &Oracle::thread), as::number(2, &Oracle::sample), as::number(3, &Oracle::hresult),
      as::frames(4, &Oracle::frames), as::number(6, &Oracle::our_cycles), as::number(7, &Oracle::clr_cycles),
      as::number(8, &Oracle::seeded).always_written(), as::number(9, &Oracle::clr_first),
      as::number(10, &Oracle::above_seed), as::number(11, &Oracle::source).left_out_at(kCpuSource.value));
}

}  // namespace walkabout::wire
