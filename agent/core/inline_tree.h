// What the compiler says it has inlined into one compiled method, as the stream says it. No state, any
// thread; allocates.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/ids.h"
#include "wire/line_records.h"

namespace walkabout::agent {

// data: the runtime's (clr::InlinedCode). sites: it says where calls were. `method` has FunctionIDs. Calls of
// which no code is left, in themselves and in what they called, are left out: a tree may have none. None:
// what is said cannot be so.
std::optional<wire::InlineTree> inline_tree(std::span<const uint8_t> data, base::CodeId code, bool sites);

}  // namespace walkabout::agent
