#include "agent/linux/session/catch_up.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "agent/core/jit_unwind.h"
#include "agent/linux/handler/self_memory.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/enumerate.h"
#include "clr/abi/info_helpers.h"
#include "clr/async/async_classes.h"
#include "clr/names/method_name.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kMostVersions = 16;  // compiled versions of one method alive at once: tiers, OSR
constexpr size_t kChunk = 256 << 10;
// EnumJITedFunctions2 of .NET 8 lists code whose loader allocator is gone, reads that allocator, and crashes:
// beside unloads at one attach of 20.
constexpr uint32_t kListsTheDead = 8;

using Function = std::pair<clr::FunctionID, clr::ReJITID>;

// Each once: the CLR names a method for every compiled version it has.
std::vector<Function> jitted_functions(clr::ICorProfilerInfo12* info) {
  std::vector<Function> all;
  clr::ComPtr<clr::ICorProfilerFunctionEnum> functions;
  if (clr::failed(info->EnumJITedFunctions2(functions.put()))) return all;
  clr::for_each(*functions.get(), [&all](const clr::COR_PRF_FUNCTION& function) {
    all.emplace_back(function.functionId, function.reJitId);
  });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// 0 when the CLR does not know code that starts there.
uint32_t size_of_code(clr::ICorProfilerInfo12* info, uint64_t start) {
  clr::COR_PRF_CODE_INFO parts[2];
  uint32_t count = 0;
  if (clr::failed(info->GetCodeInfo4(start, std::size(parts), &count, parts)) || count == 0) return 0;
  return parts[0].startAddress == start ? static_cast<uint32_t>(parts[0].size) : 0;
}

// The names of what the gate keeps.
class KeptNames {
 public:
  KeptNames(clr::ICorProfilerInfo12* info, const CatchUpGate& gate)
      : info_(info), names_(info, [&gate](clr::ModuleID module) { return gate.is_loaded(module); }) {}

  // It is on its way out, and nothing runs it any more.
  bool is_leaving(clr::FunctionID function, const CatchUpGate::Question& question) const {
    clr::BOOL dynamic = 0;
    if (!clr::failed(info_->IsFunctionDynamic(function, &dynamic)) && dynamic != 0) return false;
    clr::ClassID type = 0;
    clr::ModuleID module = 0;
    clr::mdToken token = 0;
    uint32_t arguments = 0;
    return !clr::failed(
               info_->GetFunctionInfo2(function, 0, &type, &module, &token, 0, &arguments, nullptr)) &&
           !question.is_loaded(module);
  }
  // What was known by an id is forgotten where the id may stand for something else by now.
  clr::MethodName of(clr::FunctionID function, const CatchUpGate::Question& question) {
    if (question.suspensions() != asked_) names_.forget();
    asked_ = question.suspensions();
    return names_.of(function);
  }

 private:
  clr::ICorProfilerInfo12* info_;
  clr::MethodNames names_;
  uint64_t asked_ = 0;
};

// .NET 8 alone. The module whose memory a method's descriptor lies in, read without a call and a fault: at
// its begin, 8 bytes each times the byte at +2, and 0x18 before that, is the pointer to its type's
// MethodTable, which has m_pLoaderModule at +0x18 (method.hpp, methodtable.h). 0: nothing that could be one.
clr::ModuleID loader_module(uint64_t method) {
  uint8_t index = 0;
  uint64_t type = 0;
  clr::ModuleID module = 0;
  if (!read_self(nullptr, method + 2, &index, sizeof index) ||
      !read_self(nullptr, method - 8 * uint64_t{index} - 0x18, &type, sizeof type) ||
      !read_self(nullptr, type + 0x18, &module, sizeof module))
    return 0;
  return module;
}

bool lies_in_image(CodeRegistry& registry, uint64_t address) {
  const unwind::ReaderGate::Reader inside(registry.gate());
  return registry.images().find(address) != nullptr;
}

// The code heaps: memory that is executable and no file's. (With W^X the runtime maps them from a memfd.)
bool may_hold_jitted_code(const Mapping& m) {
  return m.readable && m.executable &&
         (m.path.empty() || m.path.rfind("/memfd:", 0) == 0 || m.path.rfind("[anon", 0) == 0);
}

class HeapScan {
 public:
  HeapScan(clr::ICorProfilerInfo12* info, CodeRegistry& registry, CatchUpGate& gate,
           const std::vector<Mapping>& memory, bool asks_nothing_of_the_dead)
      : info_(info),
        registry_(registry),
        gate_(gate),
        names_(info, gate),
        asks_nothing_of_the_dead_(asks_nothing_of_the_dead) {
    for (const Mapping& m : memory) {
      if (m.readable) readable_.emplace_back(m.begin, m.end);
      if (may_hold_jitted_code(m)) heaps_.emplace_back(m.begin, m.end);
    }
  }
  void run() {
    for (const auto& [begin, end] : heaps_) {
      for (uint64_t at = begin; at < end; at += kChunk) scan(at, std::min<uint64_t>(kChunk, end - at));
    }
  }

 private:
  // The word in front of every place where a compiled method could start; `begin` is page-aligned, so these
  // are the upper halves of its 16-byte units.
  void scan(uint64_t begin, size_t size) {
    words_.resize(size / sizeof words_[0]);
    if (!read_self(nullptr, begin, words_.data(), static_cast<uint32_t>(size))) return;
    std::optional<CatchUpGate::Question> question;
    for (size_t i = 1; i < words_.size(); i += 2) {
      if (words_[i] == 0 || words_[i] % 8 != 0 || !is_readable(words_[i])) continue;
      const uint64_t start = begin + (i + 1) * sizeof words_[0];
      uint64_t method = 0;
      if (question && !question->may_go_on()) question.reset();
      if (!JitUnwindReader().guess(start, &method) || registry_.knows_compiled_method(start)) continue;
      if (!question) question.emplace(gate_);
      if (!question->may_ask()) return;
      look_at(start, method, *question);
    }
  }

  bool is_readable(uint64_t address) const {
    const auto behind = std::upper_bound(
        readable_.begin(), readable_.end(), address,
        [](uint64_t a, const std::pair<uint64_t, uint64_t>& range) { return a < range.first; });
    return behind != readable_.begin() && address < std::prev(behind)->second;
  }

  void look_at(uint64_t start, uint64_t method, const CatchUpGate::Question& question) {
    if (question.is_freed(method)) return;
    if (asks_nothing_of_the_dead_ && !question.is_loaded(loader_module(method))) return;
    clr::FunctionID function = 0;
    clr::ReJITID version = 0;
    if (clr::failed(
            info_->GetFunctionFromIP3(reinterpret_cast<const uint8_t*>(start), &function, &version)) ||
        function != method || names_.is_leaving(function, question)) {
      return;
    }
    const uint32_t size = size_of_code(info_, start);
    // Its memory may be another method's before the spooler comes to ask for its name.
    FoundCode found{function, start, size,
                    std::make_shared<const clr::MethodName>(names_.of(function, question))};
    found.may_ask = asks_nothing_of_the_dead_;
    registry_.found(std::move(found));
  }

  clr::ICorProfilerInfo12* info_;
  CodeRegistry& registry_;
  CatchUpGate& gate_;
  KeptNames names_;
  const bool asks_nothing_of_the_dead_;
  std::vector<std::pair<uint64_t, uint64_t>> readable_, heaps_;  // sorted, as the kernel lists them
  std::vector<uint64_t> words_;
};

class CompiledMethods {
  static constexpr uint32_t kMostArguments = 16;

 public:
  CompiledMethods(clr::ICorProfilerInfo12* info, CodeRegistry& registry, CatchUpGate& gate)
      : info_(info), registry_(registry), gate_(gate), names_(info, gate) {}

  void run() {
    const bool name_now =
        registry_.has_collectible();  // any generic method may be over types that can go away
    for (Function last{};;) {
      CatchUpGate::Question question(gate_);
      if (!question.may_ask()) return;
      if (listed_ != question.suspensions()) list(question);
      do {
        const auto next = std::upper_bound(functions_.begin(), functions_.end(), last);
        if (next == functions_.end()) return;
        last = *next;
        look_at(last, name_now, question);
      } while (question.may_go_on());
    }
  }

 private:
  void list(CatchUpGate::Question& question) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begun = Clock::now();
    functions_ = jitted_functions(info_);
    listed_ = question.suspensions();
    question.go_on_for(std::max<std::chrono::nanoseconds>(Clock::now() - begun, CatchUpGate::kTurn));
  }

  // Instantiations also go with the modules of their type arguments.
  bool is_of_loaded_modules(clr::FunctionID function, const CatchUpGate::Question& question) {
    std::array<clr::ClassID, kMostArguments> arguments;
    clr::ClassID type = 0;
    clr::ModuleID module = 0;
    clr::mdToken token = 0;
    uint32_t count = 0;
    if (clr::failed(info_->GetFunctionInfo2(function, 0, &type, &module, &token, kMostArguments, &count,
                                            arguments.data())) ||
        count > kMostArguments || !question.is_loaded(module))
      return false;
    clr::AsyncClasses classes(info_);
    const auto is_loaded = [&](clr::ClassID one) {
      return classes.is_made_of(one, [&](clr::ModuleID of) { return question.is_loaded(of); });
    };
    return is_loaded(type) && std::all_of(arguments.begin(), arguments.begin() + count, is_loaded);
  }

  void look_at(const Function& function, bool name_now, const CatchUpGate::Question& question) {
    if (names_.is_leaving(function.first, question)) return;
    uintptr_t starts[kMostVersions];
    uint32_t count = 0;
    if (clr::failed(info_->GetNativeCodeStartAddresses(function.first, function.second, kMostVersions, &count,
                                                       starts)))
      return;
    std::shared_ptr<const clr::MethodName> name;
    if (name_now) name = std::make_shared<const clr::MethodName>(names_.of(function.first, question));
    for (uint32_t i = 0; i < std::min(count, kMostVersions); ++i) {
      if (lies_in_image(registry_, starts[i])) continue;  // ready-to-run code of the same method
      FoundCode found{function.first, starts[i], size_of_code(info_, starts[i]), name};
      found.may_ask = name_now && is_of_loaded_modules(function.first, question);
      registry_.found(std::move(found));
    }
  }

  clr::ICorProfilerInfo12* info_;
  CodeRegistry& registry_;
  CatchUpGate& gate_;
  KeptNames names_;
  std::vector<Function> functions_;  // sorted
  std::optional<uint64_t> listed_;   // at so many suspensions
};

}  // namespace

void find_compiled_methods(clr::ICorProfilerInfo12* info, uint32_t runtime, CodeRegistry& registry,
                           CatchUpGate& gate, const std::function<std::vector<Mapping>()>& memory) {
  const bool lists_the_dead = runtime == kListsTheDead;
  if (!lists_the_dead) CompiledMethods(info, registry, gate).run();
  HeapScan(info, registry, gate, memory(), lists_the_dead).run();
}

}  // namespace walkabout::agent
