// A profiler that has the values of calls taken: of all methods of the module $VALUES_ONLY, by changing their
// bodies before they are compiled. At the end of the process it writes each call as a line of JSON into the
// file $VALUES_REPORT: {"method": …, "arguments": [[name, type, text, cut]…], "result": […], "returned": …},
// and a last line about bodies that were left alone. $VALUES_HIDE: what is not to be shown, a line each.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <string_view>
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
#include "il/pieces.h"
#include "il/signature_types.h"
#include "il/try_finally.h"
#include "values/call_values.h"
#include "values/captured.h"
#include "values/managed_memory.h"
#include "values/value_sink.h"

namespace {

using namespace walkabout;
using il::Cause;

constexpr clr::GUID kClsid = clr::guid("0C9E6F0B-8B0B-4E64-9E0F-5A3C0D7A6B11");
constexpr uint32_t kReadWrite = 1, kMostCalls = 100'000, kPathRoom = 1024;
constexpr clr::COR_SIGNATURE kEnter[] = {0, 1, 0x0b, 0x0b}, kLeave[] = {0, 1, 1, 0x0b}, kNumber[] = {0x0b},
                             kObject[] = {0x1c};

struct Call {
  uint32_t method = 0, used = 0;
  bool returned = false, failed = false;
  uint8_t bytes[values::kMostBytes];
};
Call* g_calls = nullptr;
std::atomic<uint32_t> g_count{0};

values::ValueSink sink_of(Call& call) {
  return {call.bytes, sizeof call.bytes, call.used, values::kUnloadableUntil8 | values::kUnloadableSince9};
}
template <typename Write>
void take(uint64_t token, Write write) {
  if (token == 0) return;
  values::ValueSink sink = sink_of(g_calls[token]);
  write(sink);
  g_calls[token].used = sink.used();
}

uint64_t enter(uint64_t method) {
  const uint32_t token = g_count.fetch_add(1) + 1;
  if (token >= kMostCalls) return 0;
  g_calls[token].method = static_cast<uint32_t>(method);
  return token;
}
void returns(uint64_t token) { g_calls[token].returned = !g_calls[token].failed; }
void leave(uint64_t) {}
void take_thrown(uint64_t token, uint64_t has_returned, const void* exception) {
  if (has_returned != 0 || exception == nullptr) return;
  g_calls[token].failed = true;
  take(token, [&](values::ValueSink& sink) { sink.thrown(exception); });
}
void take_bits(uint64_t token, uint64_t slot, uint64_t bits) {
  take(token, [&](values::ValueSink& sink) { sink.bits(static_cast<uint8_t>(slot), bits); });
}
void take_real(uint64_t token, uint64_t slot, double real) {
  take_bits(token, slot, std::bit_cast<uint64_t>(real));
}
void take_object(uint64_t token, uint64_t slot, const void* object) {
  take(token, [&](values::ValueSink& sink) { sink.object(static_cast<uint8_t>(slot), object); });
}
void take_value(uint64_t token, uint64_t slot, const void* at, uint64_t type, uint32_t size) {
  take(token, [&](values::ValueSink& sink) { sink.value(static_cast<uint8_t>(slot), at, type, size); });
}
void take_characters(uint64_t token, uint64_t slot, const void* span) {
  take(token, [&](values::ValueSink& sink) { sink.characters(static_cast<uint8_t>(slot), span); });
}

template <typename F>
uint64_t address_of(F* function) {
  return reinterpret_cast<uint64_t>(function);
}
const values::ValueFunctions kFunctions = {address_of(&take_bits),       address_of(&take_real),
                                           address_of(&take_object),     address_of(&take_value),
                                           address_of(&take_characters), address_of(&take_thrown)};

std::string_view setting(const char* name) {
  const char* value = ::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

std::string json(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string json(const std::vector<wire::TracedValue>& all) {
  std::string out = "[";
  for (const wire::TracedValue& one : all) {
    out += (out.size() > 1 ? ", [" : "[") + json(one.name) + ", " + json(one.type) + ", " + json(one.text) +
           (one.cut ? ", true]" : ", false]");
  }
  return out + "]";
}

class ValuesProfiler : public clr::CallbackBase {
 public:
  clr::HRESULT Initialize(clr::IUnknown* unknown) override {
    void* newest = nullptr;
    if (clr::failed(unknown->QueryInterface(clr::ICorProfilerInfo12::kIid, &newest))) return clr::E_FAIL;
    info_ = clr::ComPtr<clr::ICorProfilerInfo12>::adopt(static_cast<clr::ICorProfilerInfo12*>(newest));
    g_calls = static_cast<Call*>(::calloc(kMostCalls, sizeof(Call)));
    values_ = std::make_unique<values::CallValues>(
        info_.get(), values::Redaction::of_lines(setting("VALUES_HIDE")), kFunctions);
    return info_->SetEventMask2(clr::COR_PRF_MONITOR_JIT_COMPILATION | clr::COR_PRF_DISABLE_INLINING, 0);
  }

  clr::HRESULT JITCompilationStarted(clr::FunctionID function, clr::BOOL) override {
    clr::ClassID type = 0;
    clr::ModuleID module = 0;
    clr::mdToken method = 0;
    if (clr::failed(info_->GetFunctionInfo(function, &type, &module, &method)) || !is_wanted(module))
      return clr::S_OK;
    const base::Lock lock(mutex_);
    if (!seen_.emplace(module, method).second) return clr::S_OK;
    const Cause cause = rewrite(module, method);
    if (cause != Cause::kNone) problems_.push_back(std::string(il::sentence_of(cause)));
    return clr::S_OK;
  }

  // As the agent does: on a thread of its own, which the runtime knows nothing of.
  clr::HRESULT Shutdown() override {
    pthread_t thread;
    if (::pthread_create(&thread, nullptr, &write_all, this) == 0) ::pthread_join(thread, nullptr);
    return clr::S_OK;
  }

 private:
  static void* write_all(void* self) {
    auto& profiler = *static_cast<ValuesProfiler*>(self);
    profiler.info_->InitializeCurrentThread();
    FILE* out = ::fopen(setting("VALUES_REPORT").data(), "w");
    if (out == nullptr) return nullptr;
    const base::Lock lock(profiler.mutex_);
    const uint32_t calls = std::min(g_count.load(), kMostCalls - 1);
    for (uint32_t i = 1; i <= calls; ++i) {
      const Call& call = g_calls[i];
      const values::ValueTexts texts =
          profiler.values_->texts(call.method, {call.bytes, call.used}, call.returned);
      ::fprintf(out, "{\"method\": %s, \"arguments\": %s, \"result\": %s, \"returned\": %s}\n",
                json(profiler.methods_[call.method]).c_str(), json(texts.arguments).c_str(),
                json(texts.result).c_str(), call.returned ? "true" : "false");
    }
    std::string all;
    for (const std::string& problem : profiler.problems_) all += (all.empty() ? "" : ", ") + json(problem);
    ::fprintf(out, "{\"methods\": %zu, \"problems\": [%s]}\n", profiler.methods_.size(), all.c_str());
    ::fclose(out);
    return nullptr;
  }

  bool is_wanted(clr::ModuleID module) {
    const uint8_t* base = nullptr;
    uint32_t length = 0;
    clr::AssemblyID assembly = 0;
    std::array<clr::WCHAR, kPathRoom> path{};
    return clr::succeeded(info_->GetModuleInfo(module, &base, kPathRoom, &length, path.data(), &assembly)) &&
           clr::to_utf8(std::u16string_view(path.data())).ends_with(setting("VALUES_ONLY"));
  }

  Cause rewrite(clr::ModuleID module, clr::mdMethodDef token) WALKABOUT_REQUIRES(mutex_) {
    clr::ComPtr<clr::IMetaDataEmit> emit;
    const uint8_t* bytes = nullptr;
    uint32_t size = 0;
    if (clr::failed(
            info_->GetModuleMetaData(module, kReadWrite, clr::IMetaDataEmit::kIid, emit.put_unknown())) ||
        clr::failed(info_->GetILFunctionBody(module, token, &bytes, &size)) || bytes == nullptr)
      return Cause::kHeader;
    const auto import = emit.query<clr::IMetaDataImport2>();
    clr::ModuleNames names = clr::ModuleNames::of(*info_.get(), module);
    const clr::ModuleNames::Method method = names.method(token);
    il::Body body;
    Cause cause = il::read_body({bytes, size}, &body);
    il::Locals locals;
    if (cause == Cause::kNone && body.header.locals != 0) {
      clr::PCCOR_SIGNATURE blob = nullptr;
      uint32_t blob_size = 0;
      if (clr::failed(import->GetSigFromToken(body.header.locals, &blob, &blob_size)))
        return Cause::kSignature;
      cause = il::Locals::read({blob, blob_size}, &locals);
    }
    il::Returned returned;
    if (cause == Cause::kNone) cause = il::read_returned(method.signature, 0, &returned);
    values::ValuePlace place;
    if (cause == Cause::kNone) cause = locals.append(kNumber, &place.token);
    uint16_t result = 0;
    if (cause == Cause::kNone && !returned.nothing) cause = locals.append(returned.type, &result);
    if (!returned.nothing) place.result = result;
    if (cause == Cause::kNone) cause = locals.append(kNumber, &place.outcome);
    const bool is_machine = method.name == "MoveNext";  // catches what it throws
    if (cause == Cause::kNone && !is_machine) cause = locals.append(kObject, &place.thrown.emplace());
    const auto number = static_cast<uint32_t>(methods_.size());
    values::ValueCode code;
    if (cause == Cause::kNone)
      cause = values_->make_code({number, module, token}, place, &body, &locals, &code);
    if (cause != Cause::kNone) return cause;

    clr::mdSignature enters = 0, leaves = 0;
    const std::vector<uint8_t> signature = locals.bytes();
    if (clr::failed(emit->GetTokenFromSig(kEnter, sizeof kEnter, &enters)) ||
        clr::failed(emit->GetTokenFromSig(kLeave, sizeof kLeave, &leaves)) ||
        clr::failed(emit->GetTokenFromSig(signature.data(), static_cast<uint32_t>(signature.size()),
                                          &body.header.locals)))
      return Cause::kSignature;
    const std::array<uint64_t, 1> index = {number};
    il::Around around;
    around.enter = il::call_native(address_of(&enter), index, enters);
    const std::array set_outcome = {il::store_local(place.token), il::Instruction{il::Op::kLdcI8},
                                    il::store_local(place.outcome)};
    around.enter.code.insert(around.enter.code.end(), set_outcome.begin(), set_outcome.end());
    around.enter.code.insert(around.enter.code.end(), code.enter.code.begin(), code.enter.code.end());
    around.enter.stack = std::max(around.enter.stack, code.enter.stack);
    around.returning = code.returning;
    const std::array has_returned = {il::Instruction{il::Op::kLdcI8, il::kNoOrigin, 1},
                                     il::store_local(place.outcome)};
    around.returning.code.insert(around.returning.code.end(), has_returned.begin(), has_returned.end());
    const il::Piece told = call_with_token(place.token, address_of(&returns), leaves);
    around.returning.code.insert(around.returning.code.end(), told.code.begin(), told.code.end());
    around.returning.stack = std::max(around.returning.stack, told.stack);
    const il::Piece left = call_with_token(place.token, address_of(&leave), leaves);
    around.leaving = code.leaving;
    around.leaving.code.insert(around.leaving.code.end(), left.code.begin(), left.code.end());
    around.leaving.stack = std::max(around.leaving.stack, left.stack);
    around.thrown = place.thrown;
    around.result = place.result;
    cause = il::wrap_in_finally(around, &body);
    il::WrittenBody written;
    if (cause == Cause::kNone) cause = il::write_body(body, &written);
    if (cause != Cause::kNone) return cause;
    methods_.push_back(without_number(names.name_of(method.owner)) + "." + method.name);
    bodies_.push_back(std::move(written.bytes));
    return clr::failed(info_->SetILFunctionBody(module, token, bodies_.back().data())) ? Cause::kHeader
                                                                                       : Cause::kNone;
  }

  // "Program+<RunAsync>d__5" → "Program+<RunAsync>".
  static std::string without_number(const std::string& type) {
    const size_t end = type.find(">d__");
    return end == std::string::npos ? type : type.substr(0, end + 1);
  }

  static il::Piece call_with_token(uint16_t token, uint64_t function, clr::mdSignature signature) {
    il::Piece piece = il::call_native(function, {}, signature);
    piece.code.insert(piece.code.begin(), il::load_local(token));
    piece.stack += 1;
    return piece;
  }

  clr::ComPtr<clr::ICorProfilerInfo12> info_;
  std::unique_ptr<values::CallValues> values_;
  base::Mutex mutex_;
  std::set<std::pair<clr::ModuleID, clr::mdMethodDef>> seen_ WALKABOUT_GUARDED_BY(mutex_);
  std::deque<std::string> methods_ WALKABOUT_GUARDED_BY(mutex_);
  std::deque<std::vector<uint8_t>> bodies_ WALKABOUT_GUARDED_BY(mutex_);  // read for as long as there is code
  std::vector<std::string> problems_ WALKABOUT_GUARDED_BY(mutex_);
};

clr::IUnknown* make() { return new ValuesProfiler; }

}  // namespace

extern "C" __attribute__((visibility("default"))) clr::HRESULT DllGetClassObject(const clr::GUID& clsid,
                                                                                 const clr::GUID& riid,
                                                                                 void** object) {
  return clr::serve_profiler<make>(kClsid, clsid, riid, object);
}
