#include "profile/query/managed_code.h"

namespace walkabout::profile {
namespace {

// Of the nearest frame that is managed. A gap may lie below it.
Origin origin_of(const Profile& profile, uint32_t node) {
  while (node != 0 && profile.frames[profile.nodes[node].frame].kind != Kind::kManaged)
    node = profile.nodes[node].parent;
  return node == 0 ? Origin::kMarker : profile.frames[profile.nodes[node].frame].origin;
}

}  // namespace

ManagedCode managed_code(const Profile& profile, View view, const std::vector<Row>& rows) {
  const wire::Adding adding = adding_of(profile, view);
  ManagedCode code;
  for (const Row& row : rows) {
    if (row.activity != Activity::kManaged) continue;
    const Origin origin = origin_of(profile, row.node);
    if (origin == Origin::kMine) add(row.sum, adding, code.mine);
    if (origin == Origin::kFramework || origin == Origin::kAsync) add(row.sum, adding, code.framework);
  }
  return code;
}

}  // namespace walkabout::profile
