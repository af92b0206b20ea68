#include "agent/windows/jit_code.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace walkabout::agent {
namespace {
constexpr uint32_t kMostVersions = 64;  // of one method's code
}

void JitCode::compiled(clr::FunctionID function, bool dynamic) {
  uintptr_t starts[kMostVersions] = {};
  uint32_t count = 0;
  if (clr::failed(info_->GetNativeCodeStartAddresses(function, 0, kMostVersions, &count, starts))) return;
  std::shared_ptr<const clr::MethodName> name;
  if (dynamic) name = std::make_shared<const clr::MethodName>(clr::MethodNames(info_).of(function));
  for (uint32_t i = 0; i < std::min(count, kMostVersions); ++i) add(function, starts[i], name);
}

void JitCode::add(clr::FunctionID function, uint64_t start, std::shared_ptr<const clr::MethodName> name) {
  clr::COR_PRF_CODE_INFO parts[2];
  uint32_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(start);
    if (known != known_.end() && known->second == function) return;
    if (known != known_.end()) registry_.unloaded({known->second, start});  // freed without a word
  }
  if (clr::failed(info_->GetCodeInfo4(start, std::size(parts), &count, parts)) || count == 0) return;
  registry_.found({function, start, static_cast<uint32_t>(parts[0].size), std::move(name)});
  const std::lock_guard lock(mutex_);
  known_[start] = function;
}

void JitCode::unloaded(clr::FunctionID function) {
  const std::lock_guard lock(mutex_);
  for (auto at = known_.begin(); at != known_.end();) {
    if (at->second == function) {
      registry_.unloaded({function, at->first});
      at = known_.erase(at);
    } else {
      ++at;
    }
  }
}

}  // namespace walkabout::agent
