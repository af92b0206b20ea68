#include "symbols/name_check.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace walkabout::symbols {
namespace {

constexpr std::string_view kHelper = "CORINFO_HELP_";
constexpr std::string_view kOr = " or ";

// Helpers whose functions are not called after them. Source: src/coreclr/inc/jithelpers.h of .NET 8, 9, 10.
struct HelperFunction {
  std::string_view helper;
  std::string_view function;
};
constexpr HelperFunction kFunctionsOfHelpers[] = {
    {"NEWFAST", "JIT_New"},
    {"NEWFAST", "RhpNew"},
    {"NEWFAST_MAYBEFROZEN", "JIT_NewMaybeFrozen"},
    {"NEWFAST_MAYBEFROZEN", "RhpNewMaybeFrozen"},
    {"NEWSFAST", "JIT_NewS_MP_FastPortable"},
    {"NEWSFAST", "RhpNewFast"},
    {"NEWARR_1_DIRECT", "JIT_NewArr1"},
    {"NEWARR_1_DIRECT", "RhpNewVariableSizeObject"},
    {"NEWARR_1_MAYBEFROZEN", "JIT_NewArr1MaybeFrozen"},
    {"NEWARR_1_MAYBEFROZEN", "RhpNewArrayMaybeFrozen"},
    {"NEWARR_1_OBJ", "JIT_NewArr1OBJ_MP_FastPortable"},
    {"NEWARR_1_PTR", "RhpNewPtrArrayFast"},
    {"NEWARR_1_VC", "JIT_NewArr1VC_MP_FastPortable"},
    {"NEWARR_1_VC", "RhpNewArrayFast"},
    {"NEW_MDARR", "JIT_NewMDArr"},
    {"NEW_MDARR_RARE", "JIT_NewMDArr"},
    {"BOX_NULLABLE", "JIT_Box"},
    {"INITINSTCLASS", "JIT_InitInstantiatedClass"},
    {"THROW", "IL_Throw"},
    {"RETHROW", "IL_Rethrow"},
    {"THROWEXACT", "IL_ThrowExact"},
    {"VERIFICATION", "IL_VerificationError"},
    {"METHOD_ACCESS_EXCEPTION", "JIT_ThrowMethodAccessException"},
    {"FIELD_ACCESS_EXCEPTION", "JIT_ThrowFieldAccessException"},
    {"CLASS_ACCESS_EXCEPTION", "JIT_ThrowClassAccessException"},
    {"MON_ENTER", "JIT_MonEnterWorker"},
    {"MON_ENTER", "JIT_MonEnterWorker_Portable"},
    {"MON_EXIT", "JIT_MonExitWorker"},
    {"MON_EXIT", "JIT_MonExitWorker_Portable"},
    {"STOP_FOR_GC", "JIT_RareDisableHelper"},
    {"ASSIGN_REF", "JIT_WriteBarrier"},
    {"ASSIGN_REF", "RhpAssignRef"},
    {"CHECKED_ASSIGN_REF", "JIT_CheckedWriteBarrier"},
    {"CHECKED_ASSIGN_REF", "RhpCheckedAssignRef"},
    {"ASSIGN_BYREF", "JIT_ByRefWriteBarrier"},
    {"ASSIGN_BYREF", "RhpByRefAssignRef"},
    {"ASSIGN_REF_ENSURE_NONHEAP", "JIT_WriteBarrierEnsureNonHeapTarget"},
    {"ASSIGN_STRUCT", "JIT_StructWriteBarrier"},
    {"GETSHARED_GCSTATIC_BASE", "JIT_GetSharedGCStaticBase"},
    {"GETSHARED_NONGCSTATIC_BASE", "JIT_GetSharedNonGCStaticBase"},
    {"GETSHARED_GCSTATIC_BASE_NOCTOR", "JIT_GetSharedGCStaticBaseNoCtor"},
    {"GETSHARED_NONGCSTATIC_BASE_NOCTOR", "JIT_GetSharedNonGCStaticBaseNoCtor"},
    {"GETGENERICS_GCSTATIC_BASE", "JIT_GetGenericsGCStaticBase"},
    {"GETGENERICS_NONGCSTATIC_BASE", "JIT_GetGenericsNonGCStaticBase"},
    {"PINVOKE_CALLI", "GenericPInvokeCalliHelper"},
    {"BBT_FCN_ENTER", "JIT_LogMethodEnter"},
    {"RUNTIMEHANDLE_METHOD", "JIT_GenericHandleMethod"},
    {"RUNTIMEHANDLE_METHOD_LOG", "JIT_GenericHandleMethodLogging"},
    {"RUNTIMEHANDLE_CLASS", "JIT_GenericHandleClass"},
    {"RUNTIMEHANDLE_CLASS_LOG", "JIT_GenericHandleClassLogging"},
    {"TYPEHANDLE_TO_RUNTIMETYPE", "JIT_GetRuntimeType"},
    {"TYPEHANDLE_TO_RUNTIMETYPE_MAYBENULL", "JIT_GetRuntimeType_MaybeNull"},
    {"METHODDESC_TO_STUBRUNTIMEMETHOD", "JIT_GetRuntimeMethodStub"},
    {"FIELDDESC_TO_STUBRUNTIMEFIELD", "JIT_GetRuntimeFieldStub"},
    {"VIRTUAL_FUNC_PTR", "JIT_VirtualFunctionPointer"},
    {"EE_PERSONALITY_ROUTINE", "ProcessCLRException"},
    {"DEBUG_LOG_LOOP_CLONING", "JIT_DebugLogLoopCloning"},
};

// Letters in lower case and digits: helpers are in capitals, their functions are not.
std::string letters(std::string_view name) {
  std::string found;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') found += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) found += c;
  }
  return found;
}

