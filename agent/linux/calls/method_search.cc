#include "agent/linux/calls/method_search.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "agent/linux/calls/runtime_helper.h"
#include "agent/linux/calls/similar_names.h"
#include "agent/linux/calls/state_machines.h"
#include "clr/abi/enums.h"
#include "clr/names/module_info.h"
#include "clr/names/module_methods.h"
#include "clr/names/module_names.h"
#include "clr/names/runtime_info.h"
#include "il/cause.h"
#include "wire/call_records.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kRuntimeAsync = 0x2000;  // MethodImplOptions.Async

// Why a method is not to be compiled again; empty: it may be.
std::string why_not(const std::optional<clr::RuntimeVersion>& version, std::string_view file,
                    std::string_view name, const clr::DefinedMethod& method) {
  if ((method.implementation & kRuntimeAsync) != 0)
    return std::string(il::sentence_of(il::Cause::kRuntimeAsync));
  if (version && file == "System.Private.CoreLib.dll" && is_runtime_helper(version->major, name))
    return "the runtime calls its code directly";
  return "";
}

// Its methods can be asked for.
bool is_readable(clr::ICorProfilerInfo12* info, clr::ModuleID module) {
  const std::optional<clr::ModuleInfo> known = clr::module_info(info, module);
  return known && (known->flags & clr::COR_PRF_MODULE_DYNAMIC) == 0;
}

// Those of a module, each once.
class FoundMethods {
 public:
  FoundMethods(clr::IMetaDataImport2& import, clr::ModuleID module, bool enters_state_machines,
               std::vector<FoundMethod>* to)
      : import_(import), module_(module), enters_(enters_state_machines), to_(*to) {}

  void add(const clr::DefinedMethod& method, std::string problem) {
    std::optional<StateMachine> machine;
    if (enters_ && problem.empty())
      machine = method.name == "MoveNext" ? state_machine_at(import_, method.token)
                                          : state_machine_of(import_, method.token);
    const FoundMethod one{module_, machine ? machine->move_next : method.token, method.token,
                          machine && machine->async, std::move(problem)};
    const auto [place, is_new] = place_of_.emplace(one.token, to_.size());
    if (is_new)
      to_.push_back(one);
    else if (one.named != one.token)  // found as a method of its own before
      to_[place->second] = one;
  }

 private:
  clr::IMetaDataImport2& import_;
  const clr::ModuleID module_;
  const bool enters_;
  std::vector<FoundMethod>& to_;
  std::unordered_map<clr::mdMethodDef, size_t> place_of_;
};

}  // namespace

clr::ComPtr<clr::IMetaDataImport2> metadata_of(clr::ICorProfilerInfo12& info, clr::ModuleID module) {
  clr::ComPtr<clr::IMetaDataImport2> import;
  if (clr::failed(
          info.GetModuleMetaData(module, clr::ofRead, clr::IMetaDataImport2::kIid, import.put_unknown())))
    import.reset();
  return import;
}

clr::ComPtr<clr::IMetaDataEmit> writable_metadata_of(clr::ICorProfilerInfo12& info, clr::ModuleID module) {
  constexpr uint32_t kReadWrite = 1;  // ofWrite
  clr::ComPtr<clr::IMetaDataEmit> emit;
  if (clr::failed(info.GetModuleMetaData(module, kReadWrite, clr::IMetaDataEmit::kIid, emit.put_unknown())))
    emit.reset();
  return emit;
}

bool has_runtime_async(clr::ICorProfilerInfo12& info, clr::ModuleID module) {
  const clr::ComPtr<clr::IMetaDataImport2> import = metadata_of(info, module);
  if (!import) return false;
  clr::ModuleNames names = clr::ModuleNames::of(info, module);
  bool found = false;
  clr::for_each_method(*import.get(), names, [&](const std::string&, const clr::DefinedMethod& method) {
    found = found || (method.implementation & kRuntimeAsync) != 0;
  });
  return found;
}

MethodSearch::MethodSearch(clr::ICorProfilerInfo12* info, std::vector<wire::MethodPattern> patterns,
                           bool enters_state_machines)
    : info_(info),
      patterns_(std::move(patterns)),
      enters_state_machines_(enters_state_machines),
      states_(patterns_.size()) {}

bool MethodSearch::may_match(std::string_view file) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [file](const wire::MethodPattern& pattern) {
    return !pattern.exclude && wire::may_match(pattern, file);
  });
}

void MethodSearch::look(clr::ModuleID module, std::vector<FoundMethod>* found) {
  if (!is_readable(info_, module)) return;
  clr::ModuleNames names = clr::ModuleNames::of(*info_, module);
  const std::string& file = names.file_name();
  const clr::ComPtr<clr::IMetaDataImport2> import = metadata_of(*info_, module);
  if (!may_match(file) || !import) return;
  const std::optional<clr::RuntimeVersion> version = clr::runtime_version(info_);
  std::vector<uint64_t> matched(patterns_.size());
  const bool asks = wire::asks_for_attributes(patterns_);
  FoundMethods all(*import.get(), module, enters_state_machines_, found);
  clr::for_each_method(*import.get(), names, [&](const std::string& type, const clr::DefinedMethod& method) {
    const std::string name = wire::matched_name(type, method.name);
    const std::vector<std::string> attributes =
        asks ? names.attributes(method.token) : std::vector<std::string>();
    const wire::NamedMethod named{file, name, wire::is_state_machine(type), attributes};
    if (wire::choose(patterns_, named, [&matched](size_t i) { ++matched[i]; }))
      all.add(method, why_not(version, file, name, method));
  });
  const base::Lock lock(mutex_);
  for (size_t i = 0; i < matched.size(); ++i) {
    if (matched[i] == 0) continue;
    states_[i].methods += matched[i];
    states_[i].emitted = false;
  }
}

void MethodSearch::find_similar(const std::vector<clr::ModuleID>& modules) {
  std::vector<size_t> empty;
  {
    const base::Lock lock(mutex_);
    for (size_t i = 0; i < patterns_.size(); ++i) {
      if (!patterns_[i].exclude && patterns_[i].attribute.empty() && states_[i].methods == 0)
        empty.push_back(i);
    }
  }
  if (empty.empty()) return;
  std::vector<SimilarNames> similar;
  similar.reserve(empty.size());
  for (const size_t i : empty) similar.emplace_back(patterns_[i].name);
  for (const clr::ModuleID module : modules) {
    if (!is_readable(info_, module)) continue;
    const clr::ComPtr<clr::IMetaDataImport2> import = metadata_of(*info_, module);
    if (!import) continue;
    clr::ModuleNames names = clr::ModuleNames::of(*info_, module);
    clr::for_each_method(*import.get(), names,
                         [&](const std::string& type, const clr::DefinedMethod& method) {
                           const std::string name = wire::matched_name(type, method.name);
                           if (name.find('<') != std::string::npos) return;  // a compiler's
                           for (SimilarNames& one : similar) one.offer(name);
                         });
  }
  const base::Lock lock(mutex_);
  for (size_t i = 0; i < empty.size(); ++i) {
    PatternState& state = states_[empty[i]];
    state.similar = similar[i].all();
    state.emitted = false;
  }
}

void MethodSearch::emit(std::string* records) {
  const base::Lock lock(mutex_);
  for (size_t i = 0; i < patterns_.size(); ++i) {
    PatternState& state = states_[i];
    if (std::exchange(state.emitted, true)) continue;
    wire::encode(wire::CallPattern{static_cast<uint32_t>(i), patterns_[i].text, state.methods, state.similar},
                 *records);
  }
}

}  // namespace walkabout::agent
