// One sample's managed frames against the CLR's own walk of the same registers. Equal means: the same methods
// at the same instruction addresses, leaf first. What differs for a known reason is explained by a rule with
// a name; each rule is a function with a test. Everything else is unexplained, and a defect of ours until
// shown otherwise. Pure functions of their arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wire/frame.h"

namespace walkabout::profile {

struct OracleFrame {
  wire::Frame frame;
  const void* method = nullptr;  // identity of its method; null if the recording does not say
  bool has_metadata = true;      // false: dynamic methods and IL stubs
  bool calls_native = false;     // ours only: the next frame towards the leaf is native, a stub or unknown
  bool funclet = false;          // the body of a catch, finally or filter of its method
  bool dispatcher = false;       // the runtime's managed exception dispatcher
  bool callback = false;         // ours only: native code of the program's libraries calls its method
  bool throws = false;           // ours only: the native code it called throws: it dispatches an exception
  bool named_later = false;  // ours only: lies above the seed of the CLR's walk (wire::Oracle::above_seed)
  bool operator==(const OracleFrame& other) const { return frame == other.frame; }
};
inline bool same_method(const OracleFrame& a, const OracleFrame& b) {
  return a.frame == b.frame || (a.method != nullptr && a.method == b.method);
}
using OracleStack = std::vector<OracleFrame>;  // managed frames, leaf first

enum class Verdict { kEqual, kExplained, kUnexplained };
struct Comparison {
  Verdict verdict = Verdict::kEqual;
  std::string rule;  // of kExplained: rules that were needed, joined by '+'
};
Comparison compare(const OracleStack& ours, const OracleStack& clr);

// Frame by frame, from the root end: how many different frames the two lists hold together (those without
// metadata and funclets left aside, which the CLR does not report), and how many of them are in both, at the
// same address.
struct FrameCount {
  uint64_t all = 0;
  uint64_t equal = 0;
};
FrameCount count_frames(const OracleStack& ours, const OracleStack& clr);

// The rules (those for exceptions are in verify/oracle_exceptions.h). Each answers what is left to compare
// of `ours` after it was applied, or nothing if it does not apply.

// named_after_the_walk: the CLR's walk is seeded with the topmost frame of code that the agent knows as
// managed. The runtime reports a method it compiled only after it has published it, so another thread may
// run it a little earlier. When the sample is written its frame has a name, but the CLR's walk began at the
// frame below. Those frames, and no others, are left out; not what the CLR has all the same: a
// thread that is inside the runtime it walks from its own frame chain, whatever the seed is.
std::optional<OracleStack> named_after_the_walk(const OracleStack& ours, const OracleStack& clr);

// pinvoke_return_address: for a method that called native code the CLR reports the return address its own
// frame chain keeps (that of the P/Invoke, or of the helper that made it), not the one on the stack. Same
// method, another ip.
std::optional<OracleStack> pinvoke_return_address(const OracleStack& ours, const OracleStack& clr);

// leaf_in_pinvoke_transition: right before and after the native call of an inlined P/Invoke the thread runs
// managed code but counts as preemptive; the CLR then reports the return address in its frame chain instead
// of where the thread is. Same method, another ip close by. (Our leaf address is the interrupted register
// itself: no walk can make it wrong.)
std::optional<OracleStack> leaf_in_pinvoke_transition(const OracleStack& ours, const OracleStack& clr);

// callback_in_preemptive_transition: while a reverse P/Invoke enters or leaves managed code the thread is
// still preemptive; the CLR then begins at its frame chain, below the native code that called back, and
// leaves out the one managed frame above it: the method, or its stub, that native code called. (A stub
// without metadata may stand between the two; method_without_metadata leaves it out before.) On a thread that
// native code began, the callback may be the only managed frame.
std::optional<OracleStack> callback_in_preemptive_transition(const OracleStack& ours, const OracleStack& clr);

// method_without_metadata: the CLR's walk does not report dynamic methods and IL stubs to profilers.
std::optional<OracleStack> method_without_metadata(const OracleStack& ours, const OracleStack& clr);

// finally_funclet: a finally body that its own method calls is a frame of its own on the stack; the CLR
// reports only the method that called it.
std::optional<OracleStack> finally_funclet(const OracleStack& ours, const OracleStack& clr);

}  // namespace walkabout::profile
