// The source lines of the native code that a recording hit, and the functions that were inlined there, as the
// records that complete it: from the DWARF of the images' files, or of their debug files. Reads files of this
// machine (or below `root`), never the target's memory. The DWARF is read in a process of its own
// (symbols/dwarf/apart.h); what cannot be had of it is counted. One thread a call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "symbols/dwarf/debug_info.h"
#include "symbols/dwarf/line_loss.h"
#include "symbols/elf/file_root.h"
#include "symbols/hit_collector.h"
#include "wire/native_line_records.h"

namespace walkabout::symbols {

// What those of one recording may cost, over all its libraries. What was begun is ended.
struct NativeLineBudget {
  static constexpr uint32_t kSeconds = 60;
  static constexpr uint64_t kRecordBytes = 64 << 20;

  uint64_t cpu_us = kSeconds * 1'000'000ull;
  uint64_t record_bytes = kRecordBytes;
};

// Addresses without lines for which there is DWARF, by cause.
class NativeLinesLeftOut {
 public:
  void add(const NativeLosses& losses, const std::string& library);
  uint64_t addresses(NativeLoss why) const { return of(why).addresses; }
  // One for each cause that there is: what is missing, why, and what to do.
  std::vector<std::string> sentences() const;

 private:
  struct Loss {
    uint64_t addresses = 0;
    uint64_t libraries = 0;
    std::string first;  // its file's name
  };
  const Loss& of(NativeLoss why) const { return losses_[static_cast<size_t>(why)]; }

  std::array<Loss, static_cast<size_t>(NativeLoss::kCount)> losses_;
};

// Gives `take` one record for each module that has DWARF, in the order given.
NativeLinesLeftOut native_lines(const std::vector<ModuleHits>& hits, const FileRoot& root,
                                NativeLineBudget budget,
                                const std::function<void(const wire::NativeLines&)>& take);

// Those of one module. None: nothing was found. What was lost is added to left_out.
std::optional<wire::NativeLines> native_lines_of(const ModuleHits& hits, const DebugInfo& info,
                                                 NativeLineBudget& budget, NativeLinesLeftOut& left_out);

}  // namespace walkabout::symbols
