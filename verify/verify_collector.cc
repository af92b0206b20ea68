#include "verify/verify_collector.h"

#include <algorithm>
#include <utility>

#include "base/file_name.h"
#include "profile/names/hex.h"
#include "profile/names/readable_name.h"
#include "profile/names/runtime_library.h"
#include "wire/stub_kind.h"

namespace walkabout::profile {
namespace {

uint64_t median(std::vector<uint64_t>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

constexpr const char* kUnexplained = "unexplained";
constexpr uint32_t kDepthStep = 10;
constexpr uint32_t kAnyDepth = ~0u;

bool answered(const wire::Oracle& answer) { return answer.seeded && answer.hresult == 0; }

// Code that the CLR reports as a method's while it has not been reported to the agent: the runtime says that
// it has compiled a method when it has published it already, on a machine with much to do some milliseconds
// later. Both walks then have its address, which is all that there is to compare.
bool nameless(wire::Frame frame, const wire::Oracle& answer) {
  return std::find(answer.frames.begin(), answer.frames.end(), frame) != answer.frames.end();
}

// What a walk that was cut off has is the leaf end of what the CLR has.
bool begins_like(const OracleStack& ours, const OracleStack& clr) {
  OracleStack end;
  if (compare(ours, end).verdict != Verdict::kUnexplained) return true;
  for (const OracleFrame& frame : clr) {
    end.push_back(frame);
    if (compare(ours, end).verdict != Verdict::kUnexplained) return true;
  }
  return false;
}

}  // namespace

void VerifiedCounts::add(const VerifiedCounts& other) {
  compared += other.compared;
  equal += other.equal;
  frames.all += other.frames.all;
  frames.equal += other.frames.equal;
  for (const auto& [rule, count] : other.explained) explained[rule] += count;
  unexplained += other.unexplained;
  for (const auto& [hresult, count] : other.refused) refused[hresult] += count;
  without_managed_frame += other.without_managed_frame;
  shortened += other.shortened;
  cut += other.cut;
  missing += other.missing;
}

void VerifyCollector::on_nodes(const wire::Nodes& r, uint32_t /*first_id*/) { stacks_.add(r); }

void VerifyCollector::on_samples(const wire::Samples& r) {
  // An Oracle counts these alone.
  const bool cpu = r.source == wire::kCpuSource;
  if (r.origin != (cpu ? wire::SampleOrigin::kTick : wire::SampleOrigin::kCallback)) return;
  std::vector<Walked>& walks = samples_[{r.thread, r.source}];
  for (size_t i = 0; i < r.stack.size(); ++i)
    walks.push_back({base::StackId(stacks_.entry(r.stack[i].value)), r.end[i]});
  dispatched_.add(r, [&](size_t i) { return stacks_.entry(r.stack[i].value); });
}

OracleFrame VerifyCollector::managed_frame(wire::Frame frame, bool leaf) const {
  const wire::Method* method = code_.method(frame, leaf ? Role::kLeaf : Role::kCaller);
  const auto no_metadata =
      static_cast<uint32_t>(wire::MethodFlag::kDynamic) | static_cast<uint32_t>(wire::MethodFlag::kIlStub);
  const Role role = leaf ? Role::kLeaf : Role::kCaller;
  OracleFrame out{frame, method};
  out.has_metadata = method == nullptr || (method->flags & no_metadata) == 0;
  out.funclet = code_.is_funclet(frame, role);
  out.dispatcher = is_exception_dispatcher(method);
  return out;
}

VerifyCollector::Pair VerifyCollector::pair_of(const wire::Oracle& answer, Walked walked) const {
  const base::StackId stack = walked.stack;
  Pair pair;
  pair.cut = walked.end != wire::WalkEnd::kRooted;
  bool native_before = false;
  bool threw = false;           // the next frame is a throw helper
  bool throws = false;          // one up to the next managed one dispatches an exception
  bool handler_before = false;  // a funclet: if native code called it, that is the runtime, for an exception
  uint32_t above = 0;
  for (uint32_t at = stack.value; at != 0; at = stacks_.parent[at], ++above) {
    const wire::Frame frame = stacks_.frame[at];
    if (frame == wire::Frame::gap()) break;
    pair.shortened = pair.shortened || frame.kind() == wire::FrameKind::kLeftOut;
    const bool method = frame.managed() || nameless(frame, answer);
    if (method) {
      pair.ours.push_back(managed_frame(frame, at == stack.value));
      pair.ours.back().calls_native = native_before;
      OracleFrame& ours = pair.ours.back();
      ours.callback = marks_.called_by_libraries(ours.method);
      ours.named_later = above < answer.above_seed;
      ours.throws = threw || throws || (native_before && handler_before && !ours.dispatcher);
      if (!ours.dispatcher) handler_before = ours.funclet;
    }
    native_before = !method || pair.ours.back().callback;
    throws =
        !method && (throws || (marks_.dispatches(frame) && (at != stack.value || within_function(frame))));
    threw = marks_.throws(frame);
  }
  const bool leaf_is_managed = stack.valid() && stacks_.frame[stack.value].managed();
  for (const wire::Frame frame : answer.frames) {
    pair.clr.push_back(managed_frame(frame, leaf_is_managed && pair.clr.empty()));
  }
  return pair;
}

// Not at a function's first byte, where a return address would be the function's before it.
bool VerifyCollector::within_function(wire::Frame native) const {
  return code_.symbol(native, Role::kLeaf) == code_.symbol(native, Role::kCaller);
}

std::string VerifyCollector::describe(wire::Frame frame, bool leaf) const {
  const Role role = leaf ? Role::kLeaf : Role::kCaller;
  if (frame.managed()) {
    const wire::Method* method = code_.method(frame, role);
    const std::string name = method != nullptr ? readable_name(*method).text
                                               : "managed code " + std::to_string(frame.code().value);
    return name + " +" + hex(frame.offset()) +
           (frame.kind() == wire::FrameKind::kReadyToRun ? " (ready-to-run)" : "");
  }
  if (frame.kind() == wire::FrameKind::kNative) {
    const wire::NativeSymbol* symbol = code_.symbol(frame, role);
    const wire::Module* module = code_.module(frame.code());
    const std::string file(module != nullptr ? base::file_name(module->path)
                                             : std::string_view("unknown library"));
    return "[" + file + (symbol != nullptr ? " " + symbol->name : std::string()) + " +" +
           hex(frame.offset()) + "]";
  }
  if (frame.kind() == wire::FrameKind::kLeftOut)
    return "[left out " + std::to_string(frame.address()) + " frames]";
  const bool stub = frame.kind() == wire::FrameKind::kStub;
  return (stub ? "[stub " + hex(wire::stub_address(frame)) : "[unknown " + hex(frame.address())) + "]";
}

OracleExample VerifyCollector::example(const wire::Oracle& answer, base::StackId stack,
                                       const std::string& verdict) const {
  OracleExample out;
  out.verdict = verdict;
  out.source = answer.source;
  const auto tid = tids_.find(answer.thread);
  out.tid = tid != tids_.end() ? tid->second : 0;
  out.sample = answer.sample;
  for (uint32_t at = stack.value; at != 0; at = stacks_.parent[at]) {
    out.ours.push_back(describe(stacks_.frame[at], at == stack.value));
  }
  for (const wire::Frame frame : answer.frames) out.clr.push_back(describe(frame, out.clr.empty()));
  return out;
}

// Null: the sample is not there.
const VerifyCollector::Walked* VerifyCollector::walked_of(const wire::Oracle& answer) const {
  const auto samples = samples_.find({answer.thread, answer.source});
  if (samples == samples_.end() || answer.sample >= samples->second.size()) return nullptr;
  return &samples->second[answer.sample];
}

void VerifyCollector::judge(const wire::Oracle& answer, size_t max_examples, VerifiedCounts& out,
                            std::map<std::string, std::vector<OracleExample>>& examples) const {
  const Walked* const found = walked_of(answer);
  if (found == nullptr) {
    ++out.missing;
    return;
  }
  const Walked walked = *found;
  const Pair pair = pair_of(answer, walked);
  if (pair.shortened) {
    ++out.shortened;
    return;
  }
  if (pair.cut && begins_like(pair.ours, pair.clr)) {
    ++out.cut;
    return;
  }
  ++out.compared;
  const FrameCount frames = count_frames(pair.ours, pair.clr);
  out.frames.all += frames.all;
  out.frames.equal += frames.equal;
  const Comparison result = compare(pair.ours, pair.clr);
  if (result.verdict == Verdict::kEqual) {
    ++out.equal;
    return;
  }
  const bool explained = result.verdict == Verdict::kExplained;
  ++(explained ? out.explained[result.rule] : out.unexplained);
  std::vector<OracleExample>& some = examples[explained ? result.rule : kUnexplained];
  if (some.size() < max_examples)
    some.push_back(example(answer, walked.stack, explained ? result.rule : kUnexplained));
}

uint32_t VerifyCollector::depth_of(base::StackId stack) const {
  uint32_t depth = 0;
  for (uint32_t at = stack.value; at != 0; at = stacks_.parent[at]) ++depth;
  return depth;
}

void VerifyCollector::Costs::add(const wire::Oracle& answer) {
  (answer.clr_first ? ours_second : ours).push_back(answer.our_cycles);
  (answer.clr_first ? clr : clr_second).push_back(answer.clr_cycles);
}

WalkCost VerifyCollector::Costs::medians() {
  return {ours.size(), median(ours), clr.size(), median(clr), median(clr_second), median(ours_second)};
}

std::map<uint32_t, VerifyCollector::Costs> VerifyCollector::costs() const {
  std::map<uint32_t, Costs> costs;
  for (const wire::Oracle& answer : answers_) {
    if (!answered(answer) || answer.source != wire::kCpuSource) continue;
    const Walked* const walked = walked_of(answer);
    if (walked == nullptr) continue;
    const base::StackId stack = walked->stack;
    if (!stacks_.frame[stack.value].managed()) continue;
    costs[(depth_of(stack) + kDepthStep / 2) / kDepthStep * kDepthStep].add(answer);
    costs[kAnyDepth].add(answer);
  }
  return costs;
}

Verification VerifyCollector::verify(size_t max_examples) {
  code_.sort();
  marks_ = OracleMarks(stacks_, code_, dispatched_.stacks());
  Verification out;
  std::map<std::string, std::vector<OracleExample>> examples;
  for (const wire::Oracle& answer : answers_) {
    VerifiedCounts& counts = out.by_source[answer.source];
    if (!answer.seeded) {
      ++counts.without_managed_frame;
    } else if (!answered(answer)) {
      ++counts.refused[answer.hresult];
    } else {
      judge(answer, max_examples, counts, examples);
    }
  }
  for (const auto& [source, counts] : out.by_source) out.add(counts);
  for (auto& [depth, some] : costs()) (depth == kAnyDepth ? out.all_costs : out.cost[depth]) = some.medians();
  out.examples = std::move(examples[kUnexplained]);
  examples.erase(kUnexplained);
  for (auto& [rule, some] : examples) {
    for (OracleExample& e : some) out.examples.push_back(std::move(e));
  }
  return out;
}

}  // namespace walkabout::profile
