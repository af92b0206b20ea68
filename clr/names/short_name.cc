#include "clr/names/short_name.h"

#include <algorithm>

#include "clr/abi/com_ptr.h"
#include "clr/abi/element_type.h"

namespace walkabout::clr {
namespace {

constexpr int kDeepest = 8;  // of types in types, and of arrays in arrays
constexpr uint32_t kMostRank = 8;

ComPtr<IMetaDataImport2> metadata(ICorProfilerInfo12& info, ModuleID module) {
  ComPtr<IMetaDataImport2> import;
  if (module == 0 ||
      info.GetModuleMetaData(module, ofRead, IMetaDataImport2::kIid, import.put_unknown()) != S_OK)
    import = {};
  return import;
}

}  // namespace

void ShortName::written() {
  while (size_ < limit_ && text_[size_] != u'\0') ++size_;
}

void ShortName::append(std::string_view ascii) {
  const std::string_view kept = ascii.substr(0, limit_ - size_);
  std::ranges::copy(kept, text_.data() + size_);
  size_ += kept.size();
}

void ShortName::append_type(IMetaDataImport2& import, mdTypeDef type) {
  std::array<mdTypeDef, kDeepest> types{type};  // each within the next
  size_t outermost = 0;
  while (outermost + 1 < types.size() &&
         succeeded(import.GetNestedClassProps(types[outermost], &types[outermost + 1])))
    ++outermost;
  for (size_t i = outermost + 1; i-- > 0;) {
    if (i != outermost) append("+");
    if (succeeded(import.GetTypeDefProps(types[i], room().data(), capacity(), nullptr, nullptr, nullptr)))
      written();
  }
}

void ShortName::of_class(ICorProfilerInfo12& info, ClassID type) {
  std::array<uint32_t, kDeepest> ranks;
  size_t arrays = 0;
  std::string_view keyword;
  for (; arrays < ranks.size(); ++arrays) {
    CorElementType element = 0;
    ClassID of = 0;
    if (type == 0 || info.IsArrayClass(type, &element, &of, &ranks[arrays]) != S_OK) break;
    if (of == 0) keyword = keyword_of(element);
    type = of;
  }
  ModuleID module = 0;
  mdTypeDef token = 0;
  append(keyword);
  if (type != 0 && succeeded(info.GetClassIDInfo(type, &module, &token))) {
    const ComPtr<IMetaDataImport2> import = metadata(info, module);
    if (import) append_type(*import.get(), token);
  }
  if (size_ == 0) return;
  for (const uint32_t rank : std::span(ranks).first(arrays)) {
    append("[");
    for (uint32_t i = 1; i < std::min(rank, kMostRank); ++i) append(",");
    append("]");
  }
}

bool ShortName::of_function(ICorProfilerInfo12& info, FunctionID function) {
  BOOL dynamic = 0;
  if (function == 0) return false;
  if (succeeded(info.IsFunctionDynamic(function, &dynamic)) && dynamic != 0) {
    ModuleID module = 0;
    PCCOR_SIGNATURE signature = nullptr;
    uint32_t signature_size = 0;
    if (succeeded(info.GetDynamicFunctionInfo(function, &module, &signature, &signature_size, capacity(),
                                              nullptr, room().data())))
      written();
    return false;
  }
  ClassID type = 0;
  ModuleID module = 0;
  mdToken token = 0;
  if (succeeded(info.GetFunctionInfo(function, &type, &module, &token))) of_method(info, module, token);
  return true;
}

void ShortName::of_method(ICorProfilerInfo12& info, ModuleID module, mdMethodDef method) {
  const ComPtr<IMetaDataImport2> import = metadata(info, module);
  mdTypeDef owner = 0;
  uint32_t units = 0;  // of the method's name, with a zero
  const auto props = [&](std::span<WCHAR> name) {
    PCCOR_SIGNATURE signature = nullptr;
    uint32_t size = 0;
    return succeeded(import->GetMethodProps(method, &owner, name.data(), static_cast<uint32_t>(name.size()),
                                            &units, nullptr, &signature, &size, nullptr, nullptr));
  };
  if (!import || !props({})) return;
  limit_ = kLongest - std::min<size_t>(units, kLongest);
  append_type(*import.get(), owner);
  limit_ = kLongest;
  if (size_ != 0) append(".");
  if (props(room())) written();
}

void ShortName::of_module(ICorProfilerInfo12& info, ModuleID module) {
  const uint8_t* base = nullptr;
  uint32_t length = 0;
  if (failed(info.GetModuleInfo(module, &base, capacity(), &length, room().data(), nullptr))) return;
  if (length <= 1 || length > capacity()) {  // it has no file, or its path is too long
    AssemblyID assembly = 0;
    if (succeeded(info.GetModuleInfo(module, &base, 0, nullptr, nullptr, &assembly)))
      of_assembly(info, assembly);
    return;
  }
  written();
  const size_t slash = text().rfind(u'/');
  if (slash == std::u16string_view::npos) return;
  std::copy(text_.data() + slash + 1, text_.data() + size_, text_.data());
  size_ -= slash + 1;
}

void ShortName::of_assembly(ICorProfilerInfo12& info, AssemblyID assembly) {
  AppDomainID domain = 0;
  ModuleID module = 0;
  uint32_t length = 0;
  if (assembly != 0 &&
      succeeded(info.GetAssemblyInfo(assembly, capacity(), &length, room().data(), &domain, &module)))
    written();
}

void ShortName::of_provider(ICorProfilerInfo12& info, EVENTPIPE_PROVIDER provider) {
  uint32_t length = 0;
  if (succeeded(info.EventPipeGetProviderInfo(provider, capacity(), &length, room().data()))) written();
}

}  // namespace walkabout::clr
