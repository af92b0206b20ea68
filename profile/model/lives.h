// Which of the followed objects existed at a moment, and what they had survived by then: from the Sweeps of a
// recording. Add them all, in their order, then ask. One thread while filling; any number afterwards.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "wire/records.h"

namespace walkabout::profile {

// Collections that began behind the first sweep that knew the object, and have ended: it may have survived
// more.
enum class Survived : uint8_t { kNothing = 0, kCollection = 1, kFullCollection = 2 };
const char* to_string(Survived survived);  // "no collection yet"

class Lives {
 public:
  // at_us: the moment.
  explicit Lives(uint64_t at_us = std::numeric_limits<uint64_t>::max()) : at_us_(at_us) {}
  void add(const wire::Sweep& sweep);

  bool is_gone(uint64_t object) const { return object < gone_.size() && gone_[object]; }
  // How often what it stands for doubled since.
  uint32_t halvings(uint64_t allocated_us) const;
  Survived survived(uint64_t allocated_us) const;

 private:
  struct Look {
    uint64_t time_us = 0;
    uint32_t halvings_before = 0;  // of earlier ones
    uint64_t begun = 0, ended = 0, full_begun = 0, full_ended = 0;
  };
  // The first behind that time. Null: there was none.
  const Look* first_after(uint64_t time_us) const;

  uint64_t at_us_;
  std::vector<bool> gone_;  // by number
  std::vector<Look> looks_;
  uint32_t halvings_ = 0;
};

}  // namespace walkabout::profile
