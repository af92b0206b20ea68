// The source "async": all async methods that wait, at a fixed interval of wall-clock time, by their logical
// stacks. The snapshots are the spooler's (agent/core/pending_snapshots.h).
#pragma once

#include "agent/sources/source.h"

namespace walkabout::agent {

class AsyncSource final : public Source {
 public:
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override {}  // the spooler stops
};

}  // namespace walkabout::agent
