#include "pdb/await_points.h"

#include <algorithm>
#include <array>
#include <optional>

#include "clr/abi/signature_bytes.h"
#include "il/instruction_bytes.h"

namespace walkabout::pdb {
namespace {

using il::Op;
using precompiled::Bytes;

struct Instruction {
  Op op = Op::kNop;
  size_t at = 0;
};

uint32_t four_bytes(clr::SignatureBytes& from) {
  uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= uint32_t{from.byte()} << (8 * i);
  return value;
}

// Where the method yields, rising.
std::vector<uint32_t> yields_of(Bytes steps) {
  std::vector<uint32_t> yields;
  clr::SignatureBytes rest(steps);
  four_bytes(rest);  // a handler
  while (rest.left() != 0 && yields.size() < kMostAwaits) {
    const uint32_t yield = four_bytes(rest);
    four_bytes(rest);  // where it goes on,
    rest.number();     // and in which method
    if (!rest.ok()) break;
    yields.push_back(yield);
  }
  std::sort(yields.begin(), yields.end());
  return yields;
}

std::optional<uint32_t> constant_at(Bytes il, const Instruction& load) {
  const size_t operand = load.at + 1;
  if (load.op >= Op::kLdcI40 && load.op <= Op::kLdcI48)
    return static_cast<uint32_t>(load.op) - static_cast<uint32_t>(Op::kLdcI40);
  if (load.op == Op::kLdcI4S) {
    const auto value = precompiled::load<int8_t>(il, operand);
    return value && *value >= 0 ? std::optional<uint32_t>(*value) : std::nullopt;
  }
  return load.op == Op::kLdcI4 ? precompiled::load<uint32_t>(il, operand) : std::nullopt;
}

// The last instructions, the last one first.
class Window {
 public:
  void push(Instruction next) {
    std::copy_backward(last_.begin(), last_.end() - 1, last_.end());
    last_[0] = next;
  }
  // The state that they store: a number, which may go into a local variable too, into the field.
  std::optional<uint32_t> stored_state(Bytes il) const {
    if (last_[0].op != Op::kStfld) return std::nullopt;
    const bool kept = il::stores_local(last_[1].op) && last_[2].op == Op::kDup;
    return constant_at(il, last_[kept ? 3 : 1]);
  }

 private:
  std::array<Instruction, 4> last_;
};

}  // namespace

std::vector<uint64_t> awaits_of(Bytes steps, Bytes il) {
  std::vector<uint64_t> awaits;
  const std::vector<uint32_t> yields = yields_of(steps);
  il = il.first(std::min(il.size(), kMostAwaitIl));
  Window window;
  size_t next = 0;
  for (size_t at = 0; next < yields.size();) {
    for (; next < yields.size() && yields[next] <= at; ++next) {
      const std::optional<uint32_t> state = yields[next] == at ? window.stored_state(il) : std::nullopt;
      if (!state || *state >= kMostAwaits) continue;
      if (awaits.size() <= *state) awaits.resize(*state + 1);
      awaits[*state] = awaits[*state] == 0 ? at + 1 : UINT64_MAX;  // of two it is not known which
    }
    const auto found = il::instruction_at(il, at);
    if (!found) break;
    window.push({found->op, at});
    at += found->size;
  }
  std::replace(awaits.begin(), awaits.end(), UINT64_MAX, uint64_t{0});
  return awaits;
}

}  // namespace walkabout::pdb
