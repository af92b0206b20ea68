// What the values of a type are made of: asked of the CLR once for each type, by its id, which a value of it
// had. The spooler's; allocates. Types that can be unloaded must not be asked about.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "clr/abi/info.h"
#include "clr/names/method_name.h"
#include "clr/names/module_names.h"

namespace walkabout::values {

enum class TypeKind : uint8_t {
  kUnknown,
  kReference,    // any class
  kPrimitive,    // element says which
  kEnumeration,  // element: its numbers
  kNullable,     // fields: whether it has one, and the value
  kKnown,        // one whose fields say nothing to a person: by its name
  kStructure,
};

struct TypeField {
  std::string name;
  uint32_t offset = 0;
  uint8_t element = 0;    // of a value type kElementValueType
  clr::ClassID type = 0;  // of a value type; 0: it is not known
};

struct ValueType {
  TypeKind kind = TypeKind::kUnknown;
  uint8_t element = 0;
  bool flags = false;     // an enumeration of bits
  uint32_t repeated = 0;  // an inline array: how often its field is there; 0: it is none
  std::string name;       // "System.Collections.Generic.KeyValuePair<int, string>"
  std::vector<TypeField> fields;
  std::vector<std::pair<uint64_t, std::string>> constants;  // as declared
};

class ValueTypes {
 public:
  // info must outlive this.
  explicit ValueTypes(clr::ICorProfilerInfo12* info) : info_(info), names_(info) {}

  // Lives until the next forget().
  const ValueType& of(clr::ClassID type);
  // "App.Order", "int[]": of any type.
  const std::string& name_of(clr::ClassID type);
  // Ids may stand for other things from now on.
  void forget();

 private:
  struct Module {
    clr::ModuleNames names;
    clr::ComPtr<clr::IMetaDataImport2> import;
  };
  struct Definition {
    clr::ModuleID module = 0;
    clr::mdTypeDef token = 0;
  };

  Module& module(clr::ModuleID module);
  ValueType build(clr::ClassID type);
  void read_fields(clr::ClassID type, Module& in, const std::vector<clr::ClassID>& arguments,
                   ValueType* result);
  void read_enumeration(Module& in, clr::mdTypeDef token, ValueType* result);
  void read_field_type(clr::ModuleID module, std::span<const uint8_t> signature,
                       const std::vector<clr::ClassID>& arguments, TypeField* field);
  clr::ClassID class_of(clr::ModuleID module, std::span<const uint8_t> signature,
                        const std::vector<clr::ClassID>& arguments, int depth);
  Definition find(clr::ModuleID module, clr::mdToken token, int depth);
  Definition find_named(const std::u16string& library, const std::u16string& type, int depth);
  bool is_value_type(clr::ClassID type);
  clr::ClassID primitive_class(uint8_t element);
  const std::map<std::u16string, clr::ModuleID>& libraries();

  clr::ICorProfilerInfo12* const info_;
  clr::MethodNames names_;
  std::unordered_map<clr::ClassID, ValueType> types_;
  std::unordered_map<clr::ClassID, std::string> type_names_;
  std::unordered_map<clr::ModuleID, Module> modules_;
  std::map<std::u16string, clr::ModuleID> libraries_;  // by the name of their assembly
};

}  // namespace walkabout::values
