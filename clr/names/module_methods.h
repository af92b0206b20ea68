// The methods of a module that have a body of IL, from its metadata. One thread; asks the CLR, which must
// have the module; allocates.
#pragma once

#include <functional>
#include <string>

#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"
#include "clr/abi/metadata.h"
#include "clr/names/module_names.h"

namespace walkabout::clr {

struct DefinedMethod {
  mdMethodDef token = 0;
  uint32_t implementation = 0;  // MethodImplAttributes
  std::string name;             // "Add", "<Main>b__0_0"
};

// Calls `visit` with each, type by type: type is "Ns.Outer`1+Inner", empty for the module's own functions.
void for_each_method(IMetaDataImport2& import, ModuleNames& names,
                     const std::function<void(const std::string& type, const DefinedMethod&)>& visit);

}  // namespace walkabout::clr
