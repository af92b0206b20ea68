// A FunctionID to the names a person knows: type with its generic arguments, method, parameters, module.
//
// One thread only, one that may call ICorProfilerInfo at any time and holds no lock of ours meanwhile (the
// spooler): metadata imports and class names are cached without locks. The ids must be alive: a FunctionID of
// a method whose module was unloaded, or of a dynamic method that was collected, must not be passed in. A
// module that is being unloaded, and has descriptors but no metadata any more, is what is_loaded is for.
// Every HRESULT may fail: that part of the name is "?". Depth and length of names are bounded (type_name.h).
//
// Measured: code that instantiations share has no class on .NET 8 and 9 (GetFunctionInfo2 without a frame):
// its type then has the names of its parameters, "List<T>". .NET 10 says "List<__Canon>". About 8 us a name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"
#include "clr/names/module_names.h"

namespace walkabout::clr {

// How the runtime names the methods it makes for itself.
inline constexpr std::string_view kStubPrefix = "IL_STUB";

// Raw metadata names ("<Main>b__0_0"); all UTF-8.
struct MethodName {
  std::string type;         // "Namespace.Outer<string>+Inner<int>"; empty for dynamic methods
  std::string method;       // "Map<__Canon>": with its own generic arguments
  std::string parameters;   // "int, string[]"
  std::string returns;      // "void", "int"; empty where nobody says
  std::string module;       // "Demo.dll"
  bool plain_name = false;  // no accessor and no operator, whatever it is called
  bool dynamic = false;     // made at run time without metadata
  bool il_stub = false;     // a dynamic method of the runtime's own: marshalling, delegates
  // Where its IL is; 0: nobody says.
  ModuleID module_id = 0;
  mdToken token = 0;
};

// Of a method as its module has it, of all instantiations: with the names of generic parameters.
MethodName declared_name(ModuleNames& module, mdMethodDef token);

class MethodNames {
 public:
  // info must outlive this. is_loaded: asked before each use of a module's metadata; where it says no, all
  // that the module would name is "?". Without it all are loaded.
  explicit MethodNames(ICorProfilerInfo2* info, std::function<bool(ModuleID)> is_loaded = {});

  MethodName of(FunctionID function);
  // "System.Collections.Generic.List<int>", "int[,]".
  std::string class_name(ClassID type) { return class_at(type, 0).name; }
  // Ids may stand for other things from now on.
  void forget() {
    modules_.clear();
    classes_.clear();
  }

 private:
  struct Class {
    std::string name;                    // with arguments, as a type's own name: "System.Int32"
    std::vector<std::string> arguments;  // of it and the types around it, as arguments: "int"
  };

  bool dynamic_name(FunctionID function, MethodName* name);
  Class class_at(ClassID type, int depth);
  Class build_class(ClassID type, int depth);
  bool array_name(ClassID type, int depth, std::string* name);
  std::vector<std::string> argument_names(const std::vector<ClassID>& arguments, int depth);
  // The type without what an instantiation would say: with its parameters' names.
  Class open_type(ModuleNames& module, mdTypeDef token);
  ModuleNames& module(ModuleID module);

  ICorProfilerInfo2* info_;
  ComPtr<ICorProfilerInfo8> info8_;  // empty before .NET Core 2.0
  std::function<bool(ModuleID)> is_loaded_;
  ModuleNames unloaded_;
  std::unordered_map<ModuleID, ModuleNames> modules_;
  std::unordered_map<ClassID, Class> classes_;
};

}  // namespace walkabout::clr
