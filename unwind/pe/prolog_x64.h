// Decodes the prolog of a jitted method into UNWIND_INFO, for runtimes whose own unwind data cannot be read.
//
// The JIT's prologs are regular: push of callee-saved registers, [sub rsp, n], [lea rbp, [rsp+n] | mov rbp,
// rsp]. What the decoder does not know ends the prolog. An OSR method's phantom part and funclets are not
// covered (the real data covers them). Pure. Source: the instructions themselves (Intel SDM vol. 2);
// genFnProlog of the JIT for their order.
#pragma once

#include <cstdint>
#include <span>

namespace walkabout::unwind {

struct PrologInfo {
  uint8_t bytes[64] = {};  // an UNWIND_INFO, version 1
  uint32_t size = 0;
};

// code: the method's, from its first byte.
PrologInfo decode_prolog(std::span<const uint8_t> code);

}  // namespace walkabout::unwind
