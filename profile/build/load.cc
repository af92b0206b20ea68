#include "profile/build/load.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "profile/build/merge.h"
#include "profile/build/traces.h"
#include "profile/names/process_name.h"
#include "recording/index.h"
#include "recording/reader.h"

namespace walkabout::profile {
namespace {

// Names first, then as many records as had been there.
base::Result<Profile> load_with_names(const std::string& path, const BuildOptions& options) {
  Names names;
  names.lives = Lives(options.filter.to_us);
  base::Result<recording::ReadSummary> first = recording::read_recording(path, names);
  if (!first.ok()) return first.status();
  TracedBuilder builder(options, std::move(names));
  uint64_t left = first->records;
  const auto count = [&left](const recording::RawRecord&) {
    return --left == 0 ? base::Status::error("enough") : base::Status();
  };
  const base::Result<recording::ReadSummary> second = recording::read_recording(path, builder, count);
  if (left != 0 && !second.ok()) return second.status();
  return builder.build_all(left != 0 ? second->damage : first->damage);
}

base::Result<Profile> load_one(const std::string& path, const BuildOptions& options) {
  TracedBuilder builder(options);
  std::error_code error;
  const bool twice = std::filesystem::is_regular_file(path, error);
  bool again = false;
  const auto look = [&](const recording::RawRecord&) {
    again = twice && builder.wants_names();
    return again ? base::Status::error("read the names first") : base::Status();
  };
  const base::Result<recording::ReadSummary> summary = recording::read_recording(path, builder, look);
  if (again) return load_with_names(path, options);
  if (!summary.ok()) return summary.status();
  return builder.build_all(summary->damage);
}

std::string list_of(const recording::Index& index) {
  std::string out;
  for (const recording::IndexedProcess& p : index.processes)
    out += (out.empty() ? "" : ", ") + std::to_string(p.pid) + " (" + p.name + ")";
  return out;
}

base::Status no_process(const std::string& path, uint32_t process, const std::string& there_are) {
  return base::Status::error(path + " has no process " + std::to_string(process) + ", but " + there_are);
}

std::string sentence(const recording::MissedProcess& missed) {
  return process_frame(missed.name, missed.pid) + " was not recorded: " + missed.why;
}

base::Result<Profile> load_all(const std::string& path, const recording::Index& index, BuildOptions options) {
  const Filter everything;
  if (options.filter.event == "live" && options.filter.to_us != everything.to_us)
    return base::Status::error(
        "objects that exist at a moment are of one process each; add --process with one of " +
        list_of(index));
  if (options.filter.by_events())
    return base::Status::error("events stop or delay one process each; add --process with one of " +
                               list_of(index));
  const bool in_time_order = std::exchange(options.in_time_order, false);
  options.filter = {};  // its times are of the whole set, and processes have frames of their own
  Merger merger;
  bool any = false;
  base::Status first_error;
  for (const recording::IndexedProcess& process : index.processes) {
    base::Result<Profile> part = load_one(recording::path_of(path, index, process), options);
    any |= part.ok();
    if (first_error.ok()) first_error = part.status();
    if (part.ok())
      merger.add(std::move(*part), process.name);
    else
      merger.add_damage(process_frame(process.name, process.pid) + ": " + part.message());
  }
  if (!any) return first_error;
  Profile all = merger.take(in_time_order);
  for (const recording::MissedProcess& missed : index.missed)
    all.messages.push_back({all.duration_us, wire::Severity::kWarning, sentence(missed)});
  return all;
}

}  // namespace

base::Result<Profile> load(const std::string& path, BuildOptions options, uint32_t process) {
  if (!recording::is_index(path)) {
    base::Result<Profile> one = load_one(path, options);
    if (one.ok() && process != 0 && one->session.pid != process)
      return no_process(path, process, std::to_string(one->session.pid));
    return one;
  }
  const base::Result<recording::Index> index = recording::read_index(path);
  if (!index.ok()) return index.status();
  if (process == 0) return load_all(path, *index, std::move(options));
  const auto wanted = std::find_if(index->processes.begin(), index->processes.end(),
                                   [process](const auto& p) { return p.pid == process; });
  if (wanted == index->processes.end()) return no_process(path, process, list_of(*index));
  return load_one(recording::path_of(path, *index, *wanted), options);
}

}  // namespace walkabout::profile
