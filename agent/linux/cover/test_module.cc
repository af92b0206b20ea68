#include "agent/linux/cover/test_module.h"

#include <optional>
#include <utility>

#include "clr/abi/hresults.h"
#include "il/pieces.h"
#include "il/signature_types.h"
#include "il/try_finally.h"

namespace walkabout::agent {
namespace {

using precompiled::Table;

constexpr uint32_t kReadWriteMetadata = 1;  // ofWrite
constexpr uint32_t kRowBits = 0x00ffffff;
constexpr uint8_t kLong[] = {0x0a};  // of ECMA-335 II.23.1.16
constexpr size_t kImplementation = 1, kSignatureColumn = 4;

il::Instruction put(il::Op op, uint64_t operand) { return {op, il::kNoOrigin, operand}; }

}  // namespace

std::unique_ptr<TestModule> TestModule::make(clr::ICorProfilerInfo12& info, clr::ModuleID module,
                                             uint16_t lane, const std::string& path, const ModuleFile& file,
                                             CountsFile& counts) {
  clr::ComPtr<clr::IMetaDataEmit> emit;
  if (clr::failed(
          info.GetModuleMetaData(module, kReadWriteMetadata, clr::IMetaDataEmit::kIid, emit.put_unknown())))
    return nullptr;
  const std::optional<FlowClass> flow = add_flow_class(info, module, lane);
  const uint32_t number =
      flow ? counts.add_module(path, file.metadata().module_version(), 0, wire::CoverKind::kTestModule) : 0;
  if (number == 0) return nullptr;
  return std::unique_ptr<TestModule>(new TestModule(std::move(emit), *flow, number, lane, file, counts));
}

TestModule::TestModule(clr::ComPtr<clr::IMetaDataEmit> emit, const FlowClass& flow, uint32_t number,
                       uint16_t lane, const ModuleFile& file, CountsFile& counts)
    : emit_(std::move(emit)),
      flow_(flow),
      number_(number),
      lane_(lane),
      file_(file),
      counts_(counts),
      roles_(test_roles(file.metadata())) {}

wire::CoverTest* TestModule::test_of(clr::mdMethodDef token) {
  const uint32_t row = token & kRowBits;
  const auto rank = static_cast<uint16_t>(roles_[row]);
  if (roles_[row] != TestRole::kTest) {
    const auto method = file_.metadata().method_def(row);
    token = static_cast<uint32_t>(Table::kTypeDef) << 24 | (method ? method->owner : 0);
  }
  const auto [entry, fresh] = tests_.try_emplace(token);
  if (fresh) entry->second = counts_.add_test(number_, token, lane_, rank);
  return entry->second;
}

il::Cause TestModule::add_variables(clr::mdMethodDef token, uint32_t* signature, uint16_t* number,
                                    std::optional<uint16_t>* result) const {
  const precompiled::Metadata& metadata = file_.metadata();
  const uint32_t row = token & kRowBits;
  il::Returned returned;
  il::Cause cause = il::read_returned(metadata.blob(metadata.cell(Table::kMethodDef, row, kSignatureColumn)),
                                      metadata.cell(Table::kMethodDef, row, kImplementation), &returned);
  if (cause != il::Cause::kNone) return cause;
  il::Locals locals;
  if (const uint32_t known = *signature & kRowBits; known != 0) {
    if (!metadata.has(Table::kStandAloneSig, known)) return il::Cause::kSignature;
    cause = il::Locals::read(metadata.blob(metadata.cell(Table::kStandAloneSig, known, 0)), &locals);
    if (cause != il::Cause::kNone) return cause;
  }
  cause = locals.append(kLong, number);
  if (cause == il::Cause::kNone && !returned.nothing) {
    uint16_t index = 0;
    cause = locals.append(returned.type, &index);
    *result = index;
  }
  if (cause != il::Cause::kNone) return cause;
  const std::vector<uint8_t> bytes = locals.bytes();
  return clr::failed(emit_->GetTokenFromSig(bytes.data(), static_cast<uint32_t>(bytes.size()), signature))
             ? il::Cause::kSignature
             : il::Cause::kNone;
}

il::Cause TestModule::wrap(clr::mdMethodDef token, il::Body* body, bool* changed) {
  const uint32_t row = token & kRowBits;
  *changed = false;
  if (row >= roles_.size() || roles_[row] == TestRole::kNone) return il::Cause::kNone;
  uint32_t signature = body->header.locals;
  uint16_t number = 0;
  std::optional<uint16_t> result;
  if (const il::Cause cause = add_variables(token, &signature, &number, &result); cause != il::Cause::kNone)
    return cause;
  const wire::CoverTest* const test = test_of(token);
  if (test == nullptr) return il::Cause::kTooLarge;
  il::Around around;
  around.enter = {{put(il::Op::kLdcI8, reinterpret_cast<uint64_t>(test)), put(il::Op::kCall, flow_.enter),
                   il::store_local(number)},
                  1};
  around.leaving = {{il::load_local(number), put(il::Op::kCall, flow_.leave)}, 1};
  around.result = result;
  const il::Cause cause = il::wrap_in_finally(around, body);
  if (cause != il::Cause::kNone) return cause;
  body->header.locals = signature;
  *changed = true;
  return il::Cause::kNone;
}

}  // namespace walkabout::agent
