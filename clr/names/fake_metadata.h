// For tests: a module's metadata and a CLR that knows a few classes and functions, as tables to fill in.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "clr/abi/null_info.h"
#include "clr/abi/null_metadata.h"

namespace walkabout::clr {

// Copies as the CLR does: what fits, always terminated; the length counts the NUL and is the whole one.
inline void give_name(const std::u16string& name, WCHAR* buffer, uint32_t capacity, uint32_t* length) {
  if (length != nullptr) *length = static_cast<uint32_t>(name.size() + 1);
  if (buffer == nullptr || capacity == 0) return;
  const size_t kept = std::min<size_t>(name.size(), capacity - 1);
  std::copy_n(name.data(), kept, buffer);
  buffer[kept] = u'\0';
}

struct FakeMetadata : NullIMetaDataImport2 {
  struct Type {
    std::u16string name;
    mdToken outer = 0;  // enclosing TypeDef, or TypeRef as resolution scope
  };
  struct Method {
    std::u16string name;
    mdTypeDef owner = 0;
    std::vector<uint8_t> signature;
    uint32_t attributes = 0;
  };
  std::map<mdToken, Type> types;
  std::map<mdToken, Method> methods;
  std::map<mdToken, std::vector<std::u16string>> parameters;
  std::map<mdFieldDef, std::u16string> fields;
  std::map<mdTypeDef, std::vector<mdFieldDef>> fields_of;
  std::map<mdToken, std::u16string> custom_attributes;
  std::u16string scope;
  GUID version{};
  int calls = 0;
  int open_enumerations = 0;

