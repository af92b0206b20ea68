#include "cli/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/numbers.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "formats/format.h"
#include "formats/output_file.h"
#include "profile/load.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kSummaryWidth = 120;  // where there is no terminal

// "out.html" of the second process is "out-1234.html".
std::string path_for(const std::string& output, size_t index, pid_t pid) {
  if (index == 0) return output;
  const fs::path path(output);
  std::string name = path.filename().string();
  const size_t dot = name.find('.', 1);
  name.insert(dot == std::string::npos ? name.size() : dot, "-" + std::to_string(pid));
  return (path.parent_path() / name).string();
}

// Whole or not at all: what was recorded stays in `from`, which the session takes away when all is well.
base::Status keep_recording(const std::string& from, const std::string& to) {
  formats::OutputFile file(to);
  base::Status status = file.open();
  if (status.ok()) {
    std::ifstream recording(from, std::ios::binary);
    file.stream() << recording.rdbuf();
    status = recording ? file.commit() : base::Status::error("cannot read " + from);
  }
  return status.ok() ? status : base::Status::error(status.message() + "; the recording stays in " + from);
}

}  // namespace

bool write_outputs(const ProfilingOptions& o, Intake& intake, size_t index, SessionDir& session) {
  bool all_written = true;
  auto note = [&](const base::Status& s) {
    if (s.ok()) return;
    fmt::print(stderr, "walkabout: {}\n", s.message());
    all_written = false;
  };
  note(intake.finish());
  if (!intake.trouble().ok()) note(intake.trouble());
  base::Result<profile::Profile> profile = profile::load(intake.path(), {o.unfold});
  if (!profile.ok()) {
    note(profile.status());
    return false;
  }
  if (!o.quiet) print_summary(*profile, columns(STDERR_FILENO, kSummaryWidth), stderr);
  std::string written;
  bool lost = false;  // an output that could be made again
  bool safe = false;  // from a recording that is somewhere
  for (const std::string& output : o.outputs) {
    const std::string path = path_for(output, index, intake.pid());
    base::Status s = formats::is_recording(path) ? base::Status() : formats::write_file(*profile, path);
    note(s);
    lost |= !s.ok();
    if (s.ok() && !formats::is_recording(path)) written += " " + path;
  }
  for (const std::string& output : o.outputs) {
    const std::string path = path_for(output, index, intake.pid());
    if (!formats::is_recording(path)) continue;
    base::Status s = keep_recording(intake.path(), path);
    note(s);
    if (!s.ok()) session.keep();
    if (s.ok()) written += " " + path;
    safe = true;
  }
  if (lost && !safe) {
    session.keep();
    fmt::print(stderr, "walkabout: the recording stays in {}; `walkabout convert` makes the rest of it\n",
               intake.path());
  }
  if (!o.quiet && !written.empty()) fmt::print(stderr, "wrote{}\n", written);
  return all_written;
}

bool end_files(const ProfilingOptions& o, Intake& intake) {
  const base::Status finished = intake.finish();
  if (!finished.ok()) fmt::print(stderr, "walkabout: {}\n", finished.message());
  const RotatedFiles& files = *intake.files();
  if (!o.quiet && files.count() > 0) {
    fmt::print(stderr, "walkabout: {} with {} of process {}, the last: {}\n", counted(files.count(), "file"),
               counted(intake.samples(), "sample"), intake.pid(), files.last());
  }
  return finished.ok() && files.count() > 0;
}

}  // namespace walkabout::cli
