// What the compiler says it has inlined into one compiled method, as the stream says it. No state; one
// thread: whose `id_of` allows. Allocates.
#pragma once

#include <cstdint>
#include <span>

#include "wire/line_records.h"

namespace walkabout::agent {

// A FunctionID's MethodId. It lives as long as the code into which it is inlined.
struct InlinedNames {
  uint64_t (*id_of)(void* with, uint64_t function);
  void* with;
};

// said: by the runtime (clr::InlinedCode). sites: it says where calls were. Calls of which no code is left,
// in themselves and in what they called, are left out and not named: a tree may have none. False: `said` is
// no valid tree; then names is not used.
bool fill_inline_tree(std::span<const uint8_t> said, bool sites, InlinedNames names, wire::InlineTree* tree);

}  // namespace walkabout::agent
