// What the runtime says of inlined methods, whatever is in it: the agent's reader of the event, and the
// record that it makes of it, which a reader of recordings accepts.
#include <optional>
#include <vector>

#include "agent/core/inlined_calls.h"
#include "clr/events/inlining.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "profile/model/inline_table.h"
#include "wire/inline_tree.h"

using namespace walkabout;
using fuzz::expect;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const bool sites = in.u8() != 0;
  const std::vector<uint8_t> payload = in.rest();
  clr::RichDebugInfo event;
  if (!clr::parse_rich_debug_info(payload, 0, &event)) return 0;
  const agent::InlinedNames names{[](void*, uint64_t) { return uint64_t{1}; }, nullptr};
  wire::InlineTree tree;
  if (!agent::fill_inline_tree(event.data, sites, names, &tree)) return 0;
  const std::optional<wire::InlineColumns> columns = wire::columns_of(tree);
  expect(columns.has_value(), "the agent's trees are sound");
  profile::InlineTable table;
  table.add(base::CodeId(1), *columns);
  for (const uint64_t native : columns->native) {
    const size_t depth = table.calls(base::CodeId(1), static_cast<uint32_t>(native)).size();
    expect(depth <= columns->method.size(), "no call is in itself");
  }
  return 0;
}
