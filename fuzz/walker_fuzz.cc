// The whole walker over a process in which everything is hostile: it ends, within its limits, and a walk with
// a memory of the last one finds what the first found.
#include <cstdlib>
#include <memory>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/hostile_process.h"

using namespace walkabout;
using namespace walkabout::unwind;
using fuzz::expect;

namespace {

constexpr uint32_t kDepth = 64;

struct Walked {
  WalkOutcome outcome;
  std::vector<wire::Frame> frames;
  uint64_t total = 0;
};

Walked walk_once(const fuzz::HostileProcess& process, ReaderGate& gate, WalkMemo* memo) {
  Walked walked;
  walked.frames.resize(kDepth);
  FrameSink sink(walked.frames.data(), kDepth);
  const ReaderGate::Reader inside(gate);
  walked.outcome = walk(process.leaf, process.memory, process.map, sink, memo);
  walked.total = sink.total();
  const uint32_t kept = sink.finish();
  expect(kept <= kDepth && walked.total > 0 && walked.total <= kHardFrameLimit,
         "the frames keep to their limits");
  expect(walked.outcome.end < wire::WalkEnd::kCount, "a walk ends with a reason");
  walked.frames.resize(kept);
  return walked;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  fuzz::HostileProcess process(in);
  const Walked fresh = walk_once(process, process.gate, nullptr);
  const MappedMemo memo = map_memo();
  for (int i = 0; i < 3; ++i) {
    const Walked again = walk_once(process, process.gate, memo.get());
    expect(again.total == fresh.total && again.frames == fresh.frames, "a memo finds the same frames");
    expect(again.outcome.end == fresh.outcome.end, "a memo ends in the same way");
  }
  return 0;
}