  HRESULT GetTypeDefProps(mdTypeDef token, WCHAR* name, uint32_t capacity, uint32_t* length, uint32_t* flags,
                          mdToken*) override {
    ++calls;
    if (!types.contains(token)) return E_FAIL;
    give_name(types[token].name, name, capacity, length);
    if (flags != nullptr) *flags = types[token].outer != 0 ? tdNestedPublic : tdPublic;
    return S_OK;
  }
  HRESULT GetNestedClassProps(mdTypeDef token, mdTypeDef* outer) override {
    *outer = types[token].outer;
    return *outer != 0 ? S_OK : E_FAIL;
  }
  HRESULT GetTypeRefProps(mdTypeRef token, mdToken* scope_token, WCHAR* name, uint32_t capacity,
                          uint32_t* length) override {
    if (!types.contains(token)) return E_FAIL;
    give_name(types[token].name, name, capacity, length);
    *scope_token = types[token].outer;
    return S_OK;
  }
  HRESULT GetMethodProps(mdMethodDef token, mdTypeDef* owner, WCHAR* name, uint32_t capacity,
                         uint32_t* length, uint32_t* attributes, PCCOR_SIGNATURE* blob, uint32_t* blob_size,
                         uint32_t*, uint32_t*) override {
    if (!methods.contains(token)) return E_FAIL;
    const Method& method = methods[token];
    *owner = method.owner;
    give_name(method.name, name, capacity, length);
    if (attributes != nullptr) *attributes = method.attributes;
    *blob = method.signature.data();
    *blob_size = static_cast<uint32_t>(method.signature.size());
    return S_OK;
  }
  HRESULT GetFieldProps(mdFieldDef token, mdTypeDef*, WCHAR* name, uint32_t capacity, uint32_t* length,
                        uint32_t*, PCCOR_SIGNATURE*, uint32_t*, uint32_t*, UVCP_CONSTANT*,
                        uint32_t*) override {
    if (!fields.contains(token)) return E_FAIL;
    give_name(fields[token], name, capacity, length);
    return S_OK;
  }
  HRESULT FindField(mdTypeDef type, const WCHAR* name, PCCOR_SIGNATURE, uint32_t,
                    mdFieldDef* found) override {
    for (const mdFieldDef token : fields_of[type]) {
      if (fields[token] != name) continue;
      *found = token;
      return S_OK;
    }
    return E_FAIL;
  }
  HRESULT FindMethod(mdTypeDef type, const WCHAR* name, PCCOR_SIGNATURE, uint32_t,
                     mdMethodDef* found) override {
    for (const auto& [token, method] : methods) {
      if (method.owner != type || method.name != name) continue;
      *found = token;
      return S_OK;
    }
    return E_FAIL;
  }
  HRESULT GetCustomAttributeByName(mdToken token, const WCHAR* name, const void**, uint32_t*) override {
    return custom_attributes.contains(token) && custom_attributes[token] == name ? S_OK : S_FALSE;
  }
  HRESULT GetScopeProps(WCHAR* name, uint32_t capacity, uint32_t* length, GUID* mvid) override {
    give_name(scope, name, capacity, length);
    if (mvid != nullptr) *mvid = version;
    return S_OK;
  }
  // A generic parameter's token here: 0x2a000000 | owner's table << 16 | owner's row << 8 | index.
  HRESULT EnumGenericParams(HCORENUM* enumeration, mdToken owner, mdGenericParam* tokens, uint32_t capacity,
                            uint32_t* count) override {
    ++open_enumerations;
    *enumeration = this;
    *count = std::min(static_cast<uint32_t>(parameters[owner].size()), capacity);
    for (uint32_t i = 0; i < *count; ++i)
      tokens[i] = 0x2a000000 | owner >> 24 << 16 | (owner & 0xff) << 8 | i;
    return *count != 0 ? S_OK : S_FALSE;
  }
  void CloseEnum(HCORENUM) override { --open_enumerations; }
  HRESULT GetGenericParamProps(mdGenericParam token, uint32_t*, uint32_t*, mdToken*, uint32_t*, WCHAR* name,
                               uint32_t capacity, uint32_t* length) override {
    const mdToken owner = (token >> 16 & 0xff) << 24 | (token >> 8 & 0xff);
    give_name(parameters[owner][token & 0xff], name, capacity, length);
    return S_OK;
  }
};

struct FakeClr : NullICorProfilerInfo15 {
  struct Class {
    ModuleID module = 0;
    mdTypeDef token = 0;
    std::vector<ClassID> arguments;
    CorElementType element = 0;  // of an array
    ClassID element_class = 0;
    uint32_t rank = 0;  // 0: no array
    ClassID parent = 0;
    std::vector<COR_FIELD_OFFSET> layout = {};
    HRESULT layout_answer = S_OK;
  };
  struct Function {
    ClassID type = 0;
    ModuleID module = 0;
    mdToken token = 0;
    std::vector<ClassID> arguments;
    bool dynamic = false;
    std::u16string dynamic_name;
    std::vector<uint8_t> dynamic_signature;
  };
  struct Module {
    std::u16string path;
    FakeMetadata* metadata = nullptr;
    AssemblyID assembly = 0;
  };
  std::map<ClassID, Class> classes;
  std::map<FunctionID, Function> functions;
  std::map<ModuleID, Module> modules;
  std::map<AssemblyID, std::u16string> assemblies;
  std::map<mdMethodDef, std::vector<uint8_t>> bodies;  // of all modules
  int class_calls = 0, function_calls = 0;

