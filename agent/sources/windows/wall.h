// The source "wall": every thread of the program at a fixed interval of wall-clock time, weighted by that
// time, with its state. Its samples are the sampler's (agent/windows/session/sampler.h).
#pragma once

#include "agent/sources/source.h"

namespace walkabout::agent {

class WallSource final : public Source {
 public:
  wire::Source declaration(uint64_t period_ns) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override {}  // the sampler stops
};

}  // namespace walkabout::agent
