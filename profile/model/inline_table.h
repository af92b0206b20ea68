// Which methods the compiler has put into a compiled method's code, by offset in that code. Add everything,
// then ask. One thread while filling; any number afterwards.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "wire/inline_tree.h"

namespace walkabout::profile {

// A call that the compiler has replaced by the called method's code.
struct InlinedCall {
  base::MethodId method;
  uint32_t number = 0;   // in wire::InlineColumns, from 1
  bool by_known = true;  // false: other calls may stand between it and the compiled method
  uint64_t site = 0;     // IL offset of the call in the method that it was in + 1; 0: not known
  bool operator==(const InlinedCall&) const = default;
};

class InlineTable {
 public:
  // columns: of wire::columns_of().
  void add(base::CodeId code, const wire::InlineColumns& columns);

  // The calls that code is of, outermost first; at: bytes from the method's first. Empty: it is the compiled
  // method's own, or nothing is known.
  std::vector<InlinedCall> calls(base::CodeId code, uint32_t at) const;

 private:
  struct Tree {
    std::vector<InlinedCall> calls;  // by number - 1
    std::vector<uint64_t> parent;    // likewise
    std::vector<uint64_t> native, node;
  };

  std::unordered_map<base::CodeId, Tree> trees_;
};

}  // namespace walkabout::profile
