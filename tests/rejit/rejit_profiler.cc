// The agent as it is, and a thread that asks the runtime again and again to compile the methods of
// Emit.Rejitted (tests/apps/emit) anew, with the same IL and other optimizations, and to go back to their
// first IL: a profiler that rewrites code (ReJIT), while the stacks of that code are walked.
// Source: ICorProfilerInfo4::RequestReJIT and RequestRevert, which want a thread that runs no managed code.
#include <time.h>

#include <atomic>
#include <string>
#include <vector>

#include "agent/entry/make_profiler.h"
#include "agent/linux/own_thread.h"
#include "agent/linux/session/profiler.h"
#include "agent/linux/session/recording.h"
#include "clr/abi/callback_report.h"
#include "clr/abi/hresults.h"
#include "clr/abi/info_helpers.h"
#include "clr/abi/metadata.h"
#include "clr/names/utf16.h"

namespace walkabout::agent {
namespace {

constexpr char16_t kType[] = u"Emit.Rejitted";
constexpr std::string_view kModule = "/emit.dll";
constexpr uint32_t kReadOnly = 0;  // ofRead
constexpr uint32_t kMostMethods = 32;
constexpr uint32_t kPathLength = 1024;
constexpr long kPauseNs = 2'000'000;

void pause() {
  const timespec time{0, kPauseNs};
  ::nanosleep(&time, nullptr);
}

class RejitProfiler : public Profiler {
 public:
  clr::HRESULT Initialize(clr::IUnknown* unknown) override {
    const clr::HRESULT hr = Profiler::Initialize(unknown);
    uint32_t low = 0, high = 0;
    if (clr::failed(hr) || clr::failed(info()->GetEventMask2(&low, &high))) return hr;
    return info()->SetEventMask2(low | clr::COR_PRF_ENABLE_REJIT, high);
  }

  clr::HRESULT ModuleLoadFinished(clr::ModuleID module, clr::HRESULT status) override {
    const clr::HRESULT hr = Profiler::ModuleLoadFinished(module, status);
    if (recording() != nullptr && methods_.empty() && clr::succeeded(status) && find_methods(module)) begin();
    return hr;
  }

  clr::HRESULT GetReJITParameters(clr::ModuleID module, clr::mdMethodDef method,
                                  clr::ICorProfilerFunctionControl* control) override {
    const uint8_t* body = nullptr;
    uint32_t size = 0;
    if (clr::failed(info()->GetILFunctionBody(module, method, &body, &size))) return clr::S_FALSE;
    const uint32_t round = compiled_.fetch_add(1, std::memory_order_relaxed);
    constexpr uint32_t kFlags[] = {0, clr::COR_PRF_CODEGEN_DISABLE_ALL_OPTIMIZATIONS,
                                   clr::COR_PRF_CODEGEN_DISABLE_INLINING};
    control->SetCodegenFlags(kFlags[round % std::size(kFlags)]);
    return control->SetILFunctionBody(size, body);
  }

  clr::HRESULT ReJITError(clr::ModuleID, clr::mdMethodDef, clr::FunctionID, clr::HRESULT) override {
    errors_.fetch_add(1, std::memory_order_relaxed);
    return clr::S_OK;
  }

  clr::HRESULT Shutdown() override {
    stop_.store(true, std::memory_order_relaxed);  // the thread may wait for the runtime: not joined
    if (recording() != nullptr) {
      recording()->spooler->report(wire::Severity::kInfo,
                                   "methods compiled again: " + std::to_string(compiled_.load()) +
                                       ", errors: " + std::to_string(errors_.load()));
    }
    return Profiler::Shutdown();
  }

 private:
  bool find_methods(clr::ModuleID module) {
    const uint8_t* base = nullptr;
    uint32_t length = 0;
    clr::AssemblyID assembly = 0;
    clr::WCHAR path[kPathLength] = {};
    if (clr::failed(info()->GetModuleInfo(module, &base, kPathLength, &length, path, &assembly)) ||
        !clr::to_utf8(path).ends_with(kModule)) {
      return false;
    }
    clr::ComPtr<clr::IMetaDataImport> metadata;
    clr::mdTypeDef type = 0;
    if (clr::failed(info()->GetModuleMetaData(module, kReadOnly, clr::IMetaDataImport::kIid,
                                              metadata.put_unknown())) ||
        clr::failed(metadata->FindTypeDefByName(kType, 0, &type))) {
      return false;
    }
    methods_.resize(kMostMethods);
    clr::HCORENUM list = nullptr;
    uint32_t count = 0;
    if (clr::failed(metadata->EnumMethods(&list, type, methods_.data(), kMostMethods, &count))) count = 0;
    metadata->CloseEnum(list);
    methods_.resize(count);
    modules_.assign(count, module);
    return count > 0;
  }

  void begin() {
    const base::Status started =
        thread_.start("walkabout-rejit", &tid_, [this] { compile_again_and_again(); });
    if (!started.ok()) return recording()->spooler->report(wire::Severity::kWarning, started.message());
    recording()->threads->exclude(tid_);
    thread_.detach();
  }

  void compile_again_and_again() {
    const auto count = static_cast<uint32_t>(methods_.size());
    std::vector<clr::HRESULT> each(count);
    info()->InitializeCurrentThread();
    while (!stop_.load(std::memory_order_relaxed)) {
      info()->RequestReJIT(count, modules_.data(), methods_.data());
      pause();
      info()->RequestRevert(count, modules_.data(), methods_.data(), each.data());
      pause();
    }
  }

  OwnThread thread_;
  std::atomic<pid_t> tid_{0};
  std::atomic<bool> stop_{false};
  std::vector<clr::ModuleID> modules_;  // written before the thread starts
  std::vector<clr::mdMethodDef> methods_;
  std::atomic<uint32_t> compiled_{0};
  std::atomic<uint32_t> errors_{0};
};

}  // namespace

clr::CallbackBase* make_profiler() { return new clr::Reporting<RejitProfiler>; }

}  // namespace walkabout::agent
