#include "profile/query/unhandled.h"

#include <string_view>
#include <utility>

#include "profile/names/exception_dispatch.h"
#include "profile/query/named_source.h"
#include "profile/query/tree.h"

namespace walkabout::profile {
namespace {

// Of a thread's throws and handlers so many have their stacks walked, however long walks take: a walk counts
// as 1 ms at most, and they may take 12 ms at once (agent/sources/event_capture.cc).
constexpr uint32_t kSureToBeWalked = 5;

constexpr std::string_view kToString = ".ToString()";

class ThrowingStacks {
 public:
  explicit ThrowingStacks(const Profile& profile) : profile_(profile), writes_(profile.nodes.size()) {
    for (uint32_t node = 1; node < writes_.size(); ++node)
      writes_[node] = writes_[parent(node)] || (is_managed(node) && kind(parent(node)) == Kind::kRuntime &&
                                                name(node).ends_with(kToString));
  }

  // The innermost managed method that is not of the dispatch. 0: none.
  uint32_t thrower(uint32_t node) const {
    while (node != 0 && (!is_managed(node) || is_exception_dispatch(name(node)))) node = parent(node);
    return node;
  }
  bool has(uint32_t node, uint32_t caller) const {
    while (node != 0 && node != caller) node = parent(node);
    return node == caller;
  }
  // From the leaf outward: ToString, the runtime's native code, then the dispatch of what `thrower` threw.
  bool shows_the_end(uint32_t node, uint32_t thrower) const {
    for (; writes_[node] && node != thrower; node = parent(node)) {
      if (is_managed(node) && name(node).ends_with(kToString) && is_called_for(node, thrower)) return true;
    }
    return false;
  }

 private:
  bool is_called_for(uint32_t node, uint32_t thrower) const {
    uint32_t caller = parent(node);
    if (kind(caller) != Kind::kRuntime) return false;
    while (caller != 0 &&
           (is_runtime(kind(caller)) || (is_managed(caller) && is_exception_dispatch(name(caller)))))
      caller = parent(caller);
    return caller == thrower;
  }
  uint32_t parent(uint32_t node) const { return profile_.nodes[node].parent; }
  Kind kind(uint32_t node) const { return node == 0 ? Kind::kOther : frame(node).kind; }
  bool is_managed(uint32_t node) const { return kind(node) == Kind::kManaged; }
  std::string_view name(uint32_t node) const { return frame(node).name; }
  const DisplayFrame& frame(uint32_t node) const { return profile_.frames[profile_.nodes[node].frame]; }

  const Profile& profile_;
  std::vector<bool> writes_;  // by node: it or one below it is a ToString that the runtime called
};

}  // namespace

std::optional<Unhandled> unhandled(const Profile& profile) {
  const NamedSource exceptions(profile, "exceptions");
  if (!exceptions.recorded() || profile.complete || profile.processes != 1 || profile.thinned.span_us != 0)
    return std::nullopt;
  const ThrowingStacks stacks(profile);
  struct Seen {
    const Sample* thrown = nullptr;  // the last throw, until a handler begins
    const Sample* proof = nullptr;   // that nobody handles it
    uint32_t walked = 0;             // throws and handlers
    bool some_not_walked = false;
    bool goes_on = false;  // outside of what threw last

    // Whether it is the last one that was thrown.
    bool is_sure() const { return !some_not_walked && walked <= kSureToBeWalked; }
    bool may_be_the_end() const { return thrown != nullptr && (proof != nullptr || (is_sure() && !goes_on)); }
  };
  std::vector<Seen> threads(profile.threads.size());
  for (const Sample& sample : profile.samples) {
    Seen& thread = threads[sample.thread];
    const bool walked = sample.end != wire::WalkEnd::kNotWalked;
    if (exceptions.has(sample)) {
      thread.walked += walked ? 1 : 0;
      thread.some_not_walked = thread.some_not_walked || !walked;
      if (!walked) continue;
      thread.thrown = exceptions.value(sample, "exceptions") != 0 ? &sample : nullptr;
      thread.proof = nullptr;
      thread.goes_on = false;
    } else if (thread.thrown != nullptr && walked) {
      const uint32_t thrower = stacks.thrower(thread.thrown->node);
      if (stacks.shows_the_end(sample.node, thrower)) thread.proof = &sample;
      if (!thread.goes_on) thread.goes_on = !stacks.has(sample.node, thrower);
    }
  }
  const Seen* last = nullptr;
  for (const Seen& thread : threads) {
    if (!thread.may_be_the_end()) continue;
    const auto rank = [](const Seen& one) {
      return std::pair(one.proof != nullptr, (one.proof != nullptr ? one.proof : one.thrown)->time_us);
    };
    if (last == nullptr || rank(thread) > rank(*last)) last = &thread;
  }
  if (last == nullptr) return std::nullopt;
  Unhandled out;
  out.proved = last->proof != nullptr;
  out.thread = last->thrown->thread;
  std::vector<uint32_t> thrown_at;
  stack_of(profile, stacks.thrower(last->thrown->node), thrown_at);
  for (const uint32_t frame : thrown_at) out.stack.push_back(profile.frames[frame]);
  // Where more was thrown than is sure to be walked the last one may be another than the last that is known.
  out.time_us = last->is_sure() ? last->thrown->time_us : last->proof->time_us;
  if (!last->is_sure()) return out;
  out.type = exceptions.label(*last->thrown, "type");
  out.message = exceptions.label(*last->thrown, "message");
  return out;
}

std::string sentence(const Profile& profile, const Unhandled& last) {
  const Thread& thread = profile.threads[last.thread];
  std::string text = last.proved ? "the process ended by an exception that nobody handled: "
                                 : "when the recording was cut off, no handler of this exception had begun: ";
  text += last.type.empty() ? "(type not known)" : last.type;
  if (!last.message.empty()) text += ": " + last.message;
  text += ", thrown at " + std::to_string(last.time_us / 1000) + " ms by " + thread.name + " (" +
          std::to_string(thread.tid) + ")";
  if (!last.stack.empty()) text += " in " + last.stack.front().name;
  return text;
}

}  // namespace walkabout::profile
