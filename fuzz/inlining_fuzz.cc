// What the runtime says of inlined methods, whatever is in it: the agent's reader of the event, and the record
// that it makes of it, which a reader of recordings accepts.
#include <algorithm>
#include <vector>

#include "agent/core/inline_tree.h"
#include "clr/events/inlining.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "profile/model/inline_table.h"

using namespace walkabout;
using fuzz::expect;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const bool sites = in.u8() != 0;
  const std::vector<uint8_t> payload = in.rest();
  clr::RichDebugInfo event;
  if (!clr::parse_rich_debug_info(payload, 0, &event)) return 0;
  std::optional<wire::InlineTree> tree = agent::inline_tree(event.data, base::CodeId(1), sites);
  if (!tree) return 0;
  // The agent puts the ids of methods there.
  std::fill(tree->method.begin(), tree->method.end(), 1);
  profile::InlineTable table;
  expect(table.add(*tree), "the agent's trees are sound");
  for (const uint64_t native : tree->native) {
    const size_t depth = table.calls(tree->code, static_cast<uint32_t>(native)).size();
    expect(depth <= tree->method.size(), "no call is in itself");
  }
  return 0;
}
