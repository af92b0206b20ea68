#include "clr/names/short_name.h"

#include <algorithm>

#include "clr/abi/com_ptr.h"
#include "clr/names/element_type.h"

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
  while (size_ < kLongest && text_[size_] != u'\0') ++size_;
}

void ShortName::append(std::string_view ascii) {
  const std::string_view kept = ascii.substr(0, kLongest - size_);
  std::ranges::copy(kept, text_.data() + size_);
  size_ += kept.size();
}

void ShortName::swap_parts(size_t begin, size_t middle, char between) {
  if (size_ == middle) return;
  append({&between, 1});
  std::rotate(text_.data() + begin, text_.data() + middle, text_.data() + size_);
}

void ShortName::append_type(IMetaDataImport2& import, mdTypeDef type, int depth) {
  const size_t begin = size_;
  uint32_t flags = 0;
  mdToken base = 0;
  if (failed(import.GetTypeDefProps(type, room().data(), capacity(), nullptr, &flags, &base))) return;
  written();
  const size_t middle = size_;
  mdTypeDef outer = 0;
  if ((flags & tdVisibilityMask) < tdNestedPublic || depth == kDeepest ||
      failed(import.GetNestedClassProps(type, &outer)))
    return;
  append_type(import, outer, depth + 1);
  swap_parts(begin, middle, '+');
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
    if (import) append_type(*import.get(), token, 0);
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
  PCCOR_SIGNATURE signature = nullptr;
  uint32_t signature_size = 0;
  if (!import || failed(import->GetMethodProps(method, &owner, room().data(), capacity(), nullptr, nullptr,
                                               &signature, &signature_size, nullptr, nullptr)))
    return;
  written();
  const size_t middle = size_;
  append_type(*import.get(), owner, 0);
  swap_parts(0, middle, '.');
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
