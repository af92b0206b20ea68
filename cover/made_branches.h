// Branches, and places, of a method that the compiler made and no source has: those of state machines, of
// cached delegates, of filters and of generated `finally`s. The rules are coverlet's
// (src/coverlet.core/Symbols/CecilSymbolHelper.cs), so that both count the same branches. Pure but for what
// the view remembers; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cover/module_view.h"
#include "il/body.h"
#include "pdb/sequence_points.h"

namespace walkabout::cover {

class MadeBranches {
 public:
  // method: its row. points: of the method. All must outlive this.
  MadeBranches(const ModuleView& view, uint32_t method, const il::Body& body,
               const std::vector<pdb::SequencePoint>& points);
  ~MadeBranches();

  // Indices of the conditional branches that are a person's, rising.
  std::vector<uint32_t> others() const;
  // The instruction is never reached, or stands for a breakpoint alone: neither a line nor an arm's end.
  bool is_not_coverable(uint32_t index) const;

 private:
  class Rules;
  const std::unique_ptr<const Rules> rules_;
};

}  // namespace walkabout::cover
