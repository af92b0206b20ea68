// The profiler that `walkabout cover` has in its processes: it probes the methods of chosen modules and does
// nothing else. Nothing of it stays in code of other modules, and where no module is chosen only the loading
// of modules reaches it. Callbacks come on any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "agent/linux/cover/counts_file.h"
#include "agent/linux/cover/cover_options.h"
#include "agent/linux/cover/covered_module.h"
#include "agent/linux/descriptor_host.h"
#include "base/mutex.h"
#include "clr/abi/callback_base.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

class CoverProfiler : public clr::CallbackBase {
 public:
  explicit CoverProfiler(CoverOptions options) : options_(std::move(options)), counts_(host_) {}

  clr::HRESULT Initialize(clr::IUnknown* info) override;
  clr::HRESULT ModuleLoadFinished(clr::ModuleID module, clr::HRESULT status) override;
  clr::HRESULT ModuleUnloadStarted(clr::ModuleID module) override;
  clr::HRESULT JITCompilationStarted(clr::FunctionID function, clr::BOOL safe_to_block) override;
  clr::HRESULT JITInlining(clr::FunctionID caller, clr::FunctionID callee, clr::BOOL* wanted) override;
  clr::HRESULT JITCachedFunctionSearchStarted(clr::FunctionID function, clr::BOOL* use) override;

 private:
  static constexpr size_t kMostModules = 1024;

  struct Chosen {
    std::unique_ptr<ModuleFile> file;  // null: nothing is wanted of it
    bool covers = false;               // its methods are probed
    bool has_tests = false;            // that are to be told apart
    bool is_collectible = false;
  };
  Chosen choose(const std::string& path);
  // REQUIRES: a file.
  void cover(clr::ModuleID module, const std::string& path, Chosen chosen);
  std::unique_ptr<TestModule> tests_in(clr::ModuleID module, const std::string& path, const Chosen& chosen)
      WALKABOUT_REQUIRES(mutex_);
  clr::mdSignature reach_signature(clr::ModuleID module) const;
  bool begin() WALKABOUT_REQUIRES(mutex_);
  // The module that the method is of, if it is covered; else null.
  CoveredModule* module_of(clr::FunctionID function, clr::mdMethodDef* token) const;
  void leave_out_what_ran();

  const CoverOptions options_;
  clr::ComPtr<clr::ICorProfilerInfo12> info_;
  DescriptorHost host_;
  CountsFile counts_;
  base::Mutex mutex_;  // of what begins: the host, the file, a module
  enum class State : uint8_t { kWaiting, kRunning, kFailed };
  State state_ WALKABOUT_GUARDED_BY(mutex_) = State::kWaiting;
  bool host_runs_ WALKABOUT_GUARDED_BY(mutex_) = false;
  std::string runtime_folder_;  // of the first module that was loaded
  uint16_t test_lanes_ WALKABOUT_GUARDED_BY(mutex_) = 0;
  // Published by their count.
  std::array<std::unique_ptr<CoveredModule>, kMostModules> modules_;
  std::atomic<size_t> module_count_{0};
  std::atomic<uint64_t> look_again_ns_{0};  // when it may be looked again for what ran
};

}  // namespace walkabout::agent
