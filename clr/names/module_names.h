// Names of the types and methods of one loaded module, from its metadata.
// One thread (it caches). Every failing call gives "?" for that part; nothing here fails as a whole.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"
#include "clr/abi/metadata.h"

namespace walkabout::clr {

class ModuleNames {
 public:
  // The module's metadata may be missing: then all names are "?".
  ModuleNames(ComPtr<IMetaDataImport2> import, std::string file_name)
      : import_(std::move(import)), file_name_(std::move(file_name)) {}
  static ModuleNames of(ICorProfilerInfo2& info, ModuleID module);

  // "Demo.dll"; for a module made at run time its name in the metadata.
  const std::string& file_name() const { return file_name_; }
  // "Ns.Outer`1+Inner" of a TypeDef or TypeRef.
  std::string name_of(mdToken token);

  struct Method {
    std::string name;
    mdTypeDef owner = 0;                 // 0 if unknown
    std::span<const uint8_t> signature;  // lives as long as the module
    bool special_name = true;            // an accessor, an operator or a constructor, if it is called so
  };
  Method method(mdMethodDef token) const;
  // "_items".
  std::string field(mdFieldDef token) const;
  // Whether the type itself has a field of this name, or the method an attribute of this type.
  bool has_field(mdTypeDef type, const char16_t* name) const;
  // The type's method of this name; 0: it has none.
  mdMethodDef find_method(mdTypeDef type, const char16_t* name) const;
  bool has_attribute(mdToken token, const char16_t* type) const;
  // The types of all that it has: "System.ObsoleteAttribute".
  std::vector<std::string> attributes(mdToken token);
  // Whether the type of that name is there, and its first two fields have these names.
  bool begins_with_fields(const char16_t* type, std::string_view first, std::string_view second) const;
  // Names of the generic parameters of a type or method, in order ("T", "TKey").
  std::vector<std::string> generic_parameters(mdToken owner) const;

 private:
  std::string build_name(mdToken token, int depth);
  std::string defined(mdTypeDef token, int depth);
  std::string referenced(mdTypeRef token, int depth);

  ComPtr<IMetaDataImport2> import_;
  std::string file_name_;
  std::unordered_map<mdToken, std::string> types_;
};

}  // namespace walkabout::clr
