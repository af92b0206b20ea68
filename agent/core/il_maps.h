// Which IL each part of a sampled method's machine code is of: the CLR is asked once for each method that a
// sample hit, some in each pass of the spooler. One thread, the spooler.
//
// What could go away before it is asked for never comes here: dynamic methods and those of collectible
// assemblies, whose names the CLR is not asked for either (CompiledMethod::name). The CLR keeps what it has
// looked up for good: a few hundred bytes a method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

#include "agent/core/code_registry.h"
#include "base/ids.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"
#include "wire/line_records.h"

namespace walkabout::agent {

class IlMaps {
 public:
  IlMaps(CodeRegistry& registry, clr::ICorProfilerInfo2* info);

  // A compiled method; each is asked for once.
  void want(const CompiledMethod& method);
  // The ready-to-run method whose code `address` is in, of the image `module` at `base`.
  void want(base::CodeId module, uint64_t base, uint64_t address, clr::FunctionID function);
  // Appends the records of at most `most` methods.
  void emit(size_t most, std::string* out);
  void erase(base::CodeId code) { known_code_.erase(code.value); }
  size_t pending() const { return wanted_.size(); }
  // Methods that the CLR has no map of.
  uint64_t refused() const { return refused_; }

 private:
  struct Wanted {
    base::CodeId code;
    clr::FunctionID function = 0;
    uint64_t start = 0;  // of a compiled method; of a ready-to-run one an address in it
    uint64_t base = 0;   // of its image; 0: it is no ready-to-run method
  };
  // The first byte of the ready-to-run method; 0: the CLR does not say.
  uint64_t start_of(const Wanted& wanted);
  bool lives(const Wanted& wanted) const;
  bool read(uint64_t start, wire::IlMap* map);

  CodeRegistry& registry_;
  clr::ComPtr<clr::ICorProfilerInfo9> info_;  // empty before .NET Core 2.1
  std::deque<Wanted> wanted_;
  std::unordered_set<uint32_t> known_code_;    // compiled methods
  std::unordered_set<uint64_t> known_starts_;  // of ready-to-run methods
  std::vector<clr::COR_DEBUG_IL_TO_NATIVE_MAP> entries_;
  std::vector<uintptr_t> starts_;
  uint64_t refused_ = 0;
};

}  // namespace walkabout::agent
