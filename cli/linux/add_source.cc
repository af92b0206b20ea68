#include "cli/linux/add_source.h"

#include <filesystem>
#include <utility>

#include "cli/recordings_of.h"
#include "profile/query/source_text.h"
#include "recording/reader.h"
#include "symbols/lines/source_files.h"

namespace walkabout::cli {

base::Status add_source(const ConvertOptions& options, profile::Profile& profile) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(options.from, error))
    return base::Status::error(options.from +
                               " is no regular file; for --source it is read twice, so save it first");
  const base::Result<RecordingFiles> recordings = recordings_of(options.from, options.process);
  if (!recordings.ok()) return recordings.status();
  symbols::SourceFiles files(options.source_folders);
  for (const RecordingFile& recording : recordings->files) {
    // One that cannot be read is damage, which the profile says.
    recording::read_recording(recording.path, files).ok();
    files.end_recording();
  }
  profile::add_source_text(profile, [&files](const profile::SourceDocument& document) {
    symbols::FoundSource found = files.find(document.path, document.hash_kind, document.hash);
    return profile::FoundText{std::move(found.text), std::move(found.why)};
  });
  return {};
}

}  // namespace walkabout::cli
