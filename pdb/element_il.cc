#include "pdb/element_il.h"

#include <algorithm>
#include <array>
#include <optional>

#include "il/instruction_bytes.h"
#include "pdb/il_variables.h"

namespace walkabout::pdb {
namespace {

using il::Op;
using precompiled::Bytes;

// ldelem.i1 to ldelem.ref.
bool reads_element(Op op) { return op >= Op::kLdelemI1 && op <= Op::kLdelemRef; }

}  // namespace

bool ElementReads::is_next(size_t begin, size_t end) {
  std::array<VariableUse, 2> loaded;
  size_t at = begin;
  for (VariableUse& use : loaded) {
    const auto found = il::instruction_at(il_, at);
    if (!found) return false;
    const std::optional<VariableUse> variable = variable_use(il_, at, found->op);
    if (!variable || variable->kind != VariableUse::Kind::kLoads) return false;
    use = *variable;
    at += found->size;
  }
  const auto read = il::instruction_at(il_, at);
  if (!read || !reads_element(read->op)) return false;
  at += read->size;
  if (at < end) {
    const auto store = il::instruction_at(il_, at);
    if (!store || !il::stores_local(store->op)) return false;
    at += store->size;
  }
  if (at != end || steps_left_ < loops_.size()) return false;
  steps_left_ -= loops_.size();
  const Loop* innermost = nullptr;
  for (const Loop& loop : loops_) {
    if (loop.begin > begin || loop.end < end) continue;
    if (innermost == nullptr || loop.end - loop.begin < innermost->end - innermost->begin) innermost = &loop;
  }
  return innermost != nullptr && is_walk(*innermost, loaded[0].variable, loaded[1].variable);
}

bool ElementReads::is_walk(const Loop& loop, uint32_t array, uint32_t index) {
  bool counts = false;
  size_t counting = 0;  // of "load the index, 1, add, store it", how many have been seen in a row
  for (size_t at = loop.begin; at < loop.end; --steps_left_) {
    const auto found = steps_left_ == 0 ? std::nullopt : il::instruction_at(il_, at);
    if (!found) return false;
    const std::optional<VariableUse> use = variable_use(il_, at, found->op);
    const bool of_index = use && use->variable == index;
    if (use && use->kind != VariableUse::Kind::kLoads && (of_index || use->variable == array)) {
      if (!of_index || use->kind != VariableUse::Kind::kStores || counting != 3) return false;
      counts = true;
    }
    if (of_index && use->kind == VariableUse::Kind::kLoads)
      counting = 1;
    else if ((counting == 1 && found->op == Op::kLdcI41) || (counting == 2 && found->op == Op::kAdd))
      ++counting;
    else
      counting = 0;
    at += found->size;
  }
  return counts;
}

}  // namespace walkabout::pdb
