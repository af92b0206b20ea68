#include "clr/names/method_name.h"

#include <algorithm>
#include <array>
#include <utility>

#include "clr/abi/element_type.h"
#include "clr/names/signature.h"
#include "clr/names/type_name.h"
#include "clr/names/utf16.h"

namespace walkabout::clr {
namespace {

constexpr uint32_t kMaxArguments = 64;
constexpr uint32_t kDynamicNameBuffer = 1024;

std::string unknown() { return std::string(kUnknownName); }

class ModuleTokens : public TypeTokens {
 public:
  explicit ModuleTokens(ModuleNames& names) : names_(names) {}
  std::string name_of(mdToken token) override { return names_.name_of(token); }

 private:
  ModuleNames& names_;
};

// Dynamic methods have no module to ask, and the type handles in their signatures may be dead.
class NoTokens : public TypeTokens {
 public:
  std::string name_of(mdToken) override { return unknown(); }
};

}  // namespace

MethodName declared_name(ModuleNames& module, mdMethodDef token) {
  const ModuleNames::Method method = module.method(token);
  const std::vector<std::string> of_type =
      method.owner != 0 ? module.generic_parameters(method.owner) : std::vector<std::string>();
  const std::vector<std::string> own = module.generic_parameters(token);
  ModuleTokens tokens(module);
  MethodSignature signature;
  read_method_signature(method.signature, tokens, {of_type, own}, &signature);
  MethodName name;
  name.type = with_arguments(module.name_of(method.owner), of_type);
  name.method = with_arguments(method.name, own);
  name.parameters = std::move(signature.parameters);
  name.returns = std::move(signature.returns);
  name.module = module.file_name();
  name.plain_name = !method.special_name;
  name.token = token;
  return name;
}

MethodNames::MethodNames(ICorProfilerInfo2* info, std::function<bool(ModuleID)> is_loaded)
    : info_(info),
      info8_(ComPtr<ICorProfilerInfo2>(info).query<ICorProfilerInfo8>()),
      is_loaded_(std::move(is_loaded)),
      unloaded_({}, unknown()) {}

MethodName MethodNames::of(FunctionID function) {
  MethodName name;
  if (dynamic_name(function, &name)) return name;
  ClassID type = 0;
  ModuleID in = 0;
  mdToken token = 0;
  uint32_t count = 0;
  std::vector<ClassID> arguments(kMaxArguments);
  if (failed(info_->GetFunctionInfo2(function, 0, &type, &in, &token, kMaxArguments, &count,
                                     arguments.data()))) {
    name.type = name.method = name.parameters = name.module = kUnknownName;
    return name;
  }
  arguments.resize(std::min(count, kMaxArguments));

  ModuleNames& names = module(in);
  const ModuleNames::Method method = names.method(token);
  const Class owner = type != 0 ? class_at(type, 0) : open_type(names, method.owner);
  std::vector<std::string> own = argument_names(arguments, 0);
  if (own.empty()) own = names.generic_parameters(token);
  ModuleTokens tokens(names);
  MethodSignature signature;
  read_method_signature(method.signature, tokens, {owner.arguments, own}, &signature);

  name.type = owner.name;
  name.method = with_arguments(method.name, own);
  name.parameters = std::move(signature.parameters);
  name.returns = std::move(signature.returns);
  name.module = names.file_name();
  name.plain_name = !method.special_name;
  name.module_id = in;
  name.token = token;
  return name;
}

bool MethodNames::dynamic_name(FunctionID function, MethodName* name) {
  BOOL dynamic = 0;
  if (!info8_ || failed(info8_->IsFunctionDynamic(function, &dynamic)) || dynamic == 0) return false;
  name->dynamic = true;
  name->method = kUnknownName;
  ModuleID in = 0;
  PCCOR_SIGNATURE blob = nullptr;
  uint32_t blob_size = 0;
  uint32_t length = 0;
  std::array<WCHAR, kDynamicNameBuffer> buffer{};
  if (failed(info8_->GetDynamicFunctionInfo(function, &in, &blob, &blob_size, kDynamicNameBuffer, &length,
                                            buffer.data()))) {
    return true;
  }
  const std::u16string_view text(buffer.data(), std::min(length, kDynamicNameBuffer));
  name->method = to_utf8(text.substr(0, text.find(u'\0')));
  name->il_stub = name->method.starts_with(kStubPrefix);
  NoTokens tokens;
  MethodSignature signature;
  if (blob != nullptr) read_method_signature({blob, blob_size}, tokens, {}, &signature);
  name->parameters = std::move(signature.parameters);
  if (in != 0) name->module = module(in).file_name();
  return true;
}

MethodNames::Class MethodNames::class_at(ClassID type, int depth) {
  if (const auto known = classes_.find(type); known != classes_.end()) return known->second;
  if (depth > kDeepestType) return {"…", {}};
  Class built = build_class(type, depth);
  // What was cut short by its depth is longer when it is asked for by itself.
  if (depth == 0 || built.name.find("…") == std::string::npos) classes_.emplace(type, built);
  return built;
}

MethodNames::Class MethodNames::build_class(ClassID type, int depth) {
  Class result{unknown(), {}};
  if (type == 0 || array_name(type, depth, &result.name)) return result;
  ModuleID in = 0;
  mdTypeDef token = 0;
  ClassID parent = 0;
  uint32_t count = 0;
  std::vector<ClassID> arguments(kMaxArguments);
  if (failed(info_->GetClassIDInfo2(type, &in, &token, &parent, kMaxArguments, &count, arguments.data())))
    return result;
  arguments.resize(std::min(count, kMaxArguments));
  if (arguments.empty()) return open_type(module(in), token);
  result.arguments = argument_names(arguments, depth + 1);
  result.name = with_arguments(module(in).name_of(token), result.arguments);
  return result;
}

bool MethodNames::array_name(ClassID type, int depth, std::string* name) {
  CorElementType element = 0;
  ClassID element_class = 0;
  uint32_t rank = 0;
  if (info_->IsArrayClass(type, &element, &element_class, &rank) != S_OK) return false;
  const std::string_view keyword = keyword_of(element);
  std::string of = unknown();
  if (element_class != 0)
    of = keyword_for(class_at(element_class, depth + 1).name);
  else if (!keyword.empty())
    of = keyword;
  *name = array_of(std::move(of), rank);
  return true;
}

std::vector<std::string> MethodNames::argument_names(const std::vector<ClassID>& arguments, int depth) {
  std::vector<std::string> names;
  size_t length = 0;
  for (const ClassID argument : arguments) {
    names.emplace_back(length > kLongestTypeName ? "…" : keyword_for(class_at(argument, depth).name));
    length += names.back().size();
  }
  return names;
}

MethodNames::Class MethodNames::open_type(ModuleNames& module, mdTypeDef token) {
  Class result;
  result.arguments = module.generic_parameters(token);
  result.name = with_arguments(module.name_of(token), result.arguments);
  return result;
}

ModuleNames& MethodNames::module(ModuleID module) {
  if (is_loaded_ && !is_loaded_(module)) return unloaded_;
  const auto known = modules_.find(module);
  if (known != modules_.end()) return known->second;
  return modules_.emplace(module, ModuleNames::of(*info_, module)).first->second;
}

}  // namespace walkabout::clr
