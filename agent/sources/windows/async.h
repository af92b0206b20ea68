// The source "async" is for Linux: here it says so, and has no samples.
#pragma once

#include "agent/sources/source.h"

namespace walkabout::agent {

class AsyncSource final : public Source {
 public:
  wire::Source declaration(uint64_t period_ns) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override {}
};

}  // namespace walkabout::agent
