// Signature blobs of metadata to C#-like text: "int, ref string, List<T>[]". Source: ECMA-335 II.23.2.
// Any bytes give a result or false; depth and length are bounded (type_name.h). Allocates; any thread.
#pragma once

#include <span>
#include <string>

#include "clr/abi/types.h"

namespace walkabout::clr {

// Where tokens in a signature get their names: the module the blob is from.
class TypeTokens {
 public:
  // Raw name of a TypeDef or TypeRef ("Ns.Outer`1+Inner"), or "?".
  virtual std::string name_of(mdToken token) = 0;

 protected:
  ~TypeTokens() = default;
};

// What !0 and !!0 stand for; a number beyond them is shown as "T3" or "M3".
struct GenericArguments {
  std::span<const std::string> type;
  std::span<const std::string> method;
};

struct MethodSignature {
  std::string returns;
  std::string parameters;  // "int, string[]"
};

// False if the blob is no method signature or ends early; *out then holds what was read, with "?" for the
// rest.
bool read_method_signature(std::span<const uint8_t> blob, TypeTokens& tokens,
                           const GenericArguments& arguments, MethodSignature* out);

// Of one type's bytes; "?" where they are none.
std::string read_type(std::span<const uint8_t> blob, TypeTokens& tokens, const GenericArguments& arguments);

}  // namespace walkabout::clr
