#include "agent/linux/calls/trace_probe.h"

#include <algorithm>
#include <array>
#include <utility>

#include "agent/linux/calls/method_search.h"
#include "agent/linux/calls/state_machines.h"
#include "agent/trace/traced_call.h"
#include "base/clock.h"
#include "clr/abi/element_type.h"
#include "clr/abi/enums.h"

namespace walkabout::agent {
namespace {

constexpr uint8_t kNumber = clr::kElementU8, kInt = clr::kElementI4;
constexpr uint8_t kNothing = clr::kElementVoid;
// ECMA-335 II.23.2.1: the convention, how many parameters, what is returned, the parameters.
constexpr clr::COR_SIGNATURE kEnterSignature[] = {0, 1, kNumber, kNumber};
constexpr clr::COR_SIGNATURE kLeaveSignature[] = {0, 2, kNothing, kNumber, kNumber};
constexpr clr::COR_SIGNATURE kResumeSignature[] = {0, 2, kNumber, kNumber, kNumber};
constexpr clr::COR_SIGNATURE kPauseSignature[] = {0, 3, kNothing, kNumber, kNumber, kNumber};

bool has_explicit_tail_call(const il::Body& body) {
  return std::any_of(body.code.begin(), body.code.end(),
                     [](const il::Instruction& one) { return one.op == il::Op::kTail; });
}

std::string sentence(il::Cause cause) { return std::string(il::sentence_of(cause)); }

}  // namespace

struct TraceProbe::Metadata {
  clr::ComPtr<clr::IMetaDataEmit> emit;
  clr::ComPtr<clr::IMetaDataImport2> import;
};

base::Status TraceProbe::make_room(uint32_t methods) {
  if (methods <= kMostTracedMethods) return {};
  return base::Status::error("so many methods cannot be traced: " + std::to_string(methods));
}

bool TraceProbe::take_up(clr::ModuleID module, clr::IMetaDataEmit& metadata) {
  TraceSignatures made;
  const auto make = [&metadata](std::span<const clr::COR_SIGNATURE> signature, uint32_t* token) {
    return clr::succeeded(
        metadata.GetTokenFromSig(signature.data(), static_cast<uint32_t>(signature.size()), token));
  };
  if (!make(kEnterSignature, &made.enter) || !make(kLeaveSignature, &made.leave) ||
      !make(kResumeSignature, &made.resume) || !make(kPauseSignature, &made.pause))
    return false;
  const base::Lock lock(mutex_);
  modules_[module].signatures = made;
  return true;
}

TraceSignatures TraceProbe::signatures_of(clr::ModuleID module) {
  const base::Lock lock(mutex_);
  return modules_[module].signatures;
}

std::string TraceProbe::put_into(const ProbedMethod& method, il::Body* body) {
  Metadata metadata{writable_metadata_of(*info_, method.module), {}};
  if (metadata.emit) metadata.import = metadata.emit.query<clr::IMetaDataImport2>();
  if (!metadata.import) return "its module's metadata cannot be added to";
  const TraceSignatures signatures = signatures_of(method.module);
  if (has_explicit_tail_call(*body)) return sentence(trace_beginnings(method.index, signatures, body));
  clr::mdTypeDef owner = 0;
  uint32_t length = 0, attributes = 0, size = 0, rva = 0, implementation = 0;
  clr::PCCOR_SIGNATURE blob = nullptr;
  if (clr::failed(metadata.import->GetMethodProps(method.token, &owner, nullptr, 0, &length, &attributes,
                                                  &blob, &size, &rva, &implementation)))
    return sentence(il::Cause::kSignature);
  il::Returned returned;
  il::Cause cause = il::read_returned({blob, size}, implementation, &returned);
  if (cause != il::Cause::kNone) return sentence(cause);
  std::optional<AsyncMachine> machine;
  if (method.async) {
    machine = read_async_machine(*metadata.import.get(), *metadata.emit.get(), method.token, *body);
    if (!machine) return "its state machine is not as the compiler makes them";
  }
  TraceLocals locals;
  cause = add_locals(method, metadata, returned, body, &locals);
  if (cause != il::Cause::kNone) return sentence(cause);
  return sentence(machine ? trace_async_calls(method.index, signatures, locals, *machine, body)
                          : trace_calls(method.index, signatures, locals, body));
}

il::Cause TraceProbe::add_locals(const ProbedMethod& method, const Metadata& metadata,
                                 const il::Returned& returned, il::Body* body, TraceLocals* locals) {
  il::Locals all;
  il::Cause cause = il::Cause::kNone;
  if (body->header.locals != 0) {
    clr::PCCOR_SIGNATURE blob = nullptr;
    uint32_t size = 0;
    if (clr::failed(metadata.import->GetSigFromToken(body->header.locals, &blob, &size)))
      return il::Cause::kSignature;
    cause = il::Locals::read({blob, size}, &all);
  }
  const auto add = [&](base::Bytes type, uint16_t* index) {
    if (cause == il::Cause::kNone) cause = all.append(type, index);
  };
  add({&kNumber, 1}, &locals->token);
  add({&kNumber, 1}, &locals->outcome);
  if (method.async) {
    add({&kInt, 1}, &locals->resumed);
    add({&kInt, 1}, &locals->pausing);
  }
  if (!returned.nothing) add(returned.type, &locals->result.emplace());
  return cause == il::Cause::kNone ? set_locals(method.module, metadata, all, body) : cause;
}

// The runtime looks for a signature that it has from the first to the last.
il::Cause TraceProbe::set_locals(clr::ModuleID module, const Metadata& metadata, const il::Locals& all,
                                 il::Body* body) {
  std::vector<uint8_t> signature = all.bytes();
  {
    const base::Lock lock(mutex_);
    const auto& known = modules_[module].locals;
    if (const auto found = known.find(signature); found != known.end()) {
      body->header.locals = found->second;
      return il::Cause::kNone;
    }
  }
  uint32_t token = 0;
  if (clr::failed(
          metadata.emit->GetTokenFromSig(signature.data(), static_cast<uint32_t>(signature.size()), &token)))
    return il::Cause::kSignature;
  body->header.locals = token;
  const base::Lock lock(mutex_);
  modules_[module].locals.emplace(std::move(signature), token);
  return il::Cause::kNone;
}

void TraceProbe::emit(uint64_t time_us, size_t /*methods*/, std::string* records) {
  const base::Lock lock(emitting_);
  if (!stopped_) return tracing_.emit(time_us, false, records);
  *records += last_;
  last_.clear();
}

void TraceProbe::stop() {
  const base::Lock lock(emitting_);
  stopped_ = true;
  tracing_.end((base::monotonic_ns() - start_ns_) / 1000, &last_);
}

}  // namespace walkabout::agent
