// What an InlineTree's two texts of bytes say, as columns. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wire/line_records.h"

namespace walkabout::wire {

struct InlineColumns {
  // By call; calls count from 1, and 0 is the compiled method itself.
  std::vector<uint64_t> method;  // MethodIds
  std::vector<uint64_t> parent;  // the call in whose code it stood, or 0; its own number: nobody knows
  std::vector<uint64_t> site;    // IL offset of the call there + 1; 0: not known
  // From native[i] to the next the code is node[i]'s.
  std::vector<uint64_t> native;  // bytes from the compiled method's first, rising
  std::vector<uint64_t> node;    // a call, or 0
  std::vector<uint64_t> il;  // IlPlace, or kIlFirst + the IL offset in the method called; of node 0 nothing
  bool operator==(const InlineColumns&) const = default;
};

// Three numbers behind the others, as varints.
void add_three(uint64_t first, uint64_t second, uint64_t third, std::string* to);

InlineTree inline_tree(base::CodeId code, const InlineColumns& columns);
// None: it is not of that form. All columns of a kind have one length; parents are at most their own number,
// nodes are calls or 0, ids of methods are below 2^32, native offsets below 2^32 and do not fall.
std::optional<InlineColumns> columns_of(const InlineTree& tree);

}  // namespace walkabout::wire
