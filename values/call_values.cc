#include "values/call_values.h"

#include <algorithm>

#include "clr/abi/com_ptr.h"
#include "clr/abi/enums.h"

namespace walkabout::values {
namespace {

constexpr uint32_t kWrite = 1;  // ofWrite

clr::ComPtr<clr::IMetaDataEmit> emit_of(clr::ICorProfilerInfo12& info, clr::ModuleID module) {
  clr::ComPtr<clr::IMetaDataEmit> emit;
  if (clr::failed(info.GetModuleMetaData(module, kWrite, clr::IMetaDataEmit::kIid, emit.put_unknown())))
    emit.reset();
  return emit;
}

}  // namespace

std::shared_ptr<const ValuePlan> CallValues::known_plan(uint32_t method) {
  const base::Lock lock(mutex_);
  const auto known = plans_.find(method);
  return known == plans_.end() ? nullptr : known->second;
}

std::shared_ptr<const ValuePlan> CallValues::plan(const Method& method) {
  if (std::shared_ptr<const ValuePlan> known = known_plan(method.index); known != nullptr) return known;
  clr::ModuleNames names = clr::ModuleNames::of(*info_, method.module);
  clr::ComPtr<clr::IMetaDataImport2> import;
  if (clr::failed(info_->GetModuleMetaData(method.module, clr::ofRead, clr::IMetaDataImport2::kIid,
                                           import.put_unknown())) ||
      !import)
    return std::make_shared<const ValuePlan>();
  auto made = std::make_shared<const ValuePlan>(plan_values(*import.get(), names, method.token, redaction_));
  ValueTypes types(info_, &classes_, ValueTypes::Where::kInCallback);
  for (const PlannedValue& one : made->values) {
    if (one.take == Take::kValue) types.learn(method.module, one.signature);
  }
  const base::Lock lock(mutex_);
  return plans_.try_emplace(method.index, std::move(made)).first->second;
}

bool CallValues::tokens_in(clr::ModuleID module, clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit,
                           ValueTokens* tokens) {
  {
    const base::Lock lock(mutex_);
    if (const auto known = tokens_.find(module); known != tokens_.end()) {
      *tokens = known->second;
      return true;
    }
  }
  if (!make_value_tokens(import, emit, tokens)) return false;
  const base::Lock lock(mutex_);
  tokens_[module] = *tokens;
  return true;
}

il::Cause CallValues::make_code(const Method& method, const ValuePlace& place, il::Body* body,
                                il::Locals* locals, ValueCode* code) {
  const std::shared_ptr<const ValuePlan> wanted = plan(method);
  const clr::ComPtr<clr::IMetaDataEmit> emit = emit_of(*info_, method.module);
  const auto import = emit ? emit.query<clr::IMetaDataImport2>() : clr::ComPtr<clr::IMetaDataImport2>();
  ValueTokens tokens;
  if (!import || !tokens_in(method.module, *import.get(), *emit.get(), &tokens)) return il::Cause::kSignature;
  il::Locals with_more = *locals;
  ValueCode made;
  il::Cause cause = make_value_code(*wanted, place, functions_, tokens, *import.get(), *emit.get(), *body,
                                    &with_more, &made);
  std::vector<il::Insertion> insertions;
  for (const uint32_t before : made.sets_result) insertions.push_back({before, &made.result});
  for (const uint32_t before : made.sets_exception) insertions.push_back({before, &made.failure});
  std::sort(insertions.begin(), insertions.end(),
            [](const il::Insertion& a, const il::Insertion& b) { return a.before < b.before; });
  if (cause == il::Cause::kNone) cause = il::insert(insertions, body);
  if (cause != il::Cause::kNone) return cause;
  *locals = std::move(with_more);
  *code = std::move(made);
  return il::Cause::kNone;
}

ValueTexts CallValues::texts(uint32_t method, base::Bytes captured, bool returned) {
  const std::shared_ptr<const ValuePlan> known = known_plan(method);
  return known == nullptr ? ValueTexts() : write_values(*known, captured, returned, redaction_, types_);
}

}  // namespace walkabout::values
