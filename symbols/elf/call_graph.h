// Which functions of an image call which directly, and which load certain words of its data: of an image
// without symbols, by its code alone. A call is four bytes that lead to where a function begins; calls
// through pointers are not there.
//
// Immutable; any thread while the ElfFile it was read from lives.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "symbols/elf/image_code.h"

namespace walkabout::symbols {

class CallGraph {
 public:
  using Functions = std::set<uint64_t>;  // where they begin

  // starts: where functions begin, sorted (read_function_starts). words: those of which loaders() is asked.
  // code and starts have to outlive this.
  CallGraph(const ImageCode& code, const std::vector<uint32_t>& starts, const std::set<uint64_t>& words);

  // Where functions begin, rising.
  const std::vector<uint32_t>& begins() const { return starts_; }
  // The function that an address is in.
  std::optional<uint64_t> function(uint64_t address) const;
  // One that begins there.
  bool begins(uint64_t address) const;
  // Where the next one begins, or the code ends.
  uint64_t end_of(uint64_t function) const;
  // Without the function itself.
  Functions callers(uint64_t function) const;
  Functions callees(uint64_t function) const;
  // Where this one is called, or jumped to, rising.
  std::vector<uint64_t> calls_of(uint64_t function) const;
  // Functions that load the 64 bits at that address into a register.
  Functions loaders(uint64_t word) const;

 private:
  // Of a call or jump there: the function that it leads to.
  std::optional<uint64_t> call_at(uint64_t address) const;

  const ImageCode& code_;
  const std::vector<uint32_t>& starts_;
  std::vector<uint64_t> calls_;                         // callee << 32 | where, sorted
  std::vector<std::pair<uint64_t, uint64_t>> loaders_;  // word, function
};

}  // namespace walkabout::symbols
