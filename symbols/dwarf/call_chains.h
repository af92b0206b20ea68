// The inlined calls that the addresses of one compilation unit are in, by its tree of DIEs, which is walked
// once. One thread (libdw).
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "symbols/dwarf/unit_map.h"

namespace walkabout::symbols {

// A call that was replaced by the called function's code.
struct FoundCall {
  uint64_t parent = 0;   // the number that it was given; 0: it is in no other
  std::string function;  // as the DWARF has it: mangled, or what the language calls it; empty: not known
  uint64_t file = 0;     // in which it stood, as LineProgram::path() counts; if has_file
  uint64_t line = 0;
  bool has_file = false;
};

// tree: the DIE below which the functions are. offsets: the unit's that were hit, sorted. Sets call[i] of
// each that is in calls: to what number(call) gave for the innermost. False: a part of the tree is damaged,
// or the steps are used up.
bool find_calls(Dwarf_Die* tree, const std::vector<CodeRange>& code, std::span<const uint32_t> offsets,
                Steps& steps, const std::function<uint64_t(const FoundCall&)>& number,
                std::span<uint64_t> call);

}  // namespace walkabout::symbols
