#include "values/value_types.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>

#include "clr/abi/element_type.h"
#include "clr/abi/enumerate.h"
#include "clr/abi/enums.h"
#include "clr/abi/info_helpers.h"
#include "clr/abi/signature_bytes.h"
#include "clr/names/module_info.h"
#include "clr/names/signature.h"
#include "clr/names/utf16.h"
#include "il/signature_types.h"

namespace walkabout::values {
namespace {

using base::Bytes;

constexpr uint32_t kMostFields = 256, kMostArguments = 32, kMostConstants = 1024, kNameLength = 1024;
constexpr int kDeepestSearch = 8;
constexpr uint32_t kStatic = 0x10, kLiteral = 0x40;  // FieldAttributes
constexpr uint8_t kFieldKind = 0x06;
constexpr uint32_t kTable = 0xff000000, kAssemblyRefs = 0x23000000, kExportedTypes = 0x27000000;
constexpr char16_t kFlags[] = u"System.FlagsAttribute";
constexpr char16_t kInlineArray[] = u"System.Runtime.CompilerServices.InlineArrayAttribute";

using Name = std::array<clr::WCHAR, kNameLength>;

struct Primitive {
  uint8_t element;
  const char16_t* name;
};
constexpr Primitive kPrimitives[] = {
    {clr::kElementBoolean, u"System.Boolean"},  {clr::kElementChar, u"System.Char"},
    {clr::kElementI1, u"System.SByte"},         {clr::kElementU1, u"System.Byte"},
    {clr::kElementI2, u"System.Int16"},         {clr::kElementU2, u"System.UInt16"},
    {clr::kElementI4, u"System.Int32"},         {clr::kElementU4, u"System.UInt32"},
    {clr::kElementI8, u"System.Int64"},         {clr::kElementU8, u"System.UInt64"},
    {clr::kElementR4, u"System.Single"},        {clr::kElementR8, u"System.Double"},
    {clr::kElementNativeInt, u"System.IntPtr"}, {clr::kElementNativeUInt, u"System.UIntPtr"},
};
constexpr char16_t kAnyClass[] = u"System.__Canon", kCoreLibrary[] = u"System.Private.CoreLib";
constexpr std::string_view kCoreFile = "System.Private.CoreLib.dll";

// Their fields are not what people write. values/value_text writes them.
constexpr std::string_view kKnownTypes[] = {"System.Decimal",
                                            "System.DateTime",
                                            "System.TimeSpan",
                                            "System.Guid",

                                            "System.DateOnly",
                                            "System.TimeOnly",
                                            "System.Int128",
                                            "System.UInt128",
                                            "System.Half",
                                            "System.Text.Rune",
                                            "System.Runtime.Intrinsics.Vector64`1",
                                            "System.Runtime.Intrinsics.Vector128`1",
                                            "System.Runtime.Intrinsics.Vector256`1",
                                            "System.Runtime.Intrinsics.Vector512`1",
                                            "System.Numerics.Vector`1",
                                            "System.Span`1",
                                            "System.ReadOnlySpan`1"};

// "<Name>k__BackingField" → "Name".
std::string field_name(std::string name) {
  const size_t end = name.find(">k__BackingField");
  return name.starts_with('<') && end != std::string::npos ? name.substr(1, end - 1) : name;
}

class FieldTokens : public clr::TypeTokens {
 public:
  explicit FieldTokens(clr::ModuleNames& names) : names_(names) {}
  std::string name_of(clr::mdToken token) override { return names_.name_of(token); }

