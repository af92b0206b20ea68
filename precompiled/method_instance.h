// The signatures by which a ready-to-run image says which instantiation of a generic method an entry point is
// of. Hostile bytes: depth and length are bounded. Allocates; any thread, no state. Sources:
// docs/design/coreclr/botr/readytorun-format.md ("Method signatures"), src/coreclr/vm/zapsig.h of the
// runtime; ECMA-335 II.23.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "clr/abi/types.h"
#include "precompiled/bytes.h"

namespace walkabout::precompiled {

// The runtime's own, beside clr/abi/element_type.h: the argument all reference types share.
inline constexpr uint8_t kElementCanon = 0x3e;

// Modules are numbered as the image does: 0 is the image's own, then its references to assemblies, then those
// of its manifest.
struct InstanceType {
  uint8_t element = 0;                  // clr/abi/element_type.h; kElementCanon
  uint32_t module = 0;                  // the one that `token` is of
  clr::mdToken token = 0;               // of a class, a value type or what is instantiated; else 0
  std::vector<InstanceType> arguments;  // of a generic instance
};

struct MethodInstance {
  std::optional<InstanceType> owner;  // none: the type that has the method is not generic
  uint32_t module = 0;                // the one that `method` is of
  uint32_t method = 0;                // row of its MethodDef
  std::vector<InstanceType> arguments;
  bool plain = true;  // false: a stub of the method, or of a kind that nothing here can name
};

// *size: of the signature; what follows it is behind. None when it is of a form nobody here knows.
std::optional<MethodInstance> read_method_instance(Bytes bytes, size_t* size);

}  // namespace walkabout::precompiled
