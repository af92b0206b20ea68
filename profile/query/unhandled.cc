#include "profile/query/unhandled.h"

#include <string_view>

#include "profile/query/named_source.h"
#include "profile/query/tree.h"

namespace walkabout::profile {
namespace {

constexpr std::string_view kToString = ".ToString()";
// The managed part of the dispatch, from .NET 9 on.
constexpr std::string_view kDispatch = "System.Runtime.EH.";

class Stacks {
 public:
  explicit Stacks(const Profile& profile) : profile_(profile) {}

  // The innermost managed method that is not of the dispatch. 0: none.
  uint32_t thrower(uint32_t node) const {
    while (node != 0 && (!is_managed(node) || name(node).starts_with(kDispatch))) node = parent(node);
    return node;
  }
  // From the leaf outward: ToString, the runtime's native code, then the dispatch of what `thrower` threw.
  bool shows_the_end(uint32_t node, uint32_t thrower) const {
    for (; node != 0 && node != thrower; node = parent(node)) {
      if (is_managed(node) && name(node).ends_with(kToString) && is_called_for(node, thrower)) return true;
    }
    return false;
  }

 private:
  bool is_called_for(uint32_t node, uint32_t thrower) const {
    uint32_t caller = parent(node);
    if (kind(caller) != Kind::kRuntime) return false;
    while (caller != 0 && (kind(caller) == Kind::kRuntime || kind(caller) == Kind::kStub ||
                           (is_managed(caller) && name(caller).starts_with(kDispatch))))
      caller = parent(caller);
    return caller == thrower;
  }
  uint32_t parent(uint32_t node) const { return profile_.nodes[node].parent; }
  Kind kind(uint32_t node) const { return node == 0 ? Kind::kOther : frame(node).kind; }
  bool is_managed(uint32_t node) const { return kind(node) == Kind::kManaged; }
  std::string_view name(uint32_t node) const { return frame(node).name; }
  const DisplayFrame& frame(uint32_t node) const { return profile_.frames[profile_.nodes[node].frame]; }

  const Profile& profile_;
};

}  // namespace

std::optional<Unhandled> unhandled(const Profile& profile) {
  const NamedSource exceptions(profile, "exceptions");
  if (!exceptions.recorded() || profile.complete || profile.processes != 1) return std::nullopt;
  const Stacks stacks(profile);
  // By thread: its last throw, until a handler begins.
  std::vector<const Sample*> thrown(profile.threads.size());
  const Sample* proved = nullptr;
  for (const Sample& sample : profile.samples) {
    const Sample*& last = thrown[sample.thread];
    if (!exceptions.has(sample)) {
      if (last != nullptr && stacks.shows_the_end(sample.node, stacks.thrower(last->node))) proved = last;
      continue;
    }
    if (sample.end == wire::WalkEnd::kNotWalked) continue;
    last = exceptions.value(sample, "exceptions") != 0 ? &sample : nullptr;
  }
  if (proved == nullptr || thrown[proved->thread] != proved) return std::nullopt;
  Unhandled out;
  out.thread = proved->thread;
  out.time_us = proved->time_us;
  stack_of(profile, stacks.thrower(proved->node), out.stack);
  out.type = exceptions.label(*proved, "type");
  out.message = exceptions.label(*proved, "message");
  return out;
}

}  // namespace walkabout::profile