 private:
  clr::ModuleNames& names_;
};

struct FieldProperties {
  std::string name;
  uint32_t flags = 0;
  Bytes signature;  // the field's type
  const void* value = nullptr;
};

std::optional<FieldProperties> properties_of(clr::IMetaDataImport2& import, clr::mdFieldDef field) {
  Name name{};
  clr::mdTypeDef owner = 0;
  uint32_t length = 0, flags = 0, size = 0, kind = 0, value_size = 0;
  clr::PCCOR_SIGNATURE blob = nullptr;
  clr::UVCP_CONSTANT value = nullptr;
  if (clr::failed(import.GetFieldProps(field, &owner, name.data(), kNameLength, &length, &flags, &blob, &size,
                                       &kind, &value, &value_size)) ||
      size < 2 || blob[0] != kFieldKind)
    return std::nullopt;
  return FieldProperties{clr::to_utf8(std::u16string_view(name.data())), flags, {blob + 1, size - 1}, value};
}

std::span<const uint8_t> without_modifiers(std::span<const uint8_t> type) {
  clr::SignatureBytes bytes(type);
  for (;;) {
    const std::span<const uint8_t> rest = type.last(bytes.left());
    const uint8_t element = bytes.byte();
    if (element != clr::kElementRequiredModifier && element != clr::kElementOptionalModifier) return rest;
    bytes.token();
  }
}

uint64_t constant_at(const void* value, uint8_t element) {
  const auto read = [value]<typename T>(T number) {
    std::memcpy(&number, value, sizeof number);
    return static_cast<uint64_t>(static_cast<int64_t>(number));
  };
  switch (element) {
    case clr::kElementI1:
      return read(int8_t{});
    case clr::kElementBoolean:
    case clr::kElementU1:
      return read(uint8_t{});
    case clr::kElementI2:
      return read(int16_t{});
    case clr::kElementChar:
    case clr::kElementU2:
      return read(uint16_t{});
    case clr::kElementI4:
      return read(int32_t{});
    case clr::kElementU4:
      return read(uint32_t{});
    default:
      return read(uint64_t{});
  }
}

}  // namespace

const ValueType& ValueTypes::of(clr::ClassID type) {
  const auto [at, fresh] = types_.try_emplace(type);  // where it lies stays
  if (fresh) build(type, &at->second);
  return at->second;
}

const std::string& ValueTypes::name_of(clr::ClassID type) {
  const auto [at, fresh] = type_names_.try_emplace(type);
  if (fresh) at->second = names_.class_name(type);
  return at->second;
}

void ValueTypes::learn(clr::ModuleID module, std::span<const uint8_t> signature) {
  value_type_of(module, signature, {});
}

ValueTypes::Module& ValueTypes::module(clr::ModuleID module) {
  const auto known = modules_.find(module);
  if (known != modules_.end()) return known->second;
  clr::ComPtr<clr::IMetaDataImport2> import;
  if (clr::failed(
          info_->GetModuleMetaData(module, clr::ofRead, clr::IMetaDataImport2::kIid, import.put_unknown())))
    import.reset();
  return modules_.emplace(module, Module{clr::ModuleNames::of(*info_, module), std::move(import)})
      .first->second;
}

void ValueTypes::build(clr::ClassID type, ValueType* result) {
  result->name = name_of(type);
  clr::ModuleID in = 0;
  clr::mdTypeDef token = 0;
  clr::ClassID parent = 0;
  uint32_t count = 0;
  std::vector<clr::ClassID> arguments(kMostArguments);
  clr::CorElementType element = 0;
  uint32_t rank = 0;
  if (info_->IsArrayClass(type, &element, &parent, &rank) == clr::S_OK) {
    result->kind = TypeKind::kReference;
    return;
  }
  if (info_->GetClassIDInfo2(type, &in, &token, &parent, kMostArguments, &count, arguments.data()) !=
      clr::S_OK)
    return;
  arguments.resize(std::min(count, kMostArguments));
  if (!is_value_type(type)) {
    result->kind = TypeKind::kReference;
    return;
  }
  if (read_definition(in, token, result)) return;
  classes_->add({in, token, arguments}, type);
  read_fields(type, in, token, arguments, result);
}

// What its definition alone tells.
bool ValueTypes::read_definition(clr::ModuleID in, clr::mdTypeDef token, ValueType* result) {
  Module& of = module(in);
  if (!of.import) return false;
  const std::string name = of.names.name_of(token);
  if (of.names.file_name() == kCoreFile) {
    const std::u16string wide = clr::to_utf16(name);
    for (const Primitive& one : kPrimitives) {
      if (wide != one.name) continue;
      result->kind = TypeKind::kPrimitive;
      result->element = one.element;
      return true;
    }
    if (std::find(std::begin(kKnownTypes), std::end(kKnownTypes), name) != std::end(kKnownTypes)) {
      result->kind = TypeKind::kKnown;
      return true;
    }
  }
  uint32_t length = 0, flags = 0;
  clr::mdToken base = 0;
  if (clr::failed(of.import->GetTypeDefProps(token, nullptr, 0, &length, &flags, &base)) ||
      of.names.name_of(base) != "System.Enum")
    return false;
  read_enumeration(of, token, result);
  return true;
}

void ValueTypes::read_enumeration(Module& in, clr::mdTypeDef token, ValueType* result) {
  clr::HCORENUM all = nullptr;
  std::array<clr::mdFieldDef, 64> fields{};
  uint32_t count = 0;
  std::vector<std::pair<const void*, std::string>> constants;
  while (constants.size() < kMostConstants &&
         clr::succeeded(in.import->EnumFields(&all, token, fields.data(),
                                              static_cast<uint32_t>(fields.size()), &count)) &&
         count > 0) {
    for (uint32_t i = 0; i < count; ++i) {
      const std::optional<FieldProperties> field = properties_of(*in.import.get(), fields[i]);
      if (!field) continue;
      if ((field->flags & kStatic) == 0) result->element = field->signature[0];
      if ((field->flags & kLiteral) != 0 && field->value != nullptr)
        constants.emplace_back(field->value, field->name);
    }
  }
  in.import->CloseEnum(all);
  if (result->element == 0) return;
  result->kind = TypeKind::kEnumeration;
  result->flags = in.names.has_attribute(token, kFlags);
  for (auto& [value, name] : constants)
    result->constants.emplace_back(constant_at(value, result->element), std::move(name));
}

void ValueTypes::read_fields(clr::ClassID type, clr::ModuleID module_id, clr::mdTypeDef token,
                             const std::vector<clr::ClassID>& arguments, ValueType* result) {
  Module& in = module(module_id);
  std::array<clr::COR_FIELD_OFFSET, kMostFields> offsets{};
  uint32_t count = 0, size = 0;
  if (!in.import || info_->GetClassLayout(type, offsets.data(), kMostFields, &count, &size) != clr::S_OK ||
      count > kMostFields)
    return;
  result->kind = TypeKind::kStructure;
  for (uint32_t i = 0; i < count; ++i) {
    const std::optional<FieldProperties> properties = properties_of(*in.import.get(), offsets[i].ridOfField);
    if (!properties) {
      result->kind = TypeKind::kUnknown;
      return;
    }
    if ((properties->flags & (kStatic | kLiteral)) != 0) continue;
    TypeField field;
    field.name = field_name(properties->name);
    field.offset = offsets[i].ulOffset;
    read_field_type(module_id, properties->signature, arguments, &field);
    result->fields.push_back(std::move(field));
  }
  const void* data = nullptr;
  uint32_t bytes = 0;
  // Its prolog, and the number.
  if (in.import->GetCustomAttributeByName(token, kInlineArray, &data, &bytes) == clr::S_OK && bytes >= 6)
    std::memcpy(&result->repeated, static_cast<const uint8_t*>(data) + 2, sizeof result->repeated);
  if (in.names.file_name() == kCoreFile && in.names.name_of(token) == "System.Nullable`1")
    result->kind = TypeKind::kNullable;
}

void ValueTypes::read_field_type(clr::ModuleID in, std::span<const uint8_t> signature,
                                 const std::vector<clr::ClassID>& arguments, TypeField* field) {
  signature = without_modifiers(signature);
  if (signature.empty()) return;
  clr::SignatureBytes bytes(signature);
  field->element = bytes.byte();
  switch (field->element) {
    case clr::kElementVar: {
      const uint32_t index = bytes.number();
      field->element = clr::kElementValueType;
      if (index >= arguments.size()) return;
      if (is_value_type(arguments[index]))
        field->type = &of(arguments[index]);
      else
        field->element = clr::kElementObject;
      return;
    }
    case clr::kElementGenericInstance:
      field->element = bytes.byte() == clr::kElementValueType ? clr::kElementValueType : clr::kElementObject;
      if (field->element == clr::kElementValueType) field->type = value_type_of(in, signature, arguments);
      return;
    case clr::kElementValueType:
      field->type = value_type_of(in, signature, arguments);
      return;
    case clr::kElementString:
    case clr::kElementClass:
    case clr::kElementVector:
    case clr::kElementArray:
      field->element = clr::kElementObject;
      return;
    default:
      return;
  }
}

const ValueType* ValueTypes::value_type_of(clr::ModuleID in, std::span<const uint8_t> signature,
                                           const std::vector<clr::ClassID>& arguments) {
  signature = without_modifiers(signature);
  clr::SignatureBytes bytes(signature);
  uint8_t element = bytes.byte();
  if (element == clr::kElementGenericInstance) element = bytes.byte();
  if (element != clr::kElementValueType) return nullptr;
  const Definition definition = find(in, bytes.token(), 0);
  if (definition.module == 0) return nullptr;
  ValueType defined;
  if (read_definition(definition.module, definition.token, &defined)) {
    FieldTokens tokens(module(in).names);
    defined.name = clr::read_type(signature, tokens, {});
    return &by_signature_
                .try_emplace({in, std::vector<uint8_t>(signature.begin(), signature.end())},
                             std::move(defined))
                .first->second;
  }
  const clr::ClassID type = class_of(in, signature, arguments, 0);
  return type == 0 ? nullptr : &of(type);
}

// Of a value type itself. As an argument of another type each reference is as good: these share a layout.
clr::ClassID ValueTypes::class_of(clr::ModuleID in, std::span<const uint8_t> signature,
                                  const std::vector<clr::ClassID>& arguments, int depth) {
  signature = without_modifiers(signature);
  if (depth > kDeepestSearch || signature.empty()) return 0;
  clr::SignatureBytes bytes(signature);
  uint8_t element = bytes.byte();
  if (element == clr::kElementVar) {
    const uint32_t index = bytes.number();
    if (index >= arguments.size()) return 0;
    return is_value_type(arguments[index]) ? arguments[index] : primitive_class(0);
  }
  std::vector<clr::ClassID> own;
  if (element == clr::kElementGenericInstance) {
    element = bytes.byte();
    if (element != clr::kElementValueType) return primitive_class(0);
  }
  if (element != clr::kElementValueType)
    return primitive_class(
        clr::is_whole(element) && element != clr::kElementString && element != clr::kElementObject ? element
                                                                                                   : 0);
  const clr::mdToken token = bytes.token();
  if (signature[0] == clr::kElementGenericInstance) {
    const uint32_t count = bytes.number();
    for (uint32_t i = 0; i < count && bytes.ok(); ++i) {
      const base::Bytes one = il::first_type(signature.last(bytes.left()));
      bytes.skip(one.size());
      const clr::ClassID argument = class_of(in, one, arguments, depth + 1);
      if (argument == 0 || one.empty()) return 0;
      own.push_back(argument);
    }
  }
  const Definition definition = find(in, token, 0);
  if (!bytes.ok() || definition.module == 0) return 0;
  const KnownClasses::Key key{definition.module, definition.token, own};
  clr::ClassID found = classes_->find(key);
  if (found != 0 || where_ != Where::kInCallback) return found;
  if (info_->GetClassFromTokenAndTypeArgs(definition.module, definition.token,
                                          static_cast<uint32_t>(own.size()), own.data(), &found) != clr::S_OK)
    return 0;
  classes_->add(key, found);
  return found;
}

// element 0: what all references are as. The runtime has loaded these when it starts.
clr::ClassID ValueTypes::primitive_class(uint8_t element) {
  const char16_t* name = element == 0 ? kAnyClass : nullptr;
  for (const Primitive& one : kPrimitives) {
    if (one.element == element) name = one.name;
  }
  if (name == nullptr) return 0;
  const Definition definition = find_named(kCoreLibrary, name, 0);
  clr::ClassID found = 0;
  if (definition.module == 0 || info_->GetClassFromTokenAndTypeArgs(definition.module, definition.token, 0,
                                                                    nullptr, &found) != clr::S_OK)
    return 0;
  return found;
}

ValueTypes::Definition ValueTypes::find(clr::ModuleID in, clr::mdToken token, int depth) {
  if (depth > kDeepestSearch) return {};
  if ((token & kTable) == clr::mdtTypeDef) return {in, token};
  const clr::ComPtr<clr::IMetaDataImport2> import = module(in).import;
  Name name{};
  uint32_t length = 0;
  clr::mdToken scope = 0;
  if ((token & kTable) != clr::mdtTypeRef || !import ||
      clr::failed(import->GetTypeRefProps(token, &scope, name.data(), kNameLength, &length)))
    return {};
  if ((scope & kTable) == clr::mdtTypeRef) {
    const Definition outer = find(in, scope, depth + 1);
    clr::mdTypeDef found = 0;
    if (outer.module == 0 || !module(outer.module).import ||
        module(outer.module).import->FindTypeDefByName(name.data(), outer.token, &found) != clr::S_OK)
      return {};
    return {outer.module, found};
  }
  const auto assembly = import.query<clr::IMetaDataAssemblyImport>();
  Name library{};
  if ((scope & kTable) != kAssemblyRefs || !assembly ||
      clr::failed(assembly->GetAssemblyRefProps(scope, nullptr, nullptr, library.data(), kNameLength, &length,
                                                nullptr, nullptr, nullptr, nullptr)))
    return {};
  return find_named(library.data(), name.data(), depth + 1);
}

// There, or where that says it is.
ValueTypes::Definition ValueTypes::find_named(const std::u16string& library, const std::u16string& type,
                                              int depth) {
  auto at = libraries().find(library);
  if (at == libraries_.end()) {  // loaded since
    libraries_.clear();
    at = libraries().find(library);
  }
  if (depth > kDeepestSearch || at == libraries_.end() || at->second == 0) return {};
  const clr::ComPtr<clr::IMetaDataImport2> import = module(at->second).import;
  if (!import) return {};
  clr::mdTypeDef found = 0;
  if (import->FindTypeDefByName(type.c_str(), 0, &found) == clr::S_OK) return {at->second, found};
  const auto assembly = import.query<clr::IMetaDataAssemblyImport>();
  clr::mdExportedType exported = 0;
  clr::mdToken implementation = 0;
  clr::mdTypeDef hint = 0;
  uint32_t length = 0, flags = 0;
  Name name{};
  if (!assembly || assembly->FindExportedTypeByName(type.c_str(), 0, &exported) != clr::S_OK ||
      (exported & kTable) != kExportedTypes ||
      clr::failed(assembly->GetExportedTypeProps(exported, name.data(), kNameLength, &length, &implementation,
                                                 &hint, &flags)) ||
      (implementation & kTable) != kAssemblyRefs ||
      clr::failed(assembly->GetAssemblyRefProps(implementation, nullptr, nullptr, name.data(), kNameLength,
                                                &length, nullptr, nullptr, nullptr, nullptr)))
    return {};
  return find_named(name.data(), type, depth + 1);
}

bool ValueTypes::is_value_type(clr::ClassID type) {
  clr::ModuleID in = 0;
  clr::mdTypeDef token = 0;
  clr::ClassID parent = 0, grand = 0;
  uint32_t count = 0;
  if (type == 0 || info_->GetClassIDInfo2(type, &in, &token, &parent, 0, &count, nullptr) != clr::S_OK ||
      parent == 0 || info_->GetClassIDInfo2(parent, &in, &token, &grand, 0, &count, nullptr) != clr::S_OK)
    return false;
  const std::string name = module(in).names.name_of(token);
  if (name == "System.Enum") return true;
  return name == "System.ValueType" && name_of(type) != "System.Enum";
}

const std::map<std::u16string, clr::ModuleID>& ValueTypes::libraries() {
  if (!libraries_.empty()) return libraries_;
  clr::ComPtr<clr::ICorProfilerModuleEnum> all;
  if (clr::failed(info_->EnumModules(all.put()))) return libraries_;
  clr::for_each(*all.get(), [this](clr::ModuleID id) {
    const std::optional<clr::ModuleInfo> info = clr::module_info(info_, id);
    if (!info || (info->flags & (clr::COR_PRF_MODULE_COLLECTIBLE | clr::COR_PRF_MODULE_DYNAMIC)) != 0) return;
    const clr::ComPtr<clr::IMetaDataImport2> import = module(id).import;
    const auto assembly =
        import ? import.query<clr::IMetaDataAssemblyImport>() : clr::ComPtr<clr::IMetaDataAssemblyImport>();
    clr::mdAssembly token = 0;
    Name name{};
    uint32_t length = 0, flags = 0;
    if (!assembly || clr::failed(assembly->GetAssemblyFromScope(&token)) ||
        clr::failed(assembly->GetAssemblyProps(token, nullptr, nullptr, nullptr, name.data(), kNameLength,
                                               &length, nullptr, &flags)))
      return;
    // Of two that are called so, nobody says which is meant.
    const auto [at, fresh] = libraries_.try_emplace(name.data(), id);
    if (!fresh) at->second = 0;
  });
  return libraries_;
}

}  // namespace walkabout::values
