#include "precompiled/image_names.h"

#include <algorithm>
#include <utility>

#include "clr/abi/element_type.h"

namespace walkabout::precompiled {
namespace {

// The runtimes before it do not say the class of code that instantiations share.
constexpr int kSaysSharedClass = 10;
constexpr clr::mdToken kTableMask = 0xff000000;

bool is_shared(const InstanceType& type) {
  return type.element == kElementCanon ||
         std::any_of(type.arguments.begin(), type.arguments.end(), is_shared);
}

}  // namespace

ImageNames::ImageNames(const Assembly& assembly, int runtime_major, FindAssembly find_other)
    : assembly_(assembly),
      runtime_major_(runtime_major),
      find_other_(std::move(find_other)),
      code_(ReadyToRun::read(assembly.image)) {
  if (code_) manifest_ = Metadata::read(code_->manifest());
}

std::optional<ImageNames::Method> ImageNames::method_at(uint32_t rva) {
  const auto found = code_ ? code_->find(rva) : std::nullopt;
  if (!found) return std::nullopt;
  std::optional<FileClr::Function> function = function_of(*found->entry);
  if (!function) return std::nullopt;
  clr_.set_function(std::move(*function));
  Method method{names_.of(FileClr::kFunction), found->function};
  if (clr_.missed()) return std::nullopt;
  return method;
}

std::optional<FileClr::Function> ImageNames::function_of(const EntryPoint& entry) {
  MethodInstance method;
  method.method = entry.method;
  if (entry.method == 0) {
    size_t size = 0;
    const auto read = read_method_instance(entry.instance, &size);
    if (!read) return std::nullopt;
    method = *read;
  }
  return instance(method);
}

// Each part is checked against the others: the method is one of its type's, and both have as many parameters
// as there are arguments.
std::optional<FileClr::Function> ImageNames::instance(const MethodInstance& method) {
  const Assembly* const assembly = assembly_of(method.module);
  if (!method.plain || assembly == nullptr) return std::nullopt;
  const Metadata& metadata = assembly->metadata;
  const auto definition = metadata.method_def(method.method);
  if (!definition) return std::nullopt;
  FileClr::Function function;
  function.module = clr_.module(*assembly);
  function.token = clr::mdtMethodDef | method.method;
  const clr::mdToken owner = clr::mdtTypeDef | definition->owner;
  const size_t type_arguments = method.owner ? method.owner->arguments.size() : 0;
  if ((method.owner && method.owner->token != owner) ||
      metadata.generic_parameters(owner).count != type_arguments ||
      metadata.generic_parameters(function.token).count != method.arguments.size())
    return std::nullopt;
  if (!classes_of(method.arguments, &function.arguments)) return std::nullopt;
  const bool unsaid = method.owner && runtime_major_ < kSaysSharedClass && is_shared(*method.owner);
  if (!method.owner || unsaid) return function;
  function.type = class_of(*method.owner);
  if (function.type == 0) return std::nullopt;
  return function;
}

clr::ClassID ImageNames::class_of(const InstanceType& type) {
  if (type.element == kElementCanon || !clr::keyword_of(type.element).empty())
    return clr_.add_primitive(type.element);
  const clr::mdToken table = type.token & kTableMask;
  const Assembly* const assembly = assembly_of(type.module);
  if (assembly == nullptr || (table != clr::mdtTypeDef && table != clr::mdtTypeRef)) return 0;
  std::vector<clr::ClassID> arguments;
  if (!classes_of(type.arguments, &arguments)) return 0;
  return clr_.add_class(clr_.module(*assembly), type.token, std::move(arguments));
}

bool ImageNames::classes_of(const std::vector<InstanceType>& types, std::vector<clr::ClassID>* out) {
  for (const InstanceType& type : types) {
    out->push_back(class_of(type));
    if (out->back() == 0) return false;
  }
  return true;
}

// 0 is the image; then come the assemblies that its metadata refer to, the manifest itself, and those that
// the manifest refers to.
const Assembly* ImageNames::assembly_of(uint32_t module) const {
  if (module == 0) return &assembly_;
  const uint32_t own = assembly_.metadata.rows(Table::kAssemblyRef);
  std::optional<std::string_view> name;
  if (module <= own)
    name = assembly_.metadata.assembly_ref(module);
  else if (manifest_ && module > own + 1)
    name = manifest_->assembly_ref(module - own - 1);
  if (!name || name->empty()) return nullptr;
  return *name == assembly_.metadata.assembly_name() ? &assembly_ : find_other_(*name);
}

}  // namespace walkabout::precompiled
