#include "cli/recordings_of.h"

#include <utility>

#include "profile/names/process_name.h"

namespace walkabout::cli {

std::string RecordingFile::title() const { return profile::process_frame(name, pid); }

base::Result<RecordingFiles> recordings_of(const std::string& file, uint32_t process) {
  RecordingFiles all;
  all.is_index = recording::is_index(file);
  if (!all.is_index) {
    all.files.push_back({file, 0, ""});
    return all;
  }
  base::Result<recording::Index> index = recording::read_index(file);
  if (!index.ok()) return index.status();
  std::string there_are;
  for (const recording::IndexedProcess& p : index->processes) {
    RecordingFile one{recording::path_of(file, *index, p), p.pid, p.name};
    there_are += (there_are.empty() ? "" : ", ") + one.title();
    if (process == 0 || process == p.pid) all.files.push_back(std::move(one));
  }
  if (all.files.empty())
    return base::Status::error(file + " has no process " + std::to_string(process) + ", but " + there_are);
  all.missed = std::move(index->missed);
  return all;
}

}  // namespace walkabout::cli
