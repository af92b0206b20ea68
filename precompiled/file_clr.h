// The CLR as far as clr/names asks it for the name of one method at a time, answered from assemblies' files:
// so the name is, letter for letter, what the process's own CLR would have led to. One thread; ids are given
// out for good, a few for each method that is asked for.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "clr/abi/null_info.h"
#include "precompiled/assembly.h"
#include "precompiled/file_metadata.h"

namespace walkabout::precompiled {

class PrimitiveMetadata;

class FileClr final : public clr::NullICorProfilerInfo15 {
 public:
  static constexpr clr::FunctionID kFunction = 1;

  FileClr();
  ~FileClr();
  FileClr(const FileClr&) = delete;
  FileClr& operator=(const FileClr&) = delete;
  // Its id; assembly must outlive this.
  clr::ModuleID module(const Assembly& assembly);
  // A class of these arguments, or without any.
  clr::ClassID add_class(clr::ModuleID module, clr::mdToken token, std::vector<clr::ClassID> arguments);
  // "int", or the argument that all reference types share (method_instance.h).
  clr::ClassID add_primitive(uint8_t element);

  // What kFunction is from now on. type 0: the CLR would not say it.
  struct Function {
    clr::ClassID type = 0;
    clr::ModuleID module = 0;
    clr::mdToken token = 0;
    std::vector<clr::ClassID> arguments;
  };
  void set_function(Function function) { function_ = std::move(function); }
  // Some assembly's metadata were asked for what they do not have.
  bool missed() const;

  clr::HRESULT QueryInterface(const clr::GUID& riid, void** object) override;
  clr::HRESULT GetFunctionInfo2(clr::FunctionID function, clr::COR_PRF_FRAME_INFO frame, clr::ClassID* type,
                                clr::ModuleID* module, clr::mdToken* token, uint32_t capacity,
                                uint32_t* count, clr::ClassID* arguments) override;
  clr::HRESULT GetClassIDInfo2(clr::ClassID id, clr::ModuleID* module, clr::mdTypeDef* token,
                               clr::ClassID* parent, uint32_t capacity, uint32_t* count,
                               clr::ClassID* arguments) override;
  clr::HRESULT IsArrayClass(clr::ClassID, clr::CorElementType*, clr::ClassID*, uint32_t*) override {
    return clr::S_FALSE;
  }
  clr::HRESULT GetModuleInfo(clr::ModuleID id, const uint8_t** base, uint32_t capacity, uint32_t* length,
                             clr::WCHAR* name, clr::AssemblyID* assembly) override;
  clr::HRESULT GetModuleMetaData(clr::ModuleID id, uint32_t flags, const clr::GUID& riid,
                                 clr::IUnknown** import) override;
  clr::HRESULT IsFunctionDynamic(clr::FunctionID, clr::BOOL* dynamic) override {
    *dynamic = 0;
    return clr::S_OK;
  }

 private:
  struct Class {
    clr::ModuleID module = 0;
    clr::mdToken token = 0;
    std::vector<clr::ClassID> arguments;
  };
  struct Module {
    const Assembly* assembly = nullptr;
    std::unique_ptr<FileMetadata> metadata;
  };
  std::vector<Class> classes_;  // by id - 1
  std::deque<Module> modules_;  // by id - 1
  std::unordered_map<const Assembly*, clr::ModuleID> known_;
  std::unique_ptr<PrimitiveMetadata> primitives_;
  Function function_;
};

}  // namespace walkabout::precompiled
