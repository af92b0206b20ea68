// Methods without source lines that have, or may have, some: counted by cause, and said. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace walkabout::symbols {

enum class LineLoss : uint8_t {
  kDamaged = 0,     // what the PDB has for it is none
  kTooMany = 1,     // more sequence points than a method may have (pdb/sequence_points.h)
  kRecordFull = 2,  // one assembly's record has no room
  kUsedUp = 3,      // one recording may not cost more (symbols/lines/line_budget.h)
  kCount = 4,
};

class LinesLeftOut {
 public:
  // assembly: its path. REQUIRES: one assembly's come in a row.
  void add(LineLoss why, const std::string& assembly, uint64_t methods = 1);
  uint64_t methods(LineLoss why) const { return of(why).methods; }
  // One for each cause that there is: what is missing, why, and what to do.
  std::vector<std::string> sentences() const;

 private:
  struct Loss {
    uint64_t methods = 0;
    uint64_t assemblies = 0;
    std::string first;  // its file's name
    std::string last;   // its path
  };
  const Loss& of(LineLoss why) const { return losses_[static_cast<size_t>(why)]; }

  std::array<Loss, static_cast<size_t>(LineLoss::kCount)> losses_;
};

}  // namespace walkabout::symbols
