#include "clr/names/module_names.h"

#include <algorithm>
#include <array>

#include "base/file_name.h"
#include "clr/names/type_name.h"
#include "clr/names/utf16.h"

namespace walkabout::clr {
namespace {

constexpr size_t kNameBuffer = 1024;  // WCHARs; what is longer arrives cut
constexpr uint32_t kMaxGenericParameters = 64;
constexpr mdToken kTableMask = 0xff000000;

using NameBuffer = std::array<WCHAR, kNameBuffer>;

// Out parameters count the terminating NUL, and name the whole length even if the buffer got less.
std::string text_of(const NameBuffer& buffer, uint32_t length) {
  const size_t kept = std::min<size_t>(length, kNameBuffer);
  const std::u16string_view all(buffer.data(), kept);
  const std::string name = to_utf8(all.substr(0, all.find(u'\0')));
  return name.empty() ? std::string(kUnknownName) : name;
}

std::string nested_in(std::string outer, const std::string& name) { return outer.append("+").append(name); }

std::string file_name_of(ICorProfilerInfo2& info, ModuleID module) {
  NameBuffer buffer{};
  uint32_t length = 0;
  const uint8_t* base = nullptr;
  if (failed(info.GetModuleInfo(module, &base, kNameBuffer, &length, buffer.data(), nullptr))) return {};
  return std::string(base::file_name_of_any(length > 1 ? text_of(buffer, length) : std::string()));
}

std::string scope_name_of(IMetaDataImport2* import) {
  NameBuffer buffer{};
  uint32_t length = 0;
  GUID version;
  const bool known =
      import != nullptr && succeeded(import->GetScopeProps(buffer.data(), kNameBuffer, &length, &version));
  return known ? text_of(buffer, length) : std::string(kUnknownName);
}

}  // namespace

ModuleNames ModuleNames::of(ICorProfilerInfo2& info, ModuleID module) {
  ComPtr<IMetaDataImport2> import;
  if (failed(info.GetModuleMetaData(module, ofRead, IMetaDataImport2::kIid, import.put_unknown())))
    import = {};
  std::string file = file_name_of(info, module);
  if (file.empty()) file = scope_name_of(import.get());
  return ModuleNames(std::move(import), std::move(file));
}

std::string ModuleNames::name_of(mdToken token) {
  if (const auto known = types_.find(token); known != types_.end()) return known->second;
  return types_.emplace(token, build_name(token, 0)).first->second;
}

std::string ModuleNames::build_name(mdToken token, int depth) {
  if (!import_) return std::string(kUnknownName);
  if (depth > kDeepestType) return "…";
  std::string name;
  switch (token & kTableMask) {
    case mdtTypeDef:
      name = defined(token, depth);
      break;
    case mdtTypeRef:
      name = referenced(token, depth);
      break;
    default:
      return std::string(kUnknownName);
  }
  limit_length(name);
  return name;
}

std::string ModuleNames::defined(mdTypeDef token, int depth) {
  NameBuffer buffer{};
  uint32_t length = 0;
  uint32_t flags = 0;
  mdToken base = 0;
  if (failed(import_->GetTypeDefProps(token, buffer.data(), kNameBuffer, &length, &flags, &base))) {
    return std::string(kUnknownName);
  }
  std::string name = text_of(buffer, length);
  mdTypeDef outer = 0;
  const bool nested = (flags & tdVisibilityMask) >= tdNestedPublic;
  if (!nested || failed(import_->GetNestedClassProps(token, &outer))) return name;
  return nested_in(build_name(outer, depth + 1), name);
}

std::string ModuleNames::referenced(mdTypeRef token, int depth) {
  NameBuffer buffer{};
  uint32_t length = 0;
  mdToken scope = 0;
  if (failed(import_->GetTypeRefProps(token, &scope, buffer.data(), kNameBuffer, &length))) {
    return std::string(kUnknownName);
  }
  std::string name = text_of(buffer, length);
  return (scope & kTableMask) == mdtTypeRef ? nested_in(build_name(scope, depth + 1), name) : name;
}

std::string ModuleNames::field(mdFieldDef token) const {
  NameBuffer buffer{};
  mdTypeDef owner = 0;
  uint32_t length = 0, attributes = 0, blob_size = 0, type_flag = 0, value_size = 0;
  PCCOR_SIGNATURE blob = nullptr;
  UVCP_CONSTANT value = nullptr;
  if (!import_ ||
      failed(import_->GetFieldProps(token, &owner, buffer.data(), kNameBuffer, &length, &attributes, &blob,
                                    &blob_size, &type_flag, &value, &value_size)))
    return std::string(kUnknownName);
  return text_of(buffer, length);
}

mdMethodDef ModuleNames::find_method(mdTypeDef type, const char16_t* name) const {
  mdMethodDef found = 0;
  return import_ && import_->FindMethod(type, name, nullptr, 0, &found) == S_OK ? found : 0;
}

bool ModuleNames::has_field(mdTypeDef type, const char16_t* name) const {
  mdFieldDef found = 0;
  return import_ && import_->FindField(type, name, nullptr, 0, &found) == S_OK;
}

bool ModuleNames::begins_with_fields(const char16_t* type, std::string_view first,
                                     std::string_view second) const {
  mdTypeDef found = 0;
  if (!import_ || import_->FindTypeDefByName(type, 0, &found) != S_OK) return false;
  HCORENUM all = nullptr;
  mdFieldDef fields[2] = {};
  uint32_t count = 0;
  const HRESULT answer = import_->EnumFields(&all, found, fields, 2, &count);
  import_->CloseEnum(all);
  return !failed(answer) && count == 2 && field(fields[0]) == first && field(fields[1]) == second;
}

bool ModuleNames::has_attribute(mdToken token, const char16_t* type) const {
  const void* data = nullptr;
  uint32_t size = 0;
  return import_ && import_->GetCustomAttributeByName(token, type, &data, &size) == S_OK;
}

std::vector<std::string> ModuleNames::attributes(mdToken token) {
  constexpr uint32_t kMostAttributes = 64;
  std::vector<std::string> types;
  if (!import_) return types;
  HCORENUM all = nullptr;
  std::array<mdCustomAttribute, kMostAttributes> found{};
  uint32_t count = 0;
  if (failed(import_->EnumCustomAttributes(&all, token, 0, found.data(), kMostAttributes, &count))) count = 0;
  for (uint32_t i = 0; i < std::min(count, kMostAttributes); ++i) {
    mdToken owner = 0, constructor = 0;
    const void* data = nullptr;
    NameBuffer buffer{};
    uint32_t size = 0, length = 0;
    PCCOR_SIGNATURE blob = nullptr;
    if (failed(import_->GetCustomAttributeProps(found[i], &owner, &constructor, &data, &size))) continue;
    mdToken type = 0;
    if ((constructor & kTableMask) == mdtMethodDef)
      type = method(constructor).owner;
    else if (failed(import_->GetMemberRefProps(constructor, &type, buffer.data(), kNameBuffer, &length, &blob,
                                               &size)))
      continue;
    types.push_back(name_of(type));
  }
  if (all != nullptr) import_->CloseEnum(all);
  return types;
}

ModuleNames::Method ModuleNames::method(mdMethodDef token) const {
  Method result;
  result.name = std::string(kUnknownName);
  NameBuffer buffer{};
  uint32_t length = 0;
  uint32_t attributes = 0;
  uint32_t rva = 0;
  uint32_t implementation = 0;
  PCCOR_SIGNATURE blob = nullptr;
  uint32_t blob_size = 0;
  if (!import_ || failed(import_->GetMethodProps(token, &result.owner, buffer.data(), kNameBuffer, &length,
                                                 &attributes, &blob, &blob_size, &rva, &implementation))) {
    return result;
  }
  result.name = text_of(buffer, length);
  if (blob != nullptr) result.signature = {blob, blob_size};
  result.special_name = (attributes & mdSpecialName) != 0;
  return result;
}

std::vector<std::string> ModuleNames::generic_parameters(mdToken owner) const {
  std::vector<std::string> names;
  if (!import_) return names;
  HCORENUM enumeration = nullptr;
  std::array<mdGenericParam, kMaxGenericParameters> tokens{};
  uint32_t count = 0;
  if (failed(import_->EnumGenericParams(&enumeration, owner, tokens.data(), kMaxGenericParameters, &count)))
    count = 0;
  for (uint32_t i = 0; i < std::min(count, kMaxGenericParameters); ++i) {
    NameBuffer buffer{};
    uint32_t length = 0;
    const HRESULT known = import_->GetGenericParamProps(tokens[i], nullptr, nullptr, nullptr, nullptr,
                                                        buffer.data(), kNameBuffer, &length);
    names.push_back(succeeded(known) ? text_of(buffer, length) : std::string(kUnknownName));
  }
  if (enumeration != nullptr) import_->CloseEnum(enumeration);
  return names;
}

}  // namespace walkabout::clr
