#include "profile/query/by_line.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "profile/query/rows.h"

namespace walkabout::profile {
namespace {

// Files of one path may be of several assemblies, and without their folders of one.
using PlaceKey = std::tuple<std::string, std::string, std::string, std::vector<uint32_t>, bool>;

void add_by_frame(const std::vector<Amount>& from, const std::vector<uint32_t>& moved,
                  std::vector<Amount>& to) {
  for (size_t i = 0; i < from.size(); ++i) to[moved[i]] += from[i];
}

// totals: of this profile.
LineCover line_cover(const Profile& profile, const Totals& totals) {
  LineCover cover;
  for (size_t i = 0; i < profile.frames.size(); ++i) {
    const DisplayFrame& frame = profile.frames[i];
    const Amount& self = totals.frame_self[i];
    if (frame.kind == Kind::kNative || frame.kind == Kind::kRuntime) {
      add(self, totals.adding, cover.native);
      if (frame.place.sure) add(self, totals.adding, cover.native_sure);
    }
    if (frame.kind != Kind::kManaged) continue;
    add(self, totals.adding, cover.managed);
    if (frame.place.sure) add(self, totals.adding, cover.sure);
    if (frame.place.known() && !frame.place.sure) add(self, totals.adding, cover.unsure);
  }
  return cover;
}

}  // namespace

Profile by_line(Profile profile) {
  std::map<PlaceKey, uint32_t> known;
  std::vector<DisplayFrame> frames;
  std::vector<uint32_t> moved;
  for (DisplayFrame& frame : profile.frames) {
    const auto fresh = static_cast<uint32_t>(frames.size());
    const SourcePlace& place = frame.place;
    const uint32_t at =
        place.known()
            ? known.try_emplace({frame.module, place.file, place.hash, place.lines, place.sure}, fresh)
                  .first->second
            : fresh;
    moved.push_back(at);
    if (at == fresh)
      frames.push_back(std::move(frame));
    else
      frames[at].tiers |= frame.tiers;
  }
  profile.frames = std::move(frames);
  for (Node& node : profile.nodes) {
    if (node.frame < moved.size()) node.frame = moved[node.frame];
  }
  Thinned& thinned = profile.thinned;
  if (thinned.stacks) {
    const std::vector<Amount> self = std::exchange(thinned.self, std::vector<Amount>(profile.frames.size()));
    const std::vector<Amount> total =
        std::exchange(thinned.total, std::vector<Amount>(profile.frames.size()));
    add_by_frame(self, moved, thinned.self);
    add_by_frame(total, moved, thinned.total);
    thinned.rest = moved[thinned.rest];
  }
  return profile;
}

LineCover line_cover(const Profile& whole, const Profile& shown, const Totals& totals) {
  return &whole == &shown ? line_cover(whole, totals) : line_cover(whole, sum_up(whole));
}

}  // namespace walkabout::profile
