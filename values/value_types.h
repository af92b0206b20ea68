// What the values of a type are made of: asked of the CLR once for each type, by its id, which a value of it
// had. One thread; allocates. Types that can be unloaded must not be asked about.
//
// A structure in a structure is found by its metadata, and the CLR loads it when it is asked for its id. It
// may do that in a callback alone: elsewhere it ends the process (.NET 10). So threads that compile a traced
// method have the structures of its signature loaded, and the spooler takes what they found (KnownClasses).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
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

struct ValueType;

struct TypeField {
  std::string name;
  uint32_t offset = 0;
  uint8_t element = 0;              // of a value type kElementValueType, of a reference kElementObject
  const ValueType* type = nullptr;  // of a value type; null: it is not known
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

// Value types by their metadata. Any thread.
class KnownClasses {
 public:
  struct Key {
    clr::ModuleID module = 0;
    clr::mdTypeDef token = 0;
    std::vector<clr::ClassID> arguments;
    auto operator<=>(const Key&) const = default;
  };
  clr::ClassID find(const Key& key) const {
    const base::Lock lock(mutex_);
    const auto found = classes_.find(key);
    return found == classes_.end() ? 0 : found->second;
  }
  void add(const Key& key, clr::ClassID type) {
    const base::Lock lock(mutex_);
    classes_[key] = type;
  }

 private:
  mutable base::Mutex mutex_;
  std::map<Key, clr::ClassID> classes_ WALKABOUT_GUARDED_BY(mutex_);
};

class ValueTypes {
 public:
  enum class Where { kAnywhere, kInCallback };

  // Both must outlive this.
  ValueTypes(clr::ICorProfilerInfo12* info, KnownClasses* classes, Where where)
      : info_(info), classes_(classes), where_(where), names_(info) {}

  // Lives as long as this.
  const ValueType& of(clr::ClassID type);
  // "App.Order", "int[]": of any type.
  const std::string& name_of(clr::ClassID type);
  // Has this type, as a signature of the module has it, and what is in it loaded. In a callback.
  void learn(clr::ModuleID module, std::span<const uint8_t> signature);

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
  void build(clr::ClassID type, ValueType* result);
  bool read_definition(clr::ModuleID module, clr::mdTypeDef token, ValueType* result);
  void read_fields(clr::ClassID type, clr::ModuleID module, clr::mdTypeDef token,
                   const std::vector<clr::ClassID>& arguments, ValueType* result);
  void read_enumeration(Module& in, clr::mdTypeDef token, ValueType* result);
  void read_field_type(clr::ModuleID module, std::span<const uint8_t> signature,
                       const std::vector<clr::ClassID>& arguments, TypeField* field);
  const ValueType* value_type_of(clr::ModuleID module, std::span<const uint8_t> signature,
                                 const std::vector<clr::ClassID>& arguments);
  clr::ClassID class_of(clr::ModuleID module, std::span<const uint8_t> signature,
                        const std::vector<clr::ClassID>& arguments, int depth);
  Definition find(clr::ModuleID module, clr::mdToken token, int depth);
  Definition find_named(const std::u16string& library, const std::u16string& type, int depth);
  bool is_value_type(clr::ClassID type);
  clr::ClassID primitive_class(uint8_t element);
  const std::map<std::u16string, clr::ModuleID>& libraries();

  clr::ICorProfilerInfo12* const info_;
  KnownClasses* const classes_;
  const Where where_;
  clr::MethodNames names_;
  std::unordered_map<clr::ClassID, ValueType> types_;
  std::map<std::pair<clr::ModuleID, std::vector<uint8_t>>, ValueType> by_signature_;  // that need no id
  std::unordered_map<clr::ClassID, std::string> type_names_;
  std::unordered_map<clr::ModuleID, Module> modules_;
  std::map<std::u16string, clr::ModuleID> libraries_;  // by the name of their assembly
};

}  // namespace walkabout::values
