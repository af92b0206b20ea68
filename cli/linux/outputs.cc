#include "cli/linux/outputs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error_line.h"
#include "cli/linux/summary.h"
#include "cli/pipe_reader.h"
#include "cli/process_lines.h"
#include "cli/recording_set.h"
#include "cli/terminal.h"
#include "console/numbers.h"
#include "formats/format.h"
#include "formats/output_file.h"
#include "profile/build/load.h"
#include "profile/names/process_name.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kSummaryWidth = 120;  // where there is no terminal

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

// What is recorded, where it is now.
struct Source {
  std::string path;      // the recording, or an index of all
  RecordingFiles files;  // what it names
};

// The files the user asked for. What costs least and matters most comes first: the recording itself; what may
// have to wait for somebody, a pipe's reader, last.
class OutputWriter {
 public:
  OutputWriter(const ProfilingOptions& options, Source source)
      : options_(options), source_(std::move(source)) {}

  void write() {
    std::vector<std::string> paths = options_.outputs;
    const auto order = [](const std::string& path) {
      return std::pair(is_pipe(path), !formats::is_recording(path));
    };
    std::stable_sort(paths.begin(), paths.end(),
                     [&order](const std::string& a, const std::string& b) { return order(a) < order(b); });
    for (const std::string& path : paths) {
      const bool recording = formats::is_recording(path);
      const base::Status s = recording ? keep_recording(path) : convert(path);
      note(s);
      if (s.ok()) written_.insert(path);
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
  bool would_be_lost() const { return failed_ && !safe_ && !source_.files.files.empty(); }

  Written result() {
    if (!options_.quiet) summarize();
    if (would_be_lost()) {
      result_.text += base::error_line(
          (source_.files.files.size() == 1 ? "the recording stays in " : "the recordings stay in ") +
          source_.path + "; `walkabout convert` makes the rest of it");
    }
    if (!options_.quiet && !written_.empty()) {
      result_.text += "wrote";
      for (const std::string& path : options_.outputs)
        if (written_.count(path) != 0) result_.text += " " + path + of_an_index(path);
      result_.text += "\n";
    }
    return std::move(result_);
  }

 private:
  bool is_several() const { return source_.files.files.size() > 1; }

  // Who moves or sends it has to know.
  std::string of_an_index(const std::string& path) const {
    return formats::is_recording(path) && is_several() ? " (an index; the recordings are in " + path + ".d)"
                                                       : "";
  }

  base::Status keep_recording(const std::string& path) {
    const auto copy = [this](const std::string& from, const std::string& to) {
      return copy_file(from, to, go_on_);
    };
    if (is_several()) return write_recording_set(path, source_.files, copy);
    const base::Result<recording::Index> before = index_before(path);
    base::Status s = copy(source_.path, path);
    if (s.ok() && before.ok()) remove_recording_set(path, *before);
    return s;
  }

  // Loaded when it is needed, once.
  const base::Result<profile::Profile>& profile() {
    if (!profile_) profile_ = profile::load(source_.path, {options_.unfold});
    return *profile_;
  }
  // The same with a frame for each source place of a method.
  const base::Result<profile::Profile>& profile_with_lines() {
    if (!with_lines_) with_lines_ = profile::load(source_.path, {.unfold = options_.unfold, .lines = true});
    return *with_lines_;
  }

  base::Status convert(const std::string& path) try {
    const base::Result<profile::Profile>& shown =
        options_.lines && formats::format_of(path)->lines ? profile_with_lines() : profile();
    return shown.ok() ? formats::write_file(*shown, path, go_on_) : shown.status();
  } catch (const std::bad_alloc&) {
    return base::Status::error("there is not enough memory to write " + path);
  }

  void summarize() try {
    note(profile().status());
    if (!profile().ok()) return;
    const size_t width = columns(STDERR_FILENO, kSummaryWidth);
    const profile::Totals totals = profile::sum_up(*profile());
    result_.text += summary_text(*profile(), totals, width);
    if (is_several()) result_.text += process_lines(*profile(), totals, width);
  } catch (const std::bad_alloc&) {
    note(base::Status::error("there is not enough memory for a summary"));
  }

  const ProfilingOptions& options_;
  const Source source_;
  const formats::GoOn go_on_ = until_interrupted();
  std::optional<base::Result<profile::Profile>> profile_, with_lines_;
  Written result_;
  std::set<std::string> written_;
  bool safe_ = false;    // a copy of the recording is where the user wants it
  bool failed_ = false;  // an output could not be made
};

// As other outputs have it: with --redact the program alone.
std::string name_of(const StreamReceiver& receiver, bool redact) {
  const std::string& line = receiver.command_line();
  return profile::process_name(redact ? line.substr(0, line.find(' ')) : line);
}

// Those whose agent sent anything.
RecordingFiles files_of(const ProfilingOptions& o, const StreamReceivers& receivers, Missed missed) {
  RecordingFiles all;
  for (const auto& receiver : receivers) {
    const auto pid = static_cast<uint32_t>(receiver->pid());
    if (fs::exists(receiver->path()))
      all.files.push_back({receiver->path(), pid, name_of(*receiver, o.redact)});
    else if (receivers.size() > 1)
      missed.push_back({pid, "process", "its agent ended before it said anything"});
  }
  all.missed = std::move(missed);
  all.is_index = all.files.size() > 1;
  return all;
}

}  // namespace

std::string missed_text(const Missed& missed) {
  std::string text;
  for (const recording::MissedProcess& m : missed)
    text += base::error_line(profile::process_frame(m.name, m.pid) + " was not recorded: " + m.why);
  return text;
}

Written write_outputs(const ProfilingOptions& o, const StreamReceivers& receivers, Missed missed,
                      SessionDir& session) {
  std::vector<base::Status> troubles;
  for (const auto& receiver : receivers) {
    const std::string who =
        receivers.size() > 1
            ? profile::process_frame(name_of(*receiver, o.redact), static_cast<uint32_t>(receiver->pid())) +
                  ": "
            : "";
    for (const base::Status& s : {receiver->finish(), receiver->trouble()})
      if (!s.ok()) troubles.push_back(base::Status::error(who + s.message()));
  }
  Source source{receivers.front()->path(), files_of(o, receivers, std::move(missed))};
  if (source.files.is_index) {
    source.path = session.path() + "/all.walk";
    troubles.push_back(write_index_here(source.path, source.files));
  } else if (!source.files.files.empty()) {
    source.path = source.files.files[0].path;
  }
  std::string not_in_it;  // an index says it itself
  if (!source.files.is_index) not_in_it = missed_text(source.files.missed);
  OutputWriter writer(o, std::move(source));
  for (const base::Status& s : troubles) writer.note(s);
  writer.write();
  if (writer.would_be_lost()) session.keep();
  Written written = writer.result();
  written.text += not_in_it;
  return written;
}

Written end_files(const ProfilingOptions& o, const StreamReceivers& receivers) {
  Written result;
  for (const auto& receiver : receivers) {
    const base::Status finished = receiver->finish();
    if (!finished.ok()) result.text += base::error_line(finished.message());
    const RotatedFiles& files = *receiver->files();
    if (!o.quiet && files.count() > 0) {
      result.text += fmt::format(
          "walkabout: {} with {} of process {}, the last: {}\n", counted(files.count(), "file"),
          counted(receiver->samples() - receiver->lost(), "sample"), receiver->pid(), files.last());
    }
    if (receiver->unwritten() > 0) {
      result.text += base::error_line(fmt::format(
          "{} of process {} could not be written to the end; samples lost: at least {}",
          counted(receiver->unwritten(), "recording"), receiver->pid(), grouped(receiver->lost())));
    }
    result.all &= finished.ok() && files.count() > 0 && receiver->unwritten() == 0;
  }
  return result;
}

}  // namespace walkabout::cli
