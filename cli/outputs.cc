#include "cli/outputs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <vector>

#include "base/error_line.h"
#include "cli/numbers.h"
#include "cli/pipe_reader.h"
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

bool is_pipe(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
}

// Whole or not at all.
base::Status copy_file(const std::string& from, const std::string& to, const formats::GoOn& go_on) {
  formats::OutputFile file(to, go_on);
  if (base::Status s = file.open(); !s.ok()) return s;
  std::ifstream recording(from, std::ios::binary);
  file.stream() << recording.rdbuf();
  return recording ? file.commit() : base::Status::error("cannot read " + from);
}

// The files of one recording. What costs least and matters most comes first: the recording itself; what may
// have to wait for somebody, a pipe's reader, last.
class OutputWriter {
 public:
  OutputWriter(const ProfilingOptions& options, Intake& intake) : options_(options), intake_(intake) {}

  void write(std::vector<std::string> paths) {
    std::stable_sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
      return std::pair(is_pipe(a), !formats::is_recording(a)) <
             std::pair(is_pipe(b), !formats::is_recording(b));
    });
    for (const std::string& path : paths) {
      const bool recording = formats::is_recording(path);
      const base::Status s = recording ? copy_file(intake_.path(), path, go_on_) : convert(path);
      note(s);
      if (s.ok()) written_ += " " + path;
      safe_ |= s.ok() && recording;
      failed_ |= !s.ok();
    }
  }

  void note(const base::Status& status) {
    if (status.ok()) return;
    result_.all = false;
    const std::string line = base::error_line(status.message());
    if (result_.text.find(line) == std::string::npos) result_.text += line;
  }

  // Some output is missing, and nothing is left that it could be made of.
  bool would_be_lost() const { return failed_ && !safe_ && fs::exists(intake_.path()); }

  Written result() {
    if (!options_.quiet) summarize();
    if (would_be_lost()) {
      result_.text += base::error_line("the recording stays in " + intake_.path() +
                                       "; `walkabout convert` makes the rest of it");
    }
    if (!options_.quiet && !written_.empty()) result_.text += "wrote" + written_ + "\n";
    return std::move(result_);
  }

 private:
  // Loaded when it is needed, once.
  const base::Result<profile::Profile>& profile() {
    if (!profile_) profile_ = profile::load(intake_.path(), {options_.unfold});
    return *profile_;
  }

  base::Status convert(const std::string& path) try {
    return profile().ok() ? formats::write_file(*profile(), path, go_on_) : profile().status();
  } catch (const std::bad_alloc&) {
    return base::Status::error("there is not enough memory to write " + path);
  }

  void summarize() try {
    if (profile().ok()) result_.text += summary_text(*profile(), columns(STDERR_FILENO, kSummaryWidth));
    note(profile().status());
  } catch (const std::bad_alloc&) {
    note(base::Status::error("there is not enough memory for a summary"));
  }

  const ProfilingOptions& options_;
  Intake& intake_;
  const formats::GoOn go_on_ = until_interrupted();
  std::optional<base::Result<profile::Profile>> profile_;
  Written result_;
  std::string written_;
  bool safe_ = false;    // a copy of the recording is where the user wants it
  bool failed_ = false;  // an output could not be made
};

}  // namespace

Written write_outputs(const ProfilingOptions& o, Intake& intake, size_t index, SessionDir& session) {
  OutputWriter writer(o, intake);
  writer.note(intake.finish());
  writer.note(intake.trouble());
  std::vector<std::string> paths;
  for (const std::string& output : o.outputs) paths.push_back(path_for(output, index, intake.pid()));
  writer.write(std::move(paths));
  if (writer.would_be_lost()) session.keep();
  return writer.result();
}

Written end_files(const ProfilingOptions& o, Intake& intake) {
  Written result;
  const base::Status finished = intake.finish();
  if (!finished.ok()) result.text += base::error_line(finished.message());
  const RotatedFiles& files = *intake.files();
  if (!o.quiet && files.count() > 0) {
    result.text +=
        fmt::format("walkabout: {} with {} of process {}, the last: {}\n", counted(files.count(), "file"),
                    counted(intake.samples(), "sample"), intake.pid(), files.last());
  }
  result.all = finished.ok() && files.count() > 0;
  return result;
}

}  // namespace walkabout::cli
