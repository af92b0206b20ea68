#include "agent/windows/session/jit_code.h"

#include <algorithm>
#include <iterator>

namespace walkabout::agent {
namespace {

constexpr uint32_t kMostVersions = 64;   // of one method's code
constexpr uint32_t kMostArguments = 64;  // of one instantiation
constexpr int kDeepestArgument = 8;      // List<Dictionary<…>>

uint32_t size_of_code(clr::ICorProfilerInfo12* info, uint64_t start) {
  clr::COR_PRF_CODE_INFO parts[2];
  uint32_t count = 0;
  if (clr::failed(info->GetCodeInfo4(start, std::size(parts), &count, parts)) || count == 0) return 0;
  return static_cast<uint32_t>(parts[0].size);
}

}  // namespace

uint32_t JitCode::compiled(clr::FunctionID function, bool dynamic) {
  const std::vector<uint64_t> starts = new_compiled_methods(function);
  if (starts.empty()) return 0;
  const Lifetime lifetime = dynamic || !registry_.has_collectible() ? Lifetime{} : lifetime_of(function);
  std::shared_ptr<const clr::MethodName> name;
  if (dynamic || lifetime.module != 0 || lifetime.generic)
    name = std::make_shared<const clr::MethodName>(clr::MethodNames(info_).of(function));
  uint32_t size = 0;
  for (const uint64_t start : starts) {
    const uint32_t of_one = size_of_code(info_, start);
    registry_.compiled({function, start, of_one, name, lifetime.module});
    size += of_one;
  }
  if (!dynamic) return size;
  const base::Lock lock(mutex_);
  std::vector<uint64_t>& all = dynamic_[function];
  all.insert(all.end(), starts.begin(), starts.end());
  return size;
}

// What the CLR has of it and the registry does not know as its own. The precompiled code of the same method
// is its image's.
std::vector<uint64_t> JitCode::new_compiled_methods(clr::FunctionID function) const {
  uintptr_t starts[kMostVersions] = {};
  uint32_t count = 0;
  std::vector<uint64_t> fresh;
  if (clr::failed(info_->GetNativeCodeStartAddresses(function, 0, kMostVersions, &count, starts)))
    return fresh;
  for (const uint64_t start : std::span(starts).first(std::min(count, kMostVersions))) {
    if (!registry_.knows_compiled_method(start, function) && !lies_in_image(start)) fresh.push_back(start);
  }
  return fresh;
}

bool JitCode::lies_in_image(uint64_t start) const {
  const unwind::ReaderGate::Reader inside(registry_.gate());
  return registry_.images().find(start) != nullptr;
}

JitCode::Lifetime JitCode::lifetime_of(clr::FunctionID function) const {
  clr::ClassID type = 0;
  clr::ModuleID module = 0;
  clr::mdToken token = 0;
  uint32_t count = 0;
  std::vector<clr::ClassID> arguments(kMostArguments + 1);
  if (clr::failed(info_->GetFunctionInfo2(function, 0, &type, &module, &token, kMostArguments, &count,
                                          arguments.data())))
    return {0, true};
  arguments.resize(std::min(count, kMostArguments));
  Lifetime lifetime{0, count > 0};
  if (type != 0) {
    uint32_t of_type = 0;
    clr::ModuleID in = 0;
    clr::mdTypeDef definition = 0;
    clr::ClassID parent = 0;
    if (!clr::failed(info_->GetClassIDInfo2(type, &in, &definition, &parent, 0, &of_type, nullptr)))
      lifetime.generic |= of_type > 0;
    arguments.push_back(type);
  }
  lifetime.module = registry_.is_collectible(module) ? module : collectible_among(arguments, 0);
  return lifetime;
}

// An instantiation's code goes away with the types in it.
clr::ModuleID JitCode::collectible_among(std::span<const clr::ClassID> types, int depth) const {
  if (depth == kDeepestArgument) return 0;
  for (const clr::ClassID type : types) {
    clr::ModuleID module = 0;
    clr::mdTypeDef token = 0;
    clr::ClassID parent = 0;
    uint32_t count = 0;
    std::vector<clr::ClassID> arguments(kMostArguments);
    if (type == 0 || clr::failed(info_->GetClassIDInfo2(type, &module, &token, &parent, kMostArguments,
                                                        &count, arguments.data())))
      continue;
    if (registry_.is_collectible(module)) return module;
    arguments.resize(std::min(count, kMostArguments));
    if (const clr::ModuleID of = collectible_among(arguments, depth + 1); of != 0) return of;
  }
  return 0;
}

void JitCode::unloaded(clr::FunctionID function) {
  std::vector<uint64_t> starts;
  {
    const base::Lock lock(mutex_);
    const auto known = dynamic_.find(function);
    if (known == dynamic_.end()) return;
    starts.swap(known->second);
    dynamic_.erase(known);
  }
  for (const uint64_t start : starts) {
    if (registry_.knows_compiled_method(start, function)) registry_.unloaded({function, start});
  }
}

}  // namespace walkabout::agent
