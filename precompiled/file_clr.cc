#include "precompiled/file_clr.h"

#include <algorithm>
#include <string>
#include <utility>

#include "clr/abi/element_type.h"
#include "clr/names/utf16.h"
#include "precompiled/method_instance.h"

namespace walkabout::precompiled {
namespace {

using clr::HRESULT;

// Stands for the module that has the types with a keyword, whose tokens are their element types.
constexpr clr::ModuleID kPrimitives = ~clr::ModuleID{0};

void give_ids(const std::vector<clr::ClassID>& ids, uint32_t capacity, uint32_t* count, clr::ClassID* out) {
  *count = static_cast<uint32_t>(ids.size());
  std::copy_n(ids.begin(), std::min<size_t>(ids.size(), capacity), out);
}

}  // namespace

class PrimitiveMetadata final : public clr::NullIMetaDataImport2 {
 public:
  HRESULT GetTypeDefProps(clr::mdTypeDef token, clr::WCHAR* name, uint32_t capacity, uint32_t* length,
                          uint32_t* flags, clr::mdToken* /*base*/) override {
    const auto element = static_cast<uint8_t>(token);
    const std::string text(element == kElementCanon ? "System.__Canon" : clr::keyword_of(element));
    give_text(clr::to_utf16(text), name, capacity, length);
    *flags = 0;
    return clr::S_OK;
  }
  HRESULT EnumGenericParams(clr::HCORENUM*, clr::mdToken, clr::mdGenericParam*, uint32_t,
                            uint32_t* count) override {
    *count = 0;
    return clr::S_FALSE;
  }
};

FileClr::FileClr() : primitives_(std::make_unique<PrimitiveMetadata>()) {}
FileClr::~FileClr() = default;

clr::ModuleID FileClr::module(const Assembly& assembly) {
  const auto [entry, fresh] = known_.try_emplace(&assembly, modules_.size() + 1);
  if (fresh) modules_.push_back({&assembly, std::make_unique<FileMetadata>(assembly.metadata)});
  return entry->second;
}

clr::ClassID FileClr::add_class(clr::ModuleID module, clr::mdToken token,
                                std::vector<clr::ClassID> arguments) {
  classes_.push_back({module, token, std::move(arguments)});
  return classes_.size();
}

clr::ClassID FileClr::add_primitive(uint8_t element) {
  return add_class(kPrimitives, clr::mdtTypeDef | element, {});
}

bool FileClr::missed() const {
  return std::any_of(modules_.begin(), modules_.end(), [](const Module& m) { return m.metadata->missed(); });
}

HRESULT FileClr::QueryInterface(const clr::GUID& riid, void** object) {
  if (riid != clr::ICorProfilerInfo8::kIid) return NullICorProfilerInfo15::QueryInterface(riid, object);
  *object = static_cast<clr::ICorProfilerInfo8*>(this);
  AddRef();
  return clr::S_OK;
}

HRESULT FileClr::GetFunctionInfo2(clr::FunctionID function, clr::COR_PRF_FRAME_INFO /*frame*/,
                                  clr::ClassID* type, clr::ModuleID* module, clr::mdToken* token,
                                  uint32_t capacity, uint32_t* count, clr::ClassID* arguments) {
  if (function != kFunction) return clr::E_INVALIDARG;
  *type = function_.type;
  *module = function_.module;
  *token = function_.token;
  give_ids(function_.arguments, capacity, count, arguments);
  return clr::S_OK;
}

HRESULT FileClr::GetClassIDInfo2(clr::ClassID id, clr::ModuleID* module, clr::mdTypeDef* token,
                                 clr::ClassID* parent, uint32_t capacity, uint32_t* count,
                                 clr::ClassID* arguments) {
  if (id == 0 || id > classes_.size()) return clr::E_INVALIDARG;
  const Class& found = classes_[id - 1];
  *module = found.module;
  *token = found.token;
  *parent = 0;
  give_ids(found.arguments, capacity, count, arguments);
  return clr::S_OK;
}

HRESULT FileClr::GetModuleInfo(clr::ModuleID id, const uint8_t** base, uint32_t capacity, uint32_t* length,
                               clr::WCHAR* name, clr::AssemblyID* /*assembly*/) {
  if (id == 0 || id > modules_.size()) return clr::E_INVALIDARG;
  *base = nullptr;
  give_text(clr::to_utf16(modules_[id - 1].assembly->path), name, capacity, length);
  return clr::S_OK;
}

HRESULT FileClr::GetModuleMetaData(clr::ModuleID id, uint32_t /*flags*/, const clr::GUID& riid,
                                   clr::IUnknown** import) {
  auto** object = reinterpret_cast<void**>(import);
  if (id == kPrimitives) return primitives_->QueryInterface(riid, object);
  if (id == 0 || id > modules_.size()) return clr::E_INVALIDARG;
  return modules_[id - 1].metadata->QueryInterface(riid, object);
}

}  // namespace walkabout::precompiled
