// Which native code a recording hit: the modules and, per module, the offsets that need a name. Feed it every
// record (recording::RecordVisitor), then ask for the hits. One thread.
//
// A caller's offset is a return address and names the call before it, so offset - 1 is asked for; the same
// frame may be a leaf elsewhere, then both are. 9 bytes a node of one tree of stacks, 4 an offset.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "recording/visitor.h"
#include "wire/records.h"

namespace walkabout::symbols {

struct ModuleHits {
  wire::Module module;
  std::vector<uint32_t> offsets;  // to look up: sorted, without doubles
};

class HitCollector : public recording::RecordVisitor {
 public:
  void on_module(const wire::Module& record) override;
  void on_nodes(const wire::Nodes& record, uint32_t first_id) override;
  void on_samples(const wire::Samples& record) override;
  void on_caller_counts(const wire::CallerCounts& record) override;

  // Modules with native code that was hit, in order of their CodeId.
  std::vector<ModuleHits> hits() const;

 private:
  enum Use : uint8_t { kLeaf = 1, kCaller = 2 };
  using Offsets = std::map<base::CodeId, std::vector<uint32_t>>;  // sorted, without doubles
  void use(uint32_t node, Use use);
  void add_hits(Offsets& to) const;

  std::map<base::CodeId, wire::Module> modules_;
  // Of the tree of stacks under way.
  std::vector<wire::Frame> frames_;  // by node id
  std::vector<uint8_t> uses_;        // Use bits by node id
  Offsets earlier_;                  // of the trees before it
  std::set<wire::Frame> callers_;    // of counted methods
};

}  // namespace walkabout::symbols
