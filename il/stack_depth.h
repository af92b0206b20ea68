// How much lies on the evaluation stack before each instruction of a body. Pure; any thread. Source: ECMA-335
// III (what each instruction takes and leaves), III.1.7.5 (what lies there behind an unconditional branch).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "il/body.h"
#include "il/cause.h"

namespace walkabout::il {

// Of a signature, as far as a call's stack needs it.
struct CallShape {
  uint32_t parameters = 0;  // without `this`
  bool has_this = false;
  bool returns = false;
};
// Of the token of a call, callvirt, newobj or calli; none: it names no signature.
using CallShapes = std::function<std::optional<CallShape>(uint32_t token)>;

// By instruction. Of code that nothing leads to it is 0. Where less lies there than is taken, it is 0 as
// well: such a body is none, and no runtime runs it.
Cause find_stack_depths(const Body& body, const CallShapes& shapes, std::vector<uint32_t>* depths);

}  // namespace walkabout::il
