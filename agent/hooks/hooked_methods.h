// Which methods the runtime's hooks are put into, and their numbers: the mapper that the runtime asks when it
// compiles a method. A method keeps its number in all of its instantiations and versions.
//
// map(): compiling threads. index_of(), module_unloads(): callbacks. emit(): the spooler. No lock is held
// across a call into the CLR. A FunctionID may come again for another method when its module has gone: the
// runtime asks anew when that one is compiled. Source: ICorProfilerInfo3::SetFunctionIDMapper2; that it is
// asked at each compilation was measured on .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "clr/abi/info.h"
#include "clr/names/module_names.h"
#include "wire/call_records.h"
#include "wire/method_pattern.h"

namespace walkabout::agent {

class HookedMethods {
 public:
  // Without patterns all methods are hooked.
  HookedMethods(clr::ICorProfilerInfo12* info, std::vector<wire::MethodPattern> patterns);
  HookedMethods(const HookedMethods&) = delete;
  HookedMethods& operator=(const HookedMethods&) = delete;

  // The method's number; nothing where it is not hooked.
  std::optional<uint32_t> map(clr::FunctionID function);
  // The same of one that was mapped before, without a question to the CLR.
  std::optional<uint32_t> index_of(clr::FunctionID function);
  void module_unloads(clr::ModuleID module);
  // Methods that are new since the last time, and what the patterns chose. time_us: of the recording.
  void emit(uint64_t time_us, std::string* records);

 private:
  using Key = std::pair<clr::ModuleID, clr::mdMethodDef>;
  static constexpr uint32_t kNotHooked = ~0u;

  // By number of the patterns that it matches; false: it is not wanted.
  bool is_wanted(clr::ModuleNames& names, clr::mdMethodDef token, std::vector<size_t>* matched) const;
  uint32_t index_in(const Key& key);

  clr::ICorProfilerInfo12* const info_;
  const std::vector<wire::MethodPattern> patterns_;
  std::string last_state_;  // as emitted; the spooler's

  base::Mutex mutex_;
  std::map<Key, uint32_t> methods_ WALKABOUT_GUARDED_BY(mutex_);  // kNotHooked: it is not
  std::unordered_map<clr::FunctionID, uint32_t> functions_ WALKABOUT_GUARDED_BY(mutex_);
  std::vector<uint64_t> matched_ WALKABOUT_GUARDED_BY(mutex_);  // methods, by pattern
  std::string declared_ WALKABOUT_GUARDED_BY(mutex_);           // records for the next pass
  wire::CallState state_ WALKABOUT_GUARDED_BY(mutex_);
  bool patterns_changed_ WALKABOUT_GUARDED_BY(mutex_) = true;
};

}  // namespace walkabout::agent