// Without arguments and what it is a member of.
std::string_view last_part(std::string_view symbol) {
  symbol = symbol.substr(0, symbol.find('('));
  const size_t colon = symbol.rfind(':');
  return colon == std::string_view::npos ? symbol : symbol.substr(colon + 1);
}

bool is_one(std::string_view name, std::string_view symbol) {
  if (name == symbol) return true;
  const std::string_view function = last_part(symbol);
  if (!name.starts_with(kHelper)) return letters(name.substr(name.rfind('.') + 1)) == letters(function);
  name.remove_prefix(kHelper.size());
  const std::string plain = letters(name), called = letters(function);
  return called == plain || called == "jit" + plain ||
         std::any_of(
             std::begin(kFunctionsOfHelpers), std::end(kFunctionsOfHelpers),
             [&](const HelperFunction& one) { return one.helper == name && one.function == function; });
}

}  // namespace

bool is_same_function(std::string_view name, std::string_view symbol) {
  while (!name.empty()) {
    const size_t end = std::min(name.find(kOr), name.size());
    if (is_one(name.substr(0, end), symbol)) return true;
    name.remove_prefix(std::min(end + kOr.size(), name.size()));
  }
  return false;
}

bool has_runtime_names(const wire::NativeSymbols& record) {
  return record.stripped &&
         std::any_of(record.symbols.begin(), record.symbols.end(), [](const wire::NativeSymbol& symbol) {
           return symbol.name.starts_with(kHelper) || symbol.name == "PreStubWorker";
         });
}

NameCheck check_names(const wire::NativeSymbols& known, const wire::NativeSymbols& real) {
  NameCheck check;
  for (const wire::NativeSymbol& one : known.symbols) {
    if (one.approximate) continue;
    const auto symbol =
        std::find_if(real.symbols.begin(), real.symbols.end(), [&one](const wire::NativeSymbol& other) {
          return !other.approximate && other.begin <= one.begin && other.end > one.begin;
        });
    if (symbol == real.symbols.end()) continue;
    if (symbol->begin == one.begin && is_same_function(one.name, symbol->name)) {
      ++check.confirmed;
    } else {
      check.contradicted.push_back(one.name + " is " + symbol->name);
    }
  }
  return check;
}

}  // namespace walkabout::symbols
