#include "symbols/elf/call_graph.h"

#include <algorithm>
#include <limits>
#include <span>

namespace walkabout::symbols {
namespace {

constexpr uint8_t kLoad = 0x8b;
// mov, 64 bits: its prefix without the bit of the upper registers; that bit; which operand is at rip.
constexpr uint8_t kWide = 0x48, kUpper = 0x04, kOperandAtRip = 0x05, kOperandBits = 0xc7;
constexpr size_t kBytesOfLoad = 7;
constexpr unsigned kAddressBits = 32;  // of functions that have an entry in the table of starts

}  // namespace

CallGraph::CallGraph(const ImageCode& code, const std::vector<uint32_t>& starts,
                     const std::set<uint64_t>& words)
    : code_(code), starts_(starts) {
  const std::span<const uint8_t> bytes = code.bytes();
  for (size_t i = 0; i + kBytesOfLoad <= bytes.size(); ++i) {
    const uint64_t at = code.begin() + i;
    if (at > std::numeric_limits<uint32_t>::max()) break;
    if (const std::optional<uint64_t> to = call_at(at)) {
      calls_.push_back(*to << kAddressBits | at);
    } else if ((bytes[i] & ~kUpper) == kWide && bytes[i + 1] == kLoad &&
               (bytes[i + 2] & kOperandBits) == kOperandAtRip) {
      const uint64_t word = code.target(at + 3).value_or(0);
      const std::optional<uint64_t> from = words.contains(word) ? function(at) : std::nullopt;
      if (from) loaders_.emplace_back(word, *from);
    }
  }
  std::sort(calls_.begin(), calls_.end());
}

std::optional<uint64_t> CallGraph::call_at(uint64_t address) const {
  const std::optional<uint64_t> to = code_.call_or_jump(address);
  return to && begins(*to) ? to : std::nullopt;
}

std::optional<uint64_t> CallGraph::function(uint64_t address) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), address);
  return after != starts_.begin() && code_.contains(address) ? std::optional<uint64_t>(*(after - 1))
                                                             : std::nullopt;
}

bool CallGraph::begins(uint64_t address) const {
  return code_.contains(address) && std::binary_search(starts_.begin(), starts_.end(), address);
}

uint64_t CallGraph::end_of(uint64_t function) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), function);
  return after != starts_.end() ? std::min<uint64_t>(*after, code_.end()) : code_.end();
}

CallGraph::Functions CallGraph::callers(uint64_t function) const {
  Functions found;
  for (const uint64_t at : calls_of(function)) {
    const std::optional<uint64_t> from = this->function(at);
    if (from && *from != function) found.insert(*from);
  }
  return found;
}

CallGraph::Functions CallGraph::callees(uint64_t function) const {
  Functions found;
  const uint64_t end = end_of(function);
  for (uint64_t at = function; at < end; ++at) {
    const std::optional<uint64_t> to = call_at(at);
    if (to && *to != function) found.insert(*to);
  }
  return found;
}

std::vector<uint64_t> CallGraph::calls_of(uint64_t function) const {
  std::vector<uint64_t> found;
  auto call = std::lower_bound(calls_.begin(), calls_.end(), function << kAddressBits);
  for (; call != calls_.end() && *call >> kAddressBits == function; ++call)
    found.push_back(*call & std::numeric_limits<uint32_t>::max());
  return found;
}

CallGraph::Functions CallGraph::loaders(uint64_t word) const {
  Functions found;
  for (const auto& [loaded, by] : loaders_) {
    if (loaded == word) found.insert(by);
  }
  return found;
}

}  // namespace walkabout::symbols
