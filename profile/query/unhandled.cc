#include "profile/query/unhandled.h"

#include <string_view>

#include "profile/query/named_source.h"
#include "profile/query/tree.h"

namespace walkabout::profile {
namespace {

// Of a thread's throws and handlers so many have their stacks walked, however long walks take: a walk counts
// as 1 ms at most, and they may take 12 ms at once (agent/sources/event_capture.cc).
constexpr uint32_t kSureToBeWalked = 5;

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
  if (!exceptions.recorded() || profile.complete || profile.processes != 1 || profile.thinned.span_us != 0)
    return std::nullopt;
  const Stacks stacks(profile);
  struct Seen {
    const Sample* thrown = nullptr;  // the last throw, until a handler begins
    uint32_t walked = 0;             // throws and handlers
    bool some_not_walked = false;
  };
  std::vector<Seen> threads(profile.threads.size());
  const Sample *proved = nullptr, *proof = nullptr;
  for (const Sample& sample : profile.samples) {
    Seen& thread = threads[sample.thread];
    if (!exceptions.has(sample)) {
      if (thread.thrown != nullptr && stacks.shows_the_end(sample.node, stacks.thrower(thread.thrown->node)))
        proved = thread.thrown, proof = &sample;
      continue;
    }
    const bool walked = sample.end != wire::WalkEnd::kNotWalked;
    thread.walked += walked ? 1 : 0;
    thread.some_not_walked = thread.some_not_walked || !walked;
    if (walked) thread.thrown = exceptions.value(sample, "exceptions") != 0 ? &sample : nullptr;
  }
  if (proved == nullptr || threads[proved->thread].thrown != proved) return std::nullopt;
  Unhandled out;
  out.thread = proved->thread;
  out.time_us = proof->time_us;
  stack_of(profile, stacks.thrower(proved->node), out.stack);
  // Where more was thrown than is sure to be walked the last one may be another than the last that is known.
  const Seen& its = threads[proved->thread];
  if (its.some_not_walked || its.walked > kSureToBeWalked) return out;
  out.time_us = proved->time_us;
  out.type = exceptions.label(*proved, "type");
  out.message = exceptions.label(*proved, "message");
  return out;
}

}  // namespace walkabout::profile
