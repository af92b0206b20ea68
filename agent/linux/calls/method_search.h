// Which methods of the loaded modules patterns mean (wire/method_pattern.h), and what each pattern chose.
//
// Any thread; asks the CLR and allocates. emit(): the spooler. No lock is held across a call into the CLR.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"
#include "clr/abi/metadata.h"
#include "wire/method_pattern.h"

namespace walkabout::agent {

struct FoundMethod {
  clr::ModuleID module = 0;
  clr::mdMethodDef token = 0;  // whose body is changed
  clr::mdMethodDef named = 0;  // which method it stands for: itself, or the one that its state machine is of
  bool async = false;          // the MoveNext of an async method, of which several make a call
  std::string problem;         // why it is left alone; empty: it is not
};

class MethodSearch {
 public:
  // enters_state_machines: of async methods and iterators the MoveNext is found in their stead.
  MethodSearch(clr::ICorProfilerInfo12* info, std::vector<wire::MethodPattern> patterns,
               bool enters_state_machines);

  // Whether methods of such a file may be meant.
  bool may_match(std::string_view file) const;
  // Those of this module, which must not be looked through before.
  void look(clr::ModuleID module, std::vector<FoundMethod>* found);
  // For patterns that choose nothing: names like theirs in these modules.
  void find_similar(const std::vector<clr::ModuleID>& modules);
  // What of the patterns changed since the last time.
  void emit(std::string* records);

 private:
  struct PatternState {
    uint64_t methods = 0;
    std::string similar;
    bool emitted = false;  // as it is
  };

  clr::ICorProfilerInfo12* const info_;
  const std::vector<wire::MethodPattern> patterns_;
  const bool enters_state_machines_;
  base::Mutex mutex_;
  std::vector<PatternState> states_ WALKABOUT_GUARDED_BY(mutex_);
};

// Empty: the module has none that can be read.
clr::ComPtr<clr::IMetaDataImport2> metadata_of(clr::ICorProfilerInfo12& info, clr::ModuleID module);
// To add to. Empty: it cannot be.
clr::ComPtr<clr::IMetaDataEmit> writable_metadata_of(clr::ICorProfilerInfo12& info, clr::ModuleID module);
// Whether there are methods whose task the runtime makes itself.
bool has_runtime_async(clr::ICorProfilerInfo12& info, clr::ModuleID module);

}  // namespace walkabout::agent
