#include "agent/linux/cover/cover_profiler.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "agent/linux/cover/probed_since.h"
#include "agent/linux/cover/test_flow.h"
#include "agent/shared/error_out.h"
#include "base/clock.h"
#include "base/file_name.h"
#include "base/glob.h"
#include "clr/abi/enums.h"
#include "clr/abi/hresults.h"
#include "clr/abi/metadata.h"
#include "clr/names/module_info.h"
#include "clr/names/runtime_info.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kWaitingEvents = clr::COR_PRF_MONITOR_MODULE_LOADS;
constexpr uint32_t kCoverEvents =
    kWaitingEvents | clr::COR_PRF_MONITOR_JIT_COMPILATION | clr::COR_PRF_MONITOR_CACHE_SEARCHES;
constexpr uint64_t kLookAgainNs = 10'000'000;
constexpr uint64_t kRestPerLook = 50;                              // times as long as a look took
constexpr uint32_t kReadWrite = 1;                                 // ofWrite
constexpr clr::COR_SIGNATURE kReachSignature[] = {0, 1, 1, 0x0b};  // managed: void (ulong)
constexpr std::string_view kLibrarySuffixes[] = {".dll", ".exe"};

// Test platforms and their parts, should one come with a PDB.
constexpr std::string_view kNotCovered[] = {"xunit.*",
                                            "nunit.*",
                                            "NUnit*",
                                            "testhost*",
                                            "coverlet.*",
                                            "Microsoft.TestPlatform.*",
                                            "Microsoft.VisualStudio.TestPlatform.*",
                                            "MSTestAdapter.*",
                                            "TUnit.*",
                                            "Microsoft.Testing.*",
                                            "MSTest.*",
                                            "Microsoft.VisualStudio.CodeCoverage*"};

// Of this thread's compilation (ProbedSince::now). One within another is the later one: then what was
// probed between the two is not seen.
thread_local uint64_t compiling_since = 0;

std::string without_suffix(const std::string& path) {
  for (const std::string_view suffix : kLibrarySuffixes) {
    if (path.ends_with(suffix)) return path.substr(0, path.size() - suffix.size());
  }
  return path;
}

template <typename Patterns>
bool matches_any(const Patterns& patterns, std::string_view name) {
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [&](const auto& pattern) { return base::matches_glob(pattern, name); });
}

}  // namespace

clr::HRESULT CoverProfiler::Initialize(clr::IUnknown* info) {
  remember_stderr();
  info_ = clr::newest_info(info);
  // A process that outlived the command starts others still.
  const bool is_over = ::access(options_.folder.c_str(), W_OK | X_OK) != 0;
  if (!info_ && !is_over)
    report_on_stderr("not covering this process: its runtime is too old (.NET 8 or later is needed)");
  if (!info_ || is_over || clr::failed(info_->SetEventMask2(kWaitingEvents, 0))) {
    info_.reset();
    return clr::CORPROF_E_PROFILER_CANCEL_ACTIVATION;
  }
  return clr::S_OK;
}

clr::HRESULT CoverProfiler::ModuleLoadFinished(clr::ModuleID module, clr::HRESULT status) {
  if (clr::failed(status)) return clr::S_OK;
  const std::optional<clr::ModuleInfo> loaded = clr::module_info(info_.get(), module);
  if (!loaded || loaded->path.empty() || loaded->path[0] != '/') return clr::S_OK;
  Chosen chosen = choose(loaded->path);
  chosen.is_collectible = (loaded->flags & clr::COR_PRF_MODULE_COLLECTIBLE) != 0;
  if (chosen.file != nullptr && (chosen.covers || chosen.has_tests))
    cover(module, loaded->path, std::move(chosen));
  return clr::S_OK;
}

CoverProfiler::Chosen CoverProfiler::choose(const std::string& path) {
  const std::string stem = without_suffix(path);
  const std::string_view name = base::file_name(stem);
  const bool asked = matches_any(options_.include, name);
  const bool is_platform = matches_any(kNotCovered, name);
  const bool wanted =
      !matches_any(options_.exclude, name) && (options_.include.empty() || asked) && (asked || !is_platform);
  const bool may_have_tests = options_.tests && !is_platform;
  if (!wanted && !may_have_tests) return {};
  const bool beside = ::access((stem + ".pdb").c_str(), R_OK) == 0;
  const base::Lock lock(mutex_);
  if (runtime_folder_.empty()) runtime_folder_ = path.substr(0, path.rfind('/') + 1);
  // Beside the runtime lie its own libraries, which have none, and an app that has its runtime with it.
  if (state_ == State::kFailed || (!beside && path.starts_with(runtime_folder_))) return {};
  if (!host_runs_ && !host_.start().ok()) {
    state_ = State::kFailed;
    return {};
  }
  host_runs_ = true;
  Chosen chosen{ModuleFile::map(path, host_)};
  if (chosen.file == nullptr) return {};
  const bool has_tests = chosen.file->has_tests();
  chosen.covers = wanted && (beside || chosen.file->has_embedded_pdb()) && (asked || !has_tests);
  chosen.has_tests = may_have_tests && has_tests;
  return chosen;
}

