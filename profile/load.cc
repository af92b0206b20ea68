#include "profile/load.h"

#include "recording/reader.h"

namespace walkabout::profile {

base::Result<Profile> load(const std::string& path, BuildOptions options) {
  Builder builder(options);
  const base::Result<recording::ReadSummary> summary = recording::read_recording(path, builder);
  if (!summary.ok()) return summary.status();
  return builder.build(summary->damage);
}

}  // namespace walkabout::profile
