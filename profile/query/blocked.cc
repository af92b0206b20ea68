#include "profile/query/blocked.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "profile/query/rows.h"
#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

using namespace std::string_view_literals;

bool begins_with(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// Stands between the method that waits and the system, or between a wait and who asked for it: the methods
// that call native code, and those that the compiler calls for `await` and `lock`.
bool is_between(std::string_view name) {
  return begins_with(name, "Interop"sv) || begins_with(name, "["sv) ||
         begins_with(name, "(dynamicClass)"sv) || begins_with(name, "Microsoft.Win32."sv) ||
         begins_with(name, "System.Runtime."sv) || name.find("IL_STUB"sv) != std::string_view::npos;
}

// "System.Threading" of "System.Threading.Monitor.Wait(object)", "System.Net" of
// "System.Net.Sockets.Socket.…". Empty: not of the framework.
std::string_view part_of_framework(std::string_view name) {
  if (!begins_with(name, "System."sv)) return {};
  return name.substr(0, name.find('.', 7));
}

// The waits of a profile by the node that is their leaf.
class WaitFinder {
 public:
  explicit WaitFinder(const Profile& profile) : profile_(profile) {}

  WaitNodes wait_of(uint32_t node) const {
    uint32_t at = next_managed(node);
    if (at == 0) return {};
    const uint32_t leaf = at;
    while (at != 0 && is_between(name(at))) at = next_managed(parent(at));
    if (at == 0) return {leaf, 0};
    // The method of a library that was asked to wait is the outermost one of it: what is below is how the
    // library does that.
    uint32_t waits = at;
    const std::string_view part = part_of_framework(name(at));
    uint32_t caller = next_managed(parent(at));
    for (; !part.empty() && caller != 0; caller = next_managed(parent(caller))) {
      if (part_of_framework(name(caller)) == part)
        waits = caller;
      else if (!is_between(name(caller)))
        break;
    }
    // A thread of the runtime's own waits at its outermost method: the innermost says what for.
    if (caller == 0) return {at, 0};
    return {waits, caller};
  }
  uint32_t frame(uint32_t node) const { return node == 0 ? kNoFrame : profile_.nodes[node].frame; }

 private:
  uint32_t parent(uint32_t node) const { return profile_.nodes[node].parent; }
  std::string_view name(uint32_t node) const { return profile_.frames[frame(node)].name; }
  // It or the nearest caller that is managed code. 0: none.
  uint32_t next_managed(uint32_t node) const {
    while (node != 0 && profile_.frames[frame(node)].kind != Kind::kManaged) node = parent(node);
    return node;
  }

  const Profile& profile_;
};

template <typename Entry>
void heaviest_first(std::vector<Entry>& entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.amount.weight > b.amount.weight; });
}

}  // namespace

WaitNodes wait_of(const Profile& profile, uint32_t node) { return WaitFinder(profile).wait_of(node); }

std::optional<size_t> find_label(const wire::Source& source, wire::LabelType type) {
  for (size_t i = 0; i < source.labels.size(); ++i) {
    if (source.labels[i].type == static_cast<uint32_t>(type)) return i;
  }
  return std::nullopt;
}

uint64_t label_of(const Profile& profile, uint32_t label_set, std::optional<size_t> label) {
  const std::vector<uint64_t>& set = profile.label_sets[label_set];
  return label && *label < set.size() ? set[*label] : 0;
}

std::optional<Blocked> blocked(const Profile& profile, View view) {
  const std::optional<size_t> state_label =
      find_label(source_of(profile, view), wire::LabelType::kThreadState);
  if (!state_label) return std::nullopt;
  const std::optional<size_t> call_label = find_label(source_of(profile, view), wire::LabelType::kSystemCall);
  const wire::Adding adding = adding_of(profile, view);
  const WaitFinder finder(profile);
  Blocked out;
  std::map<uint64_t, Amount> calls;
  std::map<std::pair<uint32_t, uint32_t>, Amount> waits;
  for (const Row& row : rows(profile, {.labels = true}, view)) {
    const uint64_t state = label_of(profile, row.labels, state_label);
    add(row.sum, adding, out.states[state < out.states.size() ? state : 0]);
    if (state != static_cast<uint64_t>(wire::ThreadState::kBlocked)) continue;
    if (call_label) add(row.sum, adding, calls[label_of(profile, row.labels, call_label)]);
    const WaitNodes wait = finder.wait_of(row.node);
    add(row.sum, adding, waits[{finder.frame(wait.method), finder.frame(wait.caller)}]);
  }
  for (const auto& [call, amount] : calls) out.calls.push_back({call, amount});
  for (const auto& [wait, amount] : waits) out.waits.push_back({wait.first, wait.second, amount});
  heaviest_first(out.calls);
  heaviest_first(out.waits);
  return out;
}

}  // namespace walkabout::profile
