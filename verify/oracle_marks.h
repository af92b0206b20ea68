// What a recording's own stacks tell about code that has no name (the runtime is stripped): the oracle's
// rules need it. Learned once over all stacks; then any thread.
#pragma once

#include <span>
#include <unordered_set>

#include "profile/build/stack_map.h"
#include "profile/model/code_table.h"
#include "wire/records.h"

namespace walkabout::profile {

// The runtime's exception dispatcher: since .NET 9 it is managed code in System.Private.CoreLib
// (System.Runtime.EH and what it walks with), called by native code that a throw helper called.
bool is_exception_dispatcher(const wire::Method* method);

class OracleMarks {
 public:
  OracleMarks() = default;
  // dispatched: stacks of samples that were taken while an exception is dispatched (dispatch_samples.h).
  // REQUIRES: code is sorted; parents come before children.
  OracleMarks(const RawStacks& stacks, const CodeTable& code, std::span<const uint32_t> dispatched = {});

  // A native frame of the runtime's that managed code called, and above which the dispatcher, the throwing
  // of a C++ exception, or a sample that says that an exception is dispatched, was seen: the runtime throws
  // for its caller.
  bool throws(wire::Frame native) const { return throw_helpers_.count(native.bits) != 0; }
  // A native frame that is, or whose function is, only ever seen where an exception is dispatched: between
  // the dispatcher, or a handler, and the managed frame the exception is for. Never where the runtime calls
  // managed code for another reason.
  bool dispatches(wire::Frame native) const { return dispatching_.count(native.bits) != 0; }
  // A method that a library outside the runtime was seen to call: managed code cannot call such a method
  // (UnmanagedCallersOnly, or a marshalling stub), so whoever is below it on a stack called native code, even
  // if that code has left the stack by a tail call.
  bool called_by_libraries(const void* method) const { return entries_.count(method) != 0; }

 private:
  // native: a node that is native, or managed code that native code called, for an exception.
  void learn_throw_helper(const RawStacks& stacks, const CodeTable& code, uint32_t native);

  // Frame::bits
  std::unordered_set<uint64_t> throw_helpers_;
  std::unordered_set<uint64_t> dispatching_;
  std::unordered_set<const void*> entries_;  // of wire::Method
};

}  // namespace walkabout::profile