  HRESULT QueryInterface(const GUID& riid, void** object) override {
    if (riid != ICorProfilerInfo8::kIid) return NullICorProfilerInfo15::QueryInterface(riid, object);
    *object = static_cast<ICorProfilerInfo8*>(this);
    AddRef();
    return S_OK;
  }
  HRESULT GetFunctionInfo(FunctionID function, ClassID* type, ModuleID* module, mdToken* token) override {
    ++function_calls;
    if (!functions.contains(function)) return E_INVALIDARG;
    *type = functions[function].type;
    *module = functions[function].module;
    *token = functions[function].token;
    return S_OK;
  }
  HRESULT GetILFunctionBody(ModuleID, mdMethodDef method, const uint8_t** body, uint32_t* size) override {
    if (!bodies.contains(method)) return E_INVALIDARG;
    *body = bodies[method].data();
    *size = static_cast<uint32_t>(bodies[method].size());
    return S_OK;
  }
  HRESULT GetClassIDInfo(ClassID id, ModuleID* module, mdTypeDef* token) override {
    ++class_calls;
    if (!classes.contains(id)) return E_INVALIDARG;
    *module = classes[id].module;
    *token = classes[id].token;
    return S_OK;
  }
  HRESULT GetClassFromObject(ObjectID object, ClassID* type) override {
    *type = object;  // an object of each class, with its number
    return S_OK;
  }
  HRESULT GetAssemblyInfo(AssemblyID id, uint32_t capacity, uint32_t* length, WCHAR* name, AppDomainID*,
                          ModuleID*) override {
    if (!assemblies.contains(id)) return E_INVALIDARG;
    give_name(assemblies[id], name, capacity, length);
    return S_OK;
  }
  HRESULT GetFunctionInfo2(FunctionID function, COR_PRF_FRAME_INFO, ClassID* type, ModuleID* module,
                           mdToken* token, uint32_t capacity, uint32_t* count, ClassID* arguments) override {
    if (!functions.contains(function)) return E_INVALIDARG;
    const Function& f = functions[function];
    *type = f.type;
    *module = f.module;
    *token = f.token;
    give_ids(f.arguments, capacity, count, arguments);
    return S_OK;
  }
  HRESULT GetClassLayout(ClassID id, COR_FIELD_OFFSET* fields, uint32_t capacity, uint32_t* count,
                         uint32_t*) override {
    if (!classes.contains(id)) return E_INVALIDARG;
    const Class& c = classes[id];
    *count = static_cast<uint32_t>(c.layout.size());
    std::copy_n(c.layout.begin(), std::min<size_t>(c.layout.size(), capacity), fields);
    return c.layout_answer;
  }
  HRESULT GetClassIDInfo2(ClassID id, ModuleID* module, mdTypeDef* token, ClassID* parent, uint32_t capacity,
                          uint32_t* count, ClassID* arguments) override {
    ++class_calls;
    if (!classes.contains(id)) return E_INVALIDARG;
    if (parent != nullptr) *parent = classes[id].parent;
    *module = classes[id].module;
    *token = classes[id].token;
    give_ids(classes[id].arguments, capacity, count, arguments);
    return S_OK;
  }
  HRESULT IsArrayClass(ClassID id, CorElementType* element, ClassID* element_class, uint32_t* rank) override {
    if (!classes.contains(id) || classes[id].rank == 0) return S_FALSE;
    *element = classes[id].element;
    *element_class = classes[id].element_class;
    *rank = classes[id].rank;
    return S_OK;
  }
  HRESULT GetModuleInfo(ModuleID id, const uint8_t**, uint32_t capacity, uint32_t* length, WCHAR* name,
                        AssemblyID* assembly) override {
    if (!modules.contains(id)) return E_INVALIDARG;
    if (assembly != nullptr) *assembly = modules[id].assembly;
    give_name(modules[id].path, name, capacity, length);
    return S_OK;
  }
  HRESULT GetModuleMetaData(ModuleID id, uint32_t, const GUID& riid, IUnknown** import) override {
    if (!modules.contains(id) || modules[id].metadata == nullptr) return E_FAIL;
    return modules[id].metadata->QueryInterface(riid, reinterpret_cast<void**>(import));
  }
  HRESULT IsFunctionDynamic(FunctionID function, BOOL* dynamic) override {
    *dynamic = functions.contains(function) && functions[function].dynamic;
    return S_OK;
  }
  HRESULT GetDynamicFunctionInfo(FunctionID function, ModuleID* module, PCCOR_SIGNATURE* blob,
                                 uint32_t* blob_size, uint32_t capacity, uint32_t* length,
                                 WCHAR* name) override {
    const Function& f = functions[function];
    if (f.dynamic_name.empty()) return E_FAIL;
    *module = f.module;
    *blob = f.dynamic_signature.data();
    *blob_size = static_cast<uint32_t>(f.dynamic_signature.size());
    give_name(f.dynamic_name, name, capacity, length);
    return S_OK;
  }

 private:
  static void give_ids(const std::vector<ClassID>& ids, uint32_t capacity, uint32_t* count, ClassID* out) {
    *count = static_cast<uint32_t>(ids.size());
    std::copy_n(ids.begin(), std::min<size_t>(ids.size(), capacity), out);
  }
};

}  // namespace walkabout::clr