bool CoverProfiler::begin() {
  if (state_ != State::kWaiting) return state_ == State::kRunning;
  base::Status created = counts_.create(options_.folder, options_.counts ? 8 : 1, options_.tests);
  if (created.ok() && options_.tests) set_unknown_flow(counts_.add_test(0, 0, 0, 0));
  if (created.ok() && clr::failed(info_->SetEventMask2(kCoverEvents, 0)))
    created = base::Status::error("the runtime refused the events that are needed");
  if (!created.ok()) report_on_stderr("not covering this process: " + created.message());
  state_ = created.ok() ? State::kRunning : State::kFailed;
  return created.ok();
}

void CoverProfiler::cover(clr::ModuleID module, const std::string& path, Chosen chosen) {
  const base::Lock lock(mutex_);
  if (!begin()) return;
  const size_t count = module_count_.load(std::memory_order_relaxed);
  const base::Bytes version = chosen.file->metadata().module_version();
  for (size_t i = 0; i < count; ++i) {
    if (modules_[i]->load_again(module, path, version)) return;
  }
  CoveredModule::Parts parts;
  parts.path = path;
  if (count < kMostModules && chosen.has_tests) parts.tests = tests_in(module, path, chosen);
  if (count < kMostModules && chosen.covers) {
    const uint32_t methods = chosen.file->metadata().rows(precompiled::Table::kMethodDef);
    parts.number = counts_.add_module(path, version, methods);
    if (options_.tests) parts.reach = reach_signature(module);
    if (options_.tests && parts.reach == 0) counts_.count_unwrapped();
  }
  if (chosen.covers && parts.number == 0) counts_.count_unmapped();
  if (parts.number == 0 && parts.tests == nullptr) return;
  parts.file = std::move(chosen.file);
  modules_[count] = std::make_unique<CoveredModule>(module, std::move(parts), counts_, info_.get());
  module_count_.store(count + 1, std::memory_order_release);  // partner: module_of
}

std::unique_ptr<TestModule> CoverProfiler::tests_in(clr::ModuleID module, const std::string& path,
                                                    const Chosen& chosen) {
  std::unique_ptr<TestModule> tests;
  // An assembly that can be unloaded would stay for the handler that the flow has of it.
  if (test_lanes_ < kTestLanes && !chosen.is_collectible)
    tests = TestModule::make(*info_.get(), module, test_lanes_++, path, *chosen.file, counts_);
  if (tests == nullptr) counts_.count_unwrapped();
  return tests;
}

// 0: the runtime does not add to the module.
clr::mdSignature CoverProfiler::reach_signature(clr::ModuleID module) const {
  clr::ComPtr<clr::IMetaDataEmit> emit;
  clr::mdSignature signature = 0;
  if (clr::failed(
          info_->GetModuleMetaData(module, kReadWrite, clr::IMetaDataEmit::kIid, emit.put_unknown())) ||
      clr::failed(emit->GetTokenFromSig(kReachSignature, sizeof kReachSignature, &signature)))
    return 0;
  return signature;
}

clr::HRESULT CoverProfiler::ModuleUnloadStarted(clr::ModuleID module) {
  const size_t count = module_count_.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i) {
    if (modules_[i]->id() == module) modules_[i]->unloaded();
  }
  return clr::S_OK;
}

CoveredModule* CoverProfiler::module_of(clr::FunctionID function, clr::mdMethodDef* token) const {
  clr::ClassID type = 0;
  clr::ModuleID module = 0;
  if (clr::failed(info_->GetFunctionInfo(function, &type, &module, token))) return nullptr;
  const size_t count = module_count_.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i) {
    if (modules_[i]->id() == module) return modules_[i].get();
  }
  return nullptr;
}

clr::HRESULT CoverProfiler::JITCompilationStarted(clr::FunctionID function, clr::BOOL) {
  clr::mdMethodDef token = 0;
  CoveredModule* const module = module_of(function, &token);
  if (module != nullptr && !module->probe(function, token)) leave_out_what_ran();
  compiling_since = ProbedSince::now();
  return clr::S_OK;
}

// What it would inline was read already, without probes if that is not probed yet, or was since: then it is
// called.
clr::HRESULT CoverProfiler::JITInlining(clr::FunctionID, clr::FunctionID callee, clr::BOOL* wanted) {
  clr::mdMethodDef token = 0;
  CoveredModule* const module = module_of(callee, &token);
  if (module != nullptr && (module->probe(callee, token) || !module->may_be_inlined(token, compiling_since)))
    *wanted = 0;
  return clr::S_OK;
}

// Code that was compiled before has no probes.
clr::HRESULT CoverProfiler::JITCachedFunctionSearchStarted(clr::FunctionID function, clr::BOOL* use) {
  clr::mdMethodDef token = 0;
  if (module_of(function, &token) != nullptr) *use = 0;
  return clr::S_OK;
}

// When methods are compiled again, many are, one behind the other.
void CoverProfiler::leave_out_what_ran() {
  if (options_.counts) return;
  const uint64_t now = base::monotonic_ns();
  uint64_t next = look_again_ns_.load(std::memory_order_relaxed);
  if (now < next || !look_again_ns_.compare_exchange_strong(next, now + kLookAgainNs)) return;
  const size_t count = module_count_.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i) modules_[i]->leave_out_what_ran();
  const uint64_t end = base::monotonic_ns();
  look_again_ns_.store(end + std::max(kLookAgainNs, kRestPerLook * (end - now)), std::memory_order_relaxed);
}

}  // namespace walkabout::agent
