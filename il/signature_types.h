// What a rewritten body needs to know of signatures: whether a method returns something and of what type,
// and local variables with more behind them. Hostile bytes. Pure; any thread. Source: ECMA-335 II.23.2.
#pragma once

#include <cstdint>
#include <vector>

#include "base/byte_span.h"
#include "il/cause.h"

namespace walkabout::il {

inline constexpr uint32_t kMostLocals = 0xfffe;  // an index is two bytes, and 0xffff is none

// What a method returns: bytes of its signature, which must outlive this.
struct Returned {
  bool nothing = true;
  base::Bytes type;  // with its modifiers
};
// implementation: the method's MethodImplAttributes. Where the runtime makes the task itself (.NET 11's
// async), a body returns something else than its signature says: kRuntimeAsync.
Cause read_returned(base::Bytes method_signature, uint32_t implementation, Returned* returned);

// The types of a method: of what it returns, and of its parameters. Bytes of the signature, with modifiers.
struct MethodTypes {
  bool has_this = false;  // in front of the parameters
  base::Bytes returned;
  std::vector<base::Bytes> parameters;
};
Cause read_types(base::Bytes method_signature, MethodTypes* types);
// The bytes of the first type in these; empty: there is none.
base::Bytes first_type(base::Bytes signature);

// As signatures have their numbers: one, two or four bytes.
void append_number(uint32_t number, std::vector<uint8_t>* out);

class Locals {
 public:
  // Of a method without any.
  Locals() = default;
  static Cause read(base::Bytes signature, Locals* locals);

  uint32_t count() const { return count_; }
  // The index of the new one.
  Cause append(base::Bytes type, uint16_t* index);
  // The signature.
  std::vector<uint8_t> bytes() const;

 private:
  uint32_t count_ = 0;
  std::vector<uint8_t> types_;
};

}  // namespace walkabout::il
