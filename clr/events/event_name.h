// The names inside JIT events, which the runtime writes in the style of ildasm, as clr/names/method_name.h
// writes them. For methods that can only be named by their event: dynamic methods, stubs, collectible code.
// Text that is not of that form comes back as it is. Allocates; any thread, no state. Source: the runtime's
// prettyprintsig.cpp and TypeString::AppendType; checked against the events of .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "clr/abi/info.h"
#include "clr/events/eventpipe_method.h"
#include "clr/names/method_name.h"

namespace walkabout::clr {

// What the runtime has no name for in a dynamic method's signature: types by the address of their method
// table, "pMT: 0x7f4000000000". While the event is delivered that is a ClassID, for the method has just been
// compiled with it.
class TypeHandles {
 public:
  // "Ns.Outer+Inner"; empty where nobody knows.
  virtual std::string name_of(uint64_t handle) = 0;

 protected:
  ~TypeHandles() = default;
};

// Asks the runtime, from within the event's callback.
class LoadedTypes final : public TypeHandles {
 public:
  explicit LoadedTypes(ICorProfilerInfo12& info) : info_(info) {}
  std::string name_of(uint64_t handle) override;

 private:
  ICorProfilerInfo12& info_;
};

// handles: null: nobody is asked, such types are "?".
// "instance generic !!0  (!0,class System.Collections.Generic.List`1<int32>&)" -> "T0, ref
// System.Collections…<int>".
std::string parameters_of_event(std::string_view signature, TypeHandles* handles = nullptr);

// "Ns.Outer`1+Inner`1[System.__Canon,System.Int32]" -> "Ns.Outer<__Canon>+Inner<int>". "dynamicClass", which
// stands for "no type", becomes empty.
std::string type_of_event(std::string_view type);

MethodName name_of_event(const MethodLoad& event, TypeHandles* handles = nullptr);

}  // namespace walkabout::clr
