// The values and labels of the source "gc" (gc.h), as it declares them.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "agent/core/text_table.h"
#include "agent/sources/texts.h"
#include "clr/abi/enums.h"

namespace walkabout::agent {

struct GcEvent {
  // The first values add up, of the others, which are sizes, the largest counts.
  static constexpr size_t kTimes = 4, kValues = 10, kLabels = 4;
  static constexpr uint32_t kSizes = ((1u << kValues) - 1) ^ ((1u << kTimes) - 1);
  std::array<uint64_t, kValues> values{};
  std::array<uint64_t, kLabels> labels{};

  // Of the thread that came last in a suspension for this reason, and was waited for so long. What the pause
  // was for its own sample says.
  static GcEvent late(TextTable& texts, uint64_t reason, uint64_t waited_ns, pid_t tid) {
    GcEvent event;
    event.values[3] = waited_ns;
    const bool collects = reason == clr::COR_PRF_SUSPEND_FOR_GC || reason == clr::COR_PRF_SUSPEND_FOR_GC_PREP;
    if (collects) event.labels[1] = label(texts, u"collection");
    event.labels[3] = static_cast<uint64_t>(tid);
    return event;
  }
};

}  // namespace walkabout::agent
