#include "profile/build/stack_map.h"

#include <array>
#include <string>
#include <string_view>

#include "recording/words.h"

namespace walkabout::profile {
namespace {

uint64_t key_of(uint32_t stack, wire::WalkEnd end) { return static_cast<uint64_t>(end) << 32 | stack; }

// Of each stack's leaf. Where managed code returns to was called from once it is seen with a managed callee.
std::vector<Role> roles_of(const RawStacks& stacks) {
  std::vector<Role> roles(stacks.frame.size(), Role::kLeaf);
  for (size_t i = 1; i < roles.size(); ++i) {
    const uint32_t caller = stacks.parent[i];
    if (stacks.frame[i].managed() || !stacks.frame[caller].managed())
      roles[caller] = Role::kCaller;
    else if (roles[caller] == Role::kLeaf)
      roles[caller] = Role::kCallerOfNative;
  }
  return roles;
}

std::string cut_off_text(wire::WalkEnd end) {
  std::string words = recording::to_string(end);
  for (char& c : words) c = c == '_' ? ' ' : c;
  return "[cut off: " + words + "]";
}

}  // namespace

StackMap::StackMap(const RawStacks& stacks, FrameNamer& namer, Tree& tree)
    : stacks_(stacks), namer_(namer), tree_(tree) {
  logical_.resize(stacks.logical.size());
  const size_t count = stacks.frame.size();
  const std::vector<Role> roles = roles_of(stacks);
  std::array<std::unordered_map<uint64_t, Range>, kRoles> known;
  named_.resize(count);
  nodes_.resize(count);
  traits_.resize(count);
  for (size_t i = 1; i < count; ++i) {
    const auto [it, added] = known[static_cast<size_t>(roles[i])].try_emplace(stacks.frame[i].bits);
    if (added) it->second = frames_of(stacks.frame[i], roles[i]);
    const uint32_t parent = stacks.parent[i];
    named_[i] = it->second;
    nodes_[i] = extend(nodes_[parent], it->second);
    traits_[i] = traits_[parent];
    for (uint32_t at = it->second.begin; at < it->second.end; ++at) traits_[i] |= frames_[at].traits;
  }
}

StackMap::Range StackMap::frames_of(wire::Frame frame, Role role) {
  const auto begin = static_cast<uint32_t>(frames_.size());
  const std::span<const NamedFrame> named = namer_.frames_of(frame, role);
  frames_.insert(frames_.end(), named.begin(), named.end());
  return {begin, static_cast<uint32_t>(frames_.size())};
}

uint32_t StackMap::extend(uint32_t parent, Range frames) {
  for (uint32_t at = frames.begin; at < frames.end; ++at) {
    const NamedFrame& frame = frames_[at];
    const bool folds = frame.foldable && parent != 0 && tree_.nodes()[parent].frame == frame.frame;
    if (!folds) parent = tree_.child(parent, frame.frame);
  }
  return parent;
}

// What starts an async method stands between it and its caller: a builder's Start.
bool StackMap::is_plumbing(Range frames) const {
  constexpr std::string_view kServices = "System.Runtime.CompilerServices.";
  if (frames.end - frames.begin != 1) return false;
  const std::string_view name = namer_.frames()[frames_[frames.begin].frame].name;
  const size_t builder = name.find("MethodBuilder");
  if (!name.starts_with(kServices) || builder == std::string_view::npos) return false;
  return name.find(".Start<", builder) != std::string_view::npos ||
         name.find(".Start(", builder) != std::string_view::npos ||
         name.find(".MoveNext<", builder) != std::string_view::npos;
}

uint32_t StackMap::logical_node(uint32_t number) {
  if (logical_[number] != 0) return logical_[number];
  const RawStacks::Logical& stack = stacks_.logical[number];
  std::vector<uint32_t> callees;
  for (uint32_t i = stack.stack; i != 0 && callees.size() < stack.joint; i = stacks_.parent[i])
    callees.push_back(i);
  uint32_t node = nodes_[stack.awaiter];
  for (; !callees.empty(); callees.pop_back()) {
    const bool is_leaf = callees.size() == 1;
    if (is_leaf || !is_plumbing(named_[callees.back()])) node = extend(node, named_[callees.back()]);
  }
  return logical_[number] = node;
}

uint32_t StackMap::node(uint32_t stack, wire::WalkEnd end) {
  if (is_logical(stack)) return logical_node(stack & ~RawStacks::kLogical);
  if (end != wire::WalkEnd::kRooted && end != wire::WalkEnd::kGap && end != wire::WalkEnd::kNotWalked)
    return cut_off_node(stack, end);
  return stack != 0 ? nodes_[stack] : tree_.child(0, namer_.marker("[no frames]"));
}

uint32_t StackMap::cut_off_node(uint32_t stack, wire::WalkEnd end) {
  std::vector<uint32_t> missing;
  uint32_t at = stack;
  while (at != 0 && cut_off_.find(key_of(at, end)) == cut_off_.end()) {
    missing.push_back(at);
    at = stacks_.parent[at];
  }
  uint32_t node = at != 0 ? cut_off_[key_of(at, end)] : tree_.child(0, namer_.marker(cut_off_text(end)));
  for (; !missing.empty(); missing.pop_back()) {
    node = extend(node, named_[missing.back()]);
    cut_off_[key_of(missing.back(), end)] = node;
  }
  return node;
}

}  // namespace walkabout::profile
