#include "agent/linux/calls/method_search.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "agent/linux/calls/similar_names.h"
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

// Why a method is not to be compiled again; empty: it may be. .NET 8 takes the address of the code of these
// two, not of their entry, and once (ECall::DynamicallyAssignCastHelpers): where there is a new code before
// that, it has none, and faults; behind that, it would call the old one.
std::string why_not(const std::optional<clr::RuntimeVersion>& version, std::string_view name,
                    const clr::DefinedMethod& method) {
  if ((method.implementation & kRuntimeAsync) != 0)
    return std::string(il::sentence_of(il::Cause::kRuntimeAsync));
  const bool direct = name == "System.Runtime.CompilerServices.CastHelpers.StelemRef" ||
                      name == "System.Runtime.CompilerServices.CastHelpers.LdelemaRef";
  if (direct && version && version->major <= 8) return "the runtime of .NET 8 calls its first code directly";
  return "";
}

// Its methods can be asked for.
bool is_readable(clr::ICorProfilerInfo12* info, clr::ModuleID module) {
  const std::optional<clr::ModuleInfo> known = clr::module_info(info, module);
  return known && (known->flags & clr::COR_PRF_MODULE_DYNAMIC) == 0;
}

}  // namespace

clr::ComPtr<clr::IMetaDataImport2> metadata_of(clr::ICorProfilerInfo12& info, clr::ModuleID module) {
  clr::ComPtr<clr::IMetaDataImport2> import;
  if (clr::failed(
          info.GetModuleMetaData(module, clr::ofRead, clr::IMetaDataImport2::kIid, import.put_unknown())))
    import.reset();
  return import;
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

MethodSearch::MethodSearch(clr::ICorProfilerInfo12* info, std::vector<wire::MethodPattern> patterns)
    : info_(info), patterns_(std::move(patterns)), states_(patterns_.size()) {}

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
  clr::for_each_method(*import.get(), names, [&](const std::string& type, const clr::DefinedMethod& method) {
    const std::string name = wire::matched_name(type, method.name);
    const wire::NamedMethod named{file, name, wire::is_state_machine(type)};
    bool wanted = false, excluded = false;
    for (size_t i = 0; i < patterns_.size(); ++i) {
      if (!wire::matches(patterns_[i], named)) continue;
      ++matched[i];
      (patterns_[i].exclude ? excluded : wanted) = true;
    }
    if (!wanted || excluded) return;
    found->push_back({module, method.token, why_not(version, name, method)});
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
      if (!patterns_[i].exclude && states_[i].methods == 0) empty.push_back(i);
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
