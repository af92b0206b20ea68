#include "formats/html_tree.h"

#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace walkabout::formats {
namespace {

using profile::Profile;

// Frames in order of first use.
class FrameMerger {
 public:
  explicit FrameMerger(const Profile& profile) : profile_(profile), merged_(profile.frames.size(), kNew) {}

  uint32_t merge(uint32_t frame) {
    if (merged_[frame] == kNew) merged_[frame] = place(profile_.frames[frame]);
    return merged_[frame];
  }
  std::vector<HtmlFrame> take() { return std::move(frames_); }

 private:
  using Key = std::tuple<std::string_view, std::string_view, profile::Kind>;
  static constexpr uint32_t kNew = UINT32_MAX;

  uint32_t place(const profile::DisplayFrame& frame) {
    const auto [it, added] = known_.emplace(Key(frame.name, frame.module, frame.kind), frames_.size());
    if (added) {
      const bool same = frame.raw_name == frame.name;
      HtmlFrame made{frame.name, same ? std::string_view() : frame.raw_name, frame.module, frame.kind};
      made.own = frame.own;
      made.origin = frame.origin;
      made.inlined = frame.inlined;
      made.run = profile::run_name(frame, false);
      made.run_at_root = profile::run_name(frame, true);
      frames_.push_back(made);
      raw_names_.push_back({frame.raw_name});
    } else if (raw_names_[it->second].insert(frame.raw_name).second) {
      ++frames_[it->second].more_raw_names;
    }
    frames_[it->second].tiers |= frame.tiers;
    return it->second;
  }

  struct Hash {
    size_t operator()(const Key& key) const {
      const std::hash<std::string_view> hash;
      return hash(std::get<0>(key)) * 31 + hash(std::get<1>(key)) * 7 + static_cast<size_t>(std::get<2>(key));
    }
  };

  const Profile& profile_;
  std::vector<uint32_t> merged_;
  std::vector<HtmlFrame> frames_;
  std::vector<std::set<std::string_view>> raw_names_;
  std::unordered_map<Key, uint32_t, Hash> known_;
};

// Places in order of first use.
class PlaceMerger {
 public:
  // 1 + its index in `to`; 0: none is known.
  uint32_t merge(const profile::SourcePlace& place, std::vector<const profile::SourcePlace*>& to) {
    if (!place.known()) return 0;
    const auto [it, added] = known_.emplace(Key(place.file, place.lines, place.sure, place.first, place.last),
                                            static_cast<uint32_t>(to.size() + 1));
    if (added) to.push_back(&place);
    return it->second;
  }

 private:
  using Key = std::tuple<std::string_view, std::vector<uint32_t>, bool, uint32_t, uint32_t>;
  std::map<Key, uint32_t> known_;
};

std::vector<bool> nodes_with_samples(const Profile& profile) {
  std::vector<bool> used(profile.nodes.size());
  for (const profile::Sample& sample : profile.samples) used[sample.node] = true;
  for (size_t i = used.size(); i-- > 1;) {
    if (used[i]) used[profile.nodes[i].parent] = true;
  }
  return used;
}

}  // namespace

HtmlTree html_tree(const Profile& profile) {
  const std::vector<bool> used = nodes_with_samples(profile);
  FrameMerger frames(profile);
  PlaceMerger places;
  HtmlTree tree;
  std::vector<uint32_t> place_of_frame;
  for (const profile::DisplayFrame& frame : profile.frames)
    place_of_frame.push_back(places.merge(frame.place, tree.places));
  tree.place_of.push_back(0);
  tree.nodes.push_back({});
  tree.node_of.resize(profile.nodes.size());
  std::unordered_map<uint64_t, uint32_t> looks;  // (frame, place) → a number of theirs
  std::unordered_map<uint64_t, uint32_t> known;  // (parent, that number) → node
  for (size_t i = 1; i < profile.nodes.size(); ++i) {
    if (!used[i]) continue;
    const uint32_t parent = tree.node_of[profile.nodes[i].parent];
    const uint32_t frame = frames.merge(profile.nodes[i].frame);
    const uint32_t place = place_of_frame[profile.nodes[i].frame];
    const auto look = looks.emplace(uint64_t{frame} << 32 | place, looks.size()).first->second;
    const auto [it, added] = known.emplace(uint64_t{parent} << 32 | look, tree.nodes.size());
    if (added) {
      tree.nodes.push_back({parent, frame});
      tree.place_of.push_back(place);
    }
    tree.node_of[i] = it->second;
  }
  tree.frames = frames.take();
  if (tree.places.empty()) tree.place_of.clear();
  return tree;
}

}  // namespace walkabout::formats
