// What is put into the bodies of chosen methods, and what it counts with: a count at the method's beginning
// (count_probe.h), or the whole call between two (trace_probe.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "clr/abi/info.h"
#include "clr/abi/metadata.h"
#include "il/body.h"

namespace walkabout::agent {

// One whose body is compiled again.
struct ProbedMethod {
  clr::ModuleID module = 0;
  clr::mdMethodDef token = 0;
  uint32_t index = 0;  // its CountedMethod's
  bool async = false;  // the MoveNext of an async method
};

class MethodProbe {
 public:
  MethodProbe() = default;
  virtual ~MethodProbe() = default;
  MethodProbe(const MethodProbe&) = delete;
  MethodProbe& operator=(const MethodProbe&) = delete;

  // Whether the calls of an async method or an iterator are those of its state machine's MoveNext.
  virtual bool enters_state_machines() const { return false; }
  // There is room for what so many methods count. Who looks for methods.
  virtual base::Status make_room(uint32_t methods) = 0;
  // Before methods of this module are asked for, once. False: its metadata cannot be added to. Who looks for
  // methods.
  virtual bool take_up(clr::ModuleID module, clr::IMetaDataEmit& metadata) = 0;
  // Empty, or why the body is left as it was. Compiling threads, several at a time.
  virtual std::string put_into(const ProbedMethod& method, il::Body* body) = 0;
  // What was counted since the last time, of methods below this index. The spooler; once more behind stop().
  virtual void emit(uint64_t time_us, size_t methods, std::string* records) = 0;
  // No probe is put into methods any more.
  virtual void stop() {}
};

}  // namespace walkabout::agent
