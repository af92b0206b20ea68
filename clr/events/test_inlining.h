// For tests: what the runtime says of a method that it has compiled, and its event.
#pragma once

#include <vector>

#include "clr/events/inlining.h"
#include "clr/events/test_payload.h"

namespace walkabout::clr::testing {

struct InlinedEvent {
  uint64_t method = 0;
  std::vector<InlineNode> nodes;
  std::vector<InlineMapping> mappings;
  uint32_t chunk = 0x80000000;

  Payload data() const {
    Payload out;
    put(out, static_cast<uint32_t>(nodes.size()));
    put(out, static_cast<uint32_t>(mappings.size()));
    for (const InlineNode& node : nodes) {
      put(out, node.method);
      for (const uint32_t number : {node.site, node.child, node.sibling}) put(out, number);
    }
    for (const InlineMapping& mapping : mappings) {
      for (const uint32_t number : {mapping.il, mapping.node, mapping.native}) put(out, number);
      put<uint8_t>(out, 2);
    }
    return out;
  }
  Payload payload() const {
    const Payload said = data();
    Payload out;
    put<uint16_t>(out, 0);
    for (const uint64_t number : {method, uint64_t{0}, uint64_t{0}}) put(out, number);
    put(out, chunk);
    put(out, static_cast<uint32_t>(said.size()));
    out.insert(out.end(), said.begin(), said.end());
    return out;
  }
};

}  // namespace walkabout::clr::testing
