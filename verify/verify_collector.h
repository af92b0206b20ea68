// Our walks against the CLR's, over a whole recording made with --oracle. Feed the collector every record,
// then ask once. Memory: what the Oracle records hold, 12 bytes a stack node, 4 a sample. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/build/stack_map.h"
#include "profile/model/code_table.h"
#include "recording/visitor.h"
#include "verify/dispatch_samples.h"
#include "verify/oracle_compare.h"
#include "verify/oracle_marks.h"

namespace walkabout::profile {

// One sample where the two differ, as text: leaf first, native frames of ours included.
struct OracleExample {
  std::string verdict;  // a rule's name, or "unexplained"
  base::SourceId source;
  uint32_t tid = 0;
  uint64_t sample = 0;
  std::vector<std::string> ours;
  std::vector<std::string> clr;
};

// What walks cost where both begin at the same managed frame: of samples interrupted in managed code. Who
// walks first finds the caches as the program left them, who walks second finds the stack in them; they take
// turns.
struct WalkCost {
  uint64_t samples = 0;                // we walked first
  uint64_t our_cycles_p50 = 0;         // in these
  uint64_t clr_samples = 0;            // the CLR walked first
  uint64_t clr_cycles_p50 = 0;         // in these
  uint64_t clr_second_cycles_p50 = 0;  // the CLR's walk behind ours
  uint64_t our_second_cycles_p50 = 0;
};

struct VerifiedCounts {
  uint64_t compared = 0;  // the CLR answered
  uint64_t equal = 0;
  FrameCount frames;                          // of all samples compared
  std::map<std::string, uint64_t> explained;  // by rule
  uint64_t unexplained = 0;
  std::map<uint32_t, uint64_t> refused;  // by HRESULT
  uint64_t without_managed_frame = 0;    // no managed frame on the stack: nothing to compare
  uint64_t shortened = 0;                // the middle of our stack was left out for its depth
  uint64_t cut =
      0;  // our walk ended before the thread's entry and reported that; up to there it has the CLR's frames
  uint64_t missing = 0;  // the sample was lost to damage of the file

  void add(const VerifiedCounts& other);
};

struct Verification : VerifiedCounts {  // of all sources
  std::map<base::SourceId, VerifiedCounts> by_source;
  // Of CPU time:
  WalkCost all_costs;
  std::map<uint32_t, WalkCost> cost;    // by depth of our stack, in tens: 40 holds 35 … 44 frames
  std::vector<OracleExample> examples;  // unexplained ones first
};

class VerifyCollector : public recording::RecordVisitor {
 public:
  void on_source(const wire::Source& r) override { dispatched_.add(r); }
  void on_text(const wire::Text& r) override { dispatched_.add(r); }
  void on_thread(const wire::Thread& r) override { tids_[r.id] = r.tid; }
  void on_module(const wire::Module& r) override { code_.add(r); }
  void on_method(const wire::Method& r) override { code_.add(r); }
  void on_jit_code(const wire::JitCode& r) override { code_.add(r); }
  void on_method_range(const wire::MethodRange& r) override { code_.add(r); }
  void on_native_symbols(const wire::NativeSymbols& r) override { code_.add(r); }
  void on_nodes(const wire::Nodes& r, uint32_t first_id) override;
  void on_samples(const wire::Samples& r) override;
  void on_oracle(const wire::Oracle& r) override { answers_.push_back(r); }

  // max_examples: of each verdict.
  Verification verify(size_t max_examples);

 private:
  struct Pair {
    OracleStack ours;
    OracleStack clr;
    bool shortened = false;
    bool cut = false;
  };
  struct Walked {
    base::StackId stack;
    wire::WalkEnd end;
  };
  Pair pair_of(const wire::Oracle& answer, Walked walked) const;
  OracleFrame managed_frame(wire::Frame frame, bool leaf) const;
  OracleExample example(const wire::Oracle& answer, base::StackId stack, const std::string& verdict) const;
  bool within_function(wire::Frame native) const;
  std::string describe(wire::Frame frame, bool leaf) const;
  uint32_t depth_of(base::StackId stack) const;
  const Walked* walked_of(const wire::Oracle& answer) const;
  void judge(const wire::Oracle& answer, size_t max_examples, VerifiedCounts& out,
             std::map<std::string, std::vector<OracleExample>>& examples) const;

  // Cycles of each walk, ours and the CLR's.
  struct Costs {
    std::vector<uint64_t> ours, ours_second, clr, clr_second;

    void add(const wire::Oracle& answer);
    WalkCost medians();
  };
  // By depth in tens; kAnyDepth: of all.
  std::map<uint32_t, Costs> costs() const;

  CodeTable code_;
  OracleMarks marks_;
  DispatchSamples dispatched_;
  RawStacks stacks_{{0}, {wire::Frame{}}};
  std::unordered_map<base::ThreadId, uint32_t> tids_;
  // In the order they were emitted; their stacks are entries of stacks_.
  std::map<std::pair<base::ThreadId, base::SourceId>, std::vector<Walked>> samples_;
  std::vector<wire::Oracle> answers_;
};

}  // namespace walkabout::profile
