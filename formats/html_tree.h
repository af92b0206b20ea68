// The tree of the HTML report: frames that look the same are one (name, module, kind), siblings of the same
// frame at the same source place are one node, nodes without samples are left out. Views into the profile: it
// must outlive this.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"
#include "profile/query/folding.h"

namespace walkabout::formats {

struct HtmlFrame {
  std::string_view name;
  std::string_view raw_name;  // of the first one; empty if it is the same as name
  std::string_view module;
  profile::Kind kind = profile::Kind::kOther;
  uint32_t own = 0;  // profile::DisplayFrame::own
  profile::Origin origin = profile::Origin::kMine;
  profile::RunName run, run_at_root;
  bool inlined = false;
  uint16_t tiers = 0;           // profile::DisplayFrame::tiers
  uint32_t more_raw_names = 0;  // different raw names this frame also stands for
};

struct HtmlTree {
  std::vector<HtmlFrame> frames;
  std::vector<profile::Node> nodes;  // 0 is the root; parents come before children
  // Where lines are known (profile::BuildOptions::lines); of others both are empty.
  std::vector<const profile::SourcePlace*> places;
  std::vector<uint32_t> place_of;  // by node: 1 + index into places; 0: none is known
  std::vector<uint32_t> node_of;   // node of the profile → node here; 0 for those left out
};

// REQUIRES: indices of the profile in range, its parents before their children.
HtmlTree html_tree(const profile::Profile& profile);

}  // namespace walkabout::formats
