// Names of the methods in a ready-to-run image, from its file: what the agent of a process that runs it would
// say of the same address (clr/names/method_name.h), or nothing. Code of generic methods has the names of its
// arguments; of code that instantiations share what the runtime says of it.
//
// One thread. Allocates what it has named; about 10 ms for System.Private.CoreLib's tables, 10 us a name. The
// file is hostile: a name can be anything a text can be, but is bounded as clr/names bounds it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "clr/names/method_name.h"
#include "precompiled/assembly.h"
#include "precompiled/file_clr.h"
#include "precompiled/method_instance.h"
#include "precompiled/ready_to_run.h"

namespace walkabout::precompiled {

class ImageNames {
 public:
  // The assembly of this name ("System.Linq") that the process had loaded; null where nobody knows. What it
  // gives must outlive this.
  using FindAssembly = std::function<const Assembly*(std::string_view name)>;

  // assembly must outlive this. runtime_major: 8 for .NET 8.
  ImageNames(const Assembly& assembly, int runtime_major, FindAssembly find_other);
  ImageNames(const ImageNames&) = delete;
  ImageNames& operator=(const ImageNames&) = delete;

  struct Method {
    clr::MethodName name;
    Function function;  // that the RVA is in: the method's body or one of its funclets
  };
  std::optional<Method> method_at(uint32_t rva);
  // Null when the image has no code of its own.
  const ReadyToRun* code() const { return code_ ? &*code_ : nullptr; }

 private:
  std::optional<FileClr::Function> function_of(const EntryPoint& entry);
  std::optional<FileClr::Function> instance(const MethodInstance& method);
  // 0: it cannot be named for certain.
  clr::ClassID class_of(const InstanceType& type);
  bool classes_of(const std::vector<InstanceType>& types, std::vector<clr::ClassID>* out);
  const Assembly* assembly_of(uint32_t module) const;

  const Assembly& assembly_;
  int runtime_major_;
  FindAssembly find_other_;
  std::optional<ReadyToRun> code_;
  std::optional<Metadata> manifest_;
  FileClr clr_;
  clr::MethodNames names_{&clr_};
};

}  // namespace walkabout::precompiled
