#include "agent/core/inlined_calls.h"

#include <vector>

#include "clr/events/inlining.h"
#include "wire/inline_tree.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kNotKnown = UINT32_MAX;
constexpr uint32_t kNoOffset = UINT32_MAX;

struct Node {
  uint32_t parent = kNotKnown;
  uint32_t number = 0;  // in the record; 0: it is the method itself, or left out
};

// The functions below are marked cold so that the compiler makes them small: each compiled method comes here
// once.

// .NET 8 leaves out the links behind a call that could not be inlined: then the parent of a call is not
// known. Not 0 in `number`: code is left of it, or of what it called.
[[gnu::cold]] bool read_nodes(const clr::InlinedCode& code, std::vector<Node>& nodes) {
  for (uint32_t i = 0; i < code.nodes(); ++i) {
    for (uint32_t child = code.node(i).child; child != 0; child = code.node(child).sibling) {
      if (child <= i || child >= code.nodes() || nodes[child].parent != kNotKnown) return false;
      nodes[child].parent = i;
    }
  }
  uint32_t before = 0;
  for (uint32_t i = 0; i < code.mappings(); ++i) {
    const clr::InlineMapping place = code.mapping(i);
    if (place.node >= code.nodes() || place.native < before) return false;
    before = place.native;
    nodes[place.node].number = 1;
  }
  for (uint32_t i = code.nodes(); i-- > 1;) {
    if (nodes[i].number != 0 && nodes[i].parent != kNotKnown) nodes[nodes[i].parent].number = 1;
  }
  nodes[0].number = 0;
  return true;
}

// Of two mappings of one native offset the second counts: the first has no code. The method's own code has an
// IL map. It gets an entry only where it follows a call's code.
[[gnu::cold]] void add_places(const clr::InlinedCode& code, const std::vector<Node>& nodes, std::string* to) {
  uint32_t before = 0, last = 0;
  for (uint32_t i = 0; i < code.mappings(); ++i) {
    const clr::InlineMapping place = code.mapping(i);
    const uint32_t number = nodes[place.node].number;
    if (i + 1 < code.mappings() && code.mapping(i + 1).native == place.native) continue;
    if (number == 0 && last == 0) continue;
    const bool has_il = number != 0 && place.il != kNoOffset;
    wire::add_three(place.native - before, number,
                    has_il ? wire::kIlFirst + place.il : uint64_t{wire::kIlNone}, to);
    before = place.native;
    last = number;
  }
}

}  // namespace

[[gnu::cold]] bool fill_inline_tree(std::span<const uint8_t> said, bool sites, InlinedNames names,
                                    wire::InlineTree* tree) {
  clr::InlinedCode code;
  if (!clr::InlinedCode::parse(said, &code)) return false;
  std::vector<Node> nodes(code.nodes());
  if (!read_nodes(code, nodes)) return false;
  uint32_t calls = 0;
  for (uint32_t i = 1; i < code.nodes(); ++i) {
    if (nodes[i].number == 0) continue;
    nodes[i].number = ++calls;
    const clr::InlineNode call = code.node(i);
    const uint32_t parent = nodes[i].parent;
    const bool has_site = sites && parent != kNotKnown && call.site != kNoOffset;
    wire::add_three(names.id_of(names.with, call.method), parent == kNotKnown ? calls : nodes[parent].number,
                    has_site ? uint64_t{call.site} + 1 : 0, &tree->calls);
  }
  add_places(code, nodes, &tree->places);
  return true;
}

}  // namespace walkabout::agent
