#include "cli/linux/hresult_name.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "clr/abi/hresults.h"
#include "wire/records.h"

namespace walkabout::cli {
namespace {

// What DoStackSnapshot can answer. Source: clr/abi/hresults.h, clr/abi/types.h.
constexpr std::array<std::pair<clr::HRESULT, const char*>, 10> kNames{{
    {clr::S_FALSE, "S_FALSE"},
    {clr::E_FAIL, "E_FAIL"},
    {clr::E_NOTIMPL, "E_NOTIMPL"},
    {clr::E_OUTOFMEMORY, "E_OUTOFMEMORY"},
    {clr::CORPROF_E_STACKSNAPSHOT_INVALID_TGT_THREAD, "CORPROF_E_STACKSNAPSHOT_INVALID_TGT_THREAD"},
    {clr::CORPROF_E_STACKSNAPSHOT_UNMANAGED_CTX, "CORPROF_E_STACKSNAPSHOT_UNMANAGED_CTX"},
    {clr::CORPROF_E_STACKSNAPSHOT_UNSAFE, "CORPROF_E_STACKSNAPSHOT_UNSAFE"},
    {clr::CORPROF_E_STACKSNAPSHOT_ABORTED, "CORPROF_E_STACKSNAPSHOT_ABORTED"},
    {clr::CORPROF_E_ASYNCHRONOUS_UNSAFE, "CORPROF_E_ASYNCHRONOUS_UNSAFE"},
    {clr::CORPROF_E_UNSUPPORTED_CALL_SEQUENCE, "CORPROF_E_UNSUPPORTED_CALL_SEQUENCE"},
}};

}  // namespace

std::string hresult_name(uint32_t hresult) {
  for (const auto& [value, name] : kNames) {
    if (static_cast<uint32_t>(value) == hresult) return name;
  }
  if (hresult == wire::kRuntimeSuspending) return "runtime_suspending";
  if (hresult == wire::kInsideRuntime) return "inside_runtime";
  if (hresult == wire::kInsideLoader) return "inside_loader";
  return fmt::format("{:#010x}", hresult);
}

}  // namespace walkabout::cli
