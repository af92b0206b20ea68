// A profiler that rewrites the IL of each method before it is compiled, and says at the end of the process,
// as JSON in the file $REWRITE_REPORT, how many it rewrote, why it left others alone, and what they counted.
//   REWRITE=count    a counter before every instruction
//           wrap     a call when the method begins, one where it returns and one when it ends, in a finally
//           both
//           broken   a counter whose stack the body does not have: no runtime may accept it
//   REWRITE_ONLY=Some.dll    of this module alone
// Code that is compiled already (ready-to-run) is not rewritten: DOTNET_ReadyToRun=0 has the runtime take
// none. What is inlined runs its old IL.
#include <stdio.h>
#include <stdlib.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "clr/abi/callback_base.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/enums.h"
#include "clr/abi/hresults.h"
#include "clr/abi/info.h"
#include "clr/abi/metadata.h"
#include "clr/abi/profiler_server.h"
#include "clr/names/utf16.h"
#include "il/body_reader.h"
#include "il/body_writer.h"
#include "il/insertion.h"
#include "il/pieces.h"
#include "il/signature_types.h"
#include "il/try_finally.h"

namespace {

using namespace walkabout;
using il::Cause;

constexpr clr::GUID kClsid = clr::guid("6B1C5A0E-6B7D-4C57-9C37-0A6E6F1B8D42");
constexpr uint32_t kLongestName = 256, kLongestPath = 1024;
constexpr size_t kMostShown = 20;
constexpr uint32_t kReadWrite = 1;                         // ofWrite
constexpr clr::COR_SIGNATURE kHelper[] = {0, 1, 1, 0x0b};  // managed: void (ulong)

std::string_view setting(const char* name) {
  const char* value = ::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

// What the calls of one method count.
struct Calls {
  std::atomic<uint64_t> entered{0}, returned{0}, left{0};
  std::string method;
};

void add_one(uint64_t counter) {
  reinterpret_cast<std::atomic<uint64_t>*>(counter)->fetch_add(1, std::memory_order_relaxed);
}

uint64_t address_of(const void* what) { return reinterpret_cast<uint64_t>(what); }

il::Piece call_with(const std::atomic<uint64_t>& counter, clr::mdSignature signature) {
  const std::array<uint64_t, 1> arguments = {address_of(&counter)};
  return il::call_native(reinterpret_cast<uint64_t>(&add_one), arguments, signature);
}

class RewritingProfiler : public clr::CallbackBase {
 public:
  clr::HRESULT Initialize(clr::IUnknown* unknown) override {
    void* newest = nullptr;
    if (clr::failed(unknown->QueryInterface(clr::ICorProfilerInfo12::kIid, &newest))) return clr::E_FAIL;
    info_ = clr::ComPtr<clr::ICorProfilerInfo12>::adopt(static_cast<clr::ICorProfilerInfo12*>(newest));
    breaks_ = setting("REWRITE") == "broken";
    counts_ = setting("REWRITE") != "wrap";
    wraps_ = setting("REWRITE") == "wrap" || setting("REWRITE") == "both";
    only_ = setting("REWRITE_ONLY");
    return info_->SetEventMask2(clr::COR_PRF_MONITOR_JIT_COMPILATION, 0);
  }

  clr::HRESULT JITCompilationStarted(clr::FunctionID function, clr::BOOL) override {
    clr::ClassID type = 0;
    clr::ModuleID module = 0;
    clr::mdToken method = 0;
    if (clr::failed(info_->GetFunctionInfo(function, &type, &module, &method))) return clr::S_OK;
    if (!is_new(module, method) || !is_wanted(module)) return clr::S_OK;
    causes_[static_cast<size_t>(rewrite(function, module, method))].fetch_add(1, std::memory_order_relaxed);
    return clr::S_OK;
  }

  clr::HRESULT Shutdown() override {
    FILE* out = ::fopen(setting("REWRITE_REPORT").data(), "w");
    if (out == nullptr) return clr::S_OK;
    uint64_t entered = 0, returned = 0, left = 0, counted = 0;
    {
      const base::Lock lock(mutex_);
      for (const Calls& calls : calls_) {
        entered += calls.entered, returned += calls.returned, left += calls.left;
      }
      for (const uint64_t& counter : counters_) counted += counter;
    }
    ::fprintf(out,
              "{\"rewritten\": %lu, \"refused_by_runtime\": %lu, \"without_places\": %lu, \"tail_calls\": "
              "%lu, \"left_alone\": {",
              causes_[0].load(), failed_.load(), without_places_.load(), tail_calls_.load());
    const char* separator = "";
    for (size_t i = 1; i < causes_.size(); ++i) {
      if (causes_[i] == 0) continue;
      ::fprintf(out, "%s\"%s\": %lu", separator, il::sentence_of(static_cast<Cause>(i)).data(),
                causes_[i].load());
      separator = ", ";
    }
    ::fprintf(out, "}, \"entered\": %lu, \"returned\": %lu, \"left\": %lu, \"counted\": %lu, \"not_left\": {",
              entered, returned, left, counted);
    separator = "";
    size_t shown = 0;
    const base::Lock lock(mutex_);
    for (const Calls& calls : calls_) {
      if (calls.entered == calls.left || ++shown > kMostShown) continue;
      ::fprintf(out, "%s\"%s\": %lu", separator, calls.method.c_str(), calls.entered - calls.left);
      separator = ", ";
    }
    ::fprintf(out, "}}\n");
    ::fclose(out);
    return clr::S_OK;
  }

 private:
  bool is_wanted(clr::ModuleID module) {
    const uint8_t* base = nullptr;
    uint32_t length = 0;
    clr::AssemblyID assembly = 0;
    std::array<clr::WCHAR, kLongestPath> path{};
    return only_.empty() || (clr::succeeded(info_->GetModuleInfo(module, &base, kLongestPath, &length,
                                                                 path.data(), &assembly)) &&
                             clr::to_utf8(path.data()).ends_with(only_));
  }
  bool is_new(clr::ModuleID module, clr::mdMethodDef method) {
    const base::Lock lock(mutex_);
    return seen_.emplace(module, method).second;
  }
  Calls& new_calls(std::string method) {
    const base::Lock lock(mutex_);
    calls_.emplace_back().method = std::move(method);
    return calls_.back();
  }
  uint64_t& new_counter() {
    const base::Lock lock(mutex_);
    return counters_.emplace_back();
  }

  // The runtime reads it from there, for as long as there is the module.
  const uint8_t* keep(std::vector<uint8_t> bytes) {
    const base::Lock lock(mutex_);
    return bodies_.emplace_back(std::move(bytes)).data();
  }

  Cause rewrite(clr::FunctionID function, clr::ModuleID module, clr::mdMethodDef method) {
    const uint8_t* bytes = nullptr;
    uint32_t size = 0;
    if (clr::failed(info_->GetILFunctionBody(module, method, &bytes, &size)) || bytes == nullptr)
      return Cause::kHeader;
    il::Body body;
    Cause cause = il::read_body({bytes, size}, &body);
    if (cause == Cause::kNone && counts_) cause = count(&body);
    if (breaks_) body.header.max_stack = 0, body.header.fat = true;  // a tiny one has eight
    if (cause == Cause::kNone && wraps_) cause = wrap(module, method, &body);
    il::WrittenBody written;
    if (cause == Cause::kNone) cause = il::write_body(body, &written);
    if (cause != Cause::kNone) return cause;
    if (clr::failed(info_->SetILFunctionBody(module, method, keep(std::move(written.bytes))))) ++failed_;
    tell_places(function, written);
    return Cause::kNone;
  }

  // So that stack traces have the lines that they had.
  void tell_places(clr::FunctionID function, const il::WrittenBody& written) {
    const auto count = static_cast<uint32_t>(written.moved.size());
    auto* map =
        static_cast<clr::COR_IL_MAP*>(::malloc(count * sizeof(clr::COR_IL_MAP)));  // the runtime's now
    for (uint32_t i = 0; i < count; ++i) map[i] = {written.moved[i].from, written.moved[i].to, 1};
    if (clr::failed(info_->SetILInstrumentedCodeMap(function, 1, count, map))) ++without_places_;
  }

  Cause count(il::Body* body) {
    const il::Piece piece = il::count_at(address_of(&new_counter()));
    std::vector<il::Insertion> insertions;
    for (uint32_t i = 0; i < body->code.size(); ++i) {
      const bool is_behind_prefix = i > 0 && il::is_prefix(body->code[i - 1].op);
      if (!is_behind_prefix && il::can_insert(*body, i) == Cause::kNone) insertions.push_back({i, &piece});
    }
    return il::insert(insertions, body);
  }

  Cause wrap(clr::ModuleID module, clr::mdMethodDef method, il::Body* body) {
    clr::ComPtr<clr::IMetaDataEmit> emit;
    if (clr::failed(
            info_->GetModuleMetaData(module, kReadWrite, clr::IMetaDataEmit::kIid, emit.put_unknown())))
      return Cause::kSignature;
    const auto metadata = emit.query<clr::IMetaDataImport>();
    clr::PCCOR_SIGNATURE blob = nullptr;
    uint32_t size = 0, implementation = 0;
    std::array<clr::WCHAR, kLongestName> name{};
    uint32_t length = 0;
    clr::mdTypeDef type = 0;
    if (!metadata || clr::failed(metadata->GetMethodProps(method, &type, name.data(), kLongestName, &length,
                                                          nullptr, &blob, &size, nullptr, &implementation)))
      return Cause::kSignature;
    il::Returned returned;
    Cause cause = il::read_returned({blob, size}, implementation, &returned);
    if (cause != Cause::kNone) return cause;
    std::optional<uint16_t> result;
    if (!returned.nothing) {
      uint16_t index = 0;
      cause = add_local(*emit.get(), *metadata.get(), returned.type, &body->header.locals, &index);
      if (cause != Cause::kNone) return cause;
      result = index;
    }
    clr::mdSignature helper = 0;
    if (clr::failed(emit->GetTokenFromSig(kHelper, sizeof kHelper, &helper))) return Cause::kSignature;
    const Calls& calls = new_calls(type_name(*metadata.get(), type) + "." + clr::to_utf8(name.data()));
    const il::Around around{call_with(calls.entered, helper), call_with(calls.returned, helper),
                            call_with(calls.left, helper), result};
    uint32_t tail_calls = 0;
    cause = il::wrap_in_finally(around, body, &tail_calls);
    tail_calls_ += tail_calls;
    return cause;
  }

  static std::string type_name(clr::IMetaDataImport& metadata, clr::mdTypeDef type) {
    std::array<clr::WCHAR, kLongestName> name{};
    uint32_t length = 0, flags = 0;
    clr::mdToken base = 0;
    if (clr::failed(metadata.GetTypeDefProps(type, name.data(), kLongestName, &length, &flags, &base)))
      return {};
    return clr::to_utf8(name.data());
  }

  static Cause add_local(clr::IMetaDataEmit& emit, clr::IMetaDataImport& metadata, base::Bytes type,
                         uint32_t* token, uint16_t* index) {
    il::Locals locals;
    if (*token != 0) {
      clr::PCCOR_SIGNATURE blob = nullptr;
      uint32_t size = 0;
      if (clr::failed(metadata.GetSigFromToken(*token, &blob, &size))) return Cause::kSignature;
      const Cause cause = il::Locals::read({blob, size}, &locals);
      if (cause != Cause::kNone) return cause;
    }
    const Cause cause = locals.append(type, index);
    if (cause != Cause::kNone) return cause;
    const std::vector<uint8_t> signature = locals.bytes();
    const clr::HRESULT hr =
        emit.GetTokenFromSig(signature.data(), static_cast<uint32_t>(signature.size()), token);
    return clr::failed(hr) ? Cause::kSignature : Cause::kNone;
  }

  clr::ComPtr<clr::ICorProfilerInfo12> info_;
  bool counts_ = false, wraps_ = false, breaks_ = false;
  std::string_view only_;
  base::Mutex mutex_;
  std::set<std::pair<clr::ModuleID, clr::mdMethodDef>> seen_ WALKABOUT_GUARDED_BY(mutex_);
  std::deque<Calls> calls_ WALKABOUT_GUARDED_BY(mutex_);  // where they lie stays
  std::deque<uint64_t> counters_ WALKABOUT_GUARDED_BY(mutex_);
  std::deque<std::vector<uint8_t>> bodies_ WALKABOUT_GUARDED_BY(mutex_);
  std::array<std::atomic<uint64_t>, static_cast<size_t>(Cause::kCount)> causes_{};
  std::atomic<uint64_t> failed_{0}, without_places_{0}, tail_calls_{0};
};

clr::IUnknown* make() { return new RewritingProfiler; }

}  // namespace

extern "C" __attribute__((visibility("default"))) clr::HRESULT DllGetClassObject(const clr::GUID& clsid,
                                                                                 const clr::GUID& riid,
                                                                                 void** object) {
  return clr::serve_profiler<make>(kClsid, clsid, riid, object);
}
