// Declares what a frame refers to before the frame is written: its image, its compiled code, its method. Each
// once. One thread (the spooler), the only one that asks the CLR for names. Remembers what it declared of the
// code that lives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "agent/core/code_registry.h"
#include "agent/core/il_maps.h"
#include "base/ids.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"
#include "clr/names/method_name.h"
#include "wire/frame.h"

namespace walkabout::agent {

class CodeWriter {
 public:
  struct Lines {
    bool on = false;     // also what source lines are found by, and what was inlined where
    bool sites = false;  // the runtime says where inlined calls were: .NET 8 and 9
  };
  CodeWriter(CodeRegistry& registry, clr::ICorProfilerInfo2* info, Lines lines);
  CodeWriter(CodeRegistry& registry, clr::ICorProfilerInfo2* info) : CodeWriter(registry, info, Lines()) {}

  // Appends what is not declared yet. leaf: the frame is where the thread was interrupted (else its offset is
  // a return address, which may be one past the method's end).
  void declare(wire::Frame frame, bool leaf, std::string* out);
  // An address no map knew when the walk met it may be known by now: a library or a method published
  // meanwhile. Unknown still: a stub, or managed code without a name.
  wire::Frame resolve(wire::Frame frame, bool leaf) const;
  // The registry has erased it: nobody will ask for it again. What was declared of it stays declared.
  void erase(base::CodeId code);
  // Of a frame of ready-to-run code that was declared. 0: the runtime knows none there.
  clr::FunctionID function_of(wire::Frame frame, bool leaf) const;
  // IL maps of at most so many of the methods that were declared. False when there are more.
  bool emit_il_maps(size_t most, std::string* out);
  // Methods of which the runtime's word on what was inlined cannot be so.
  uint64_t refused_inline_trees() const { return refused_inline_trees_; }
  // Methods that the CLR has no IL map of.
  uint64_t refused_il_maps() const { return il_maps_ ? il_maps_->refused() : 0; }

 private:
  void declare_module(base::CodeId code, std::string* out);
  void declare_jitted(base::CodeId code, std::string* out);
  void declare_inlined(const CompiledMethod& compiled, std::string* out);
  void declare_precompiled(base::CodeId code, uint32_t rva, std::string* out);
  base::MethodId declare_function(clr::FunctionID function, std::string* out);
  void declare_name(base::MethodId id, clr::MethodName name, std::string* out);
  base::AssemblyId declare_assembly(clr::ModuleID module, std::string* out);
  std::optional<wire::Frame> find(uint64_t pc, uint64_t lookup) const;  // REQUIRES: inside the gate
  static wire::Frame as_stub(wire::Frame frame);
  bool is_declared(base::CodeId code) const { return declared_.count(code.value) != 0; }
  bool find_range(base::CodeId code, uint32_t rva, wire::MethodRange* range) const;

  CodeRegistry& registry_;
  clr::ICorProfilerInfo2* info_;
  clr::MethodNames names_;
  std::unordered_set<uint32_t> declared_;  // CodeIds
  std::unordered_map<clr::FunctionID, base::MethodId> methods_;
  std::unordered_map<uint32_t, std::unordered_map<uint32_t, clr::FunctionID>> ranges_;  // by code and begin
  std::unordered_map<uint32_t, uint64_t> bases_;  // of ready-to-run images
  uint32_t last_method_ = 0;
  std::optional<IlMaps> il_maps_;
  const bool sites_;
  uint64_t refused_inline_trees_ = 0;
  std::unordered_map<clr::ModuleID, base::AssemblyId> assemblies_;
};

}  // namespace walkabout::agent
