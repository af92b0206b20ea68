#include "cli/convert.h"

#include <fstream>
#include <memory>
#include <utility>

#include "cli/copy_recording.h"
#include "cli/pipe_reader.h"
#include "cli/recording_set.h"
#include "console/exit_codes.h"
#include "formats/collapsed.h"
#include "formats/format.h"
#include "formats/html.h"
#include "formats/output_file.h"
#include "launch/session_dir.h"
#include "profile/build/load.h"
#include "profile/query/view.h"

namespace walkabout::cli {
namespace {

base::Status write_with_threads(const profile::Profile& profile, const std::string& path) {
  formats::OutputFile file(path, until_interrupted());
  if (base::Status status = file.open(); !status.ok()) return status;
  const base::Status written = formats::write_collapsed_with(profile, {.threads = true}, file.stream());
  return written.ok() ? file.commit() : written;
}

// Of an index all that it names, as an index; of one process its recording.
base::Result<std::string> copy_recordings(const ConvertOptions& options) {
  base::Result<RecordingFiles> files = recordings_of(options.from, options.process);
  if (!files.ok()) return files.status();
  if (!files->is_index || options.process != 0)
    return copy_recording(files->files[0].path, options.to, {.redact = options.redact});
  // What the command line had behind the program is left out there, too.
  for (RecordingFile& file : files->files) {
    if (options.redact) file.name = file.name.substr(0, file.name.find(' '));
  }
  std::string all_damage;
  const base::Status written =
      write_recording_set(options.to, *files, [&](const std::string& from, const std::string& to) {
        const base::Result<std::string> damage = copy_recording(from, to, {.redact = options.redact});
        if (damage.ok() && !damage->empty())
          all_damage += (all_damage.empty() ? "" : "; ") + from + ": " + *damage;
        return damage.status();
      });
  if (!written.ok()) return written;
  return all_damage;
}

// A page has all frames and folds them itself; the options say what it begins with. The other kinds of files
// are read by programs: they have all frames unless the options fold them.
void fold(const ConvertOptions& options, profile::Profile& profile) {
  const auto say = [](const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) fail(kSuccess, sentence);
  };
  say(unknown_names(options.folding, profile));
  profile::apply(options.folding.rules, profile.frames);
  say(nothing_mine(options.folding, profile));
  if (formats::format_of(options.to)->write == formats::write_html)
    profile.page_folding = options.folding.folding(profile.page_folding);
  else
    profile = profile::folded(std::move(profile), options.folding.folding());
}

// The damage that was left behind.
base::Result<std::string> write(const ConvertOptions& options, const AddSource& add_source) {
  if (formats::is_recording(options.to)) return copy_recordings(options);
  base::Result<profile::Profile> profile = profile::load(options.from,
                                                         {.unfold = options.unfold,
                                                          .async = options.async,
                                                          .lines = options.lines,
                                                          .inlined = !options.no_inlined},
                                                         options.process);
  if (!profile.ok()) return profile.status();
  if (formats::format_of(options.to)->one_event) {
    const base::Result<profile::View> view = profile::find_view(*profile, options.event, options.value);
    if (!view.ok()) return view.status();
    *profile = profile::viewed(std::move(*profile), *view);
  }
  if (options.source) {
    if (const base::Status status = add_source(options, *profile); !status.ok()) return status;
  }
  fold(options, *profile);
  const base::Status status = options.threads
                                  ? write_with_threads(*profile, options.to)
                                  : formats::write_file(*profile, options.to, until_interrupted());
  if (!status.ok()) return status;
  return profile->damage;
}

std::string list_of_formats() {
  std::string out = "Kinds of OUT, by suffix:\n";
  for (const formats::Format& format : formats::all_formats()) {
    out += "  " + std::string(format.suffix) + std::string(18 - std::string(format.suffix).size(), ' ') +
           format.description + "\n";
  }
  return out;
}

// Every kind of file is made of a recording: of one that has nothing to hide.
base::Result<std::string> write_redacted(const ConvertOptions& options, const AddSource& add_source) {
  const base::Result<SessionDir> session = SessionDir::create();
  if (!session.ok()) return session.status();
  ConvertOptions from_redacted = options;
  from_redacted.from = session->path() + "/redacted.walk";
  ConvertOptions redacting = options;
  redacting.to = from_redacted.from;
  base::Result<std::string> damage = copy_recordings(redacting);
  if (!damage.ok()) return damage;
  base::Result<std::string> written = write(from_redacted, add_source);
  return written.ok() ? damage : written;
}

}  // namespace

int convert(const ConvertOptions& options, const AddSource& add_source) {
  if (base::Status status = formats::check_suffix(options.to); !status.ok())
    return fail(kUsage, status.message());
  if (options.threads && formats::format_of(options.to)->write != formats::write_collapsed) {
    return fail(kUsage, "--threads is for .collapsed; the other kinds tell threads apart anyway");
  }
  if (!(options.event + options.value).empty() && !formats::format_of(options.to)->one_event)
    return fail(kUsage, "--event and --value are for kinds that hold one event; this one has all of them");
  if (base::Status valid = options.folding.check(); !valid.ok()) return fail(kUsage, valid.message());
  if (options.folding.given() && formats::is_recording(options.to))
    return fail(
        kUsage,
        "what folds frames (--my-code, --mine, --not-mine, --fold-async, --all-frames) is of other kinds "
        "than .walk: a recording has all frames");
  if (options.no_inlined && formats::is_recording(options.to))
    return fail(kUsage, "--no-inlined is of other kinds than .walk: a recording has all frames");
  if (options.lines && !formats::format_of(options.to)->lines)
    return fail(kUsage, "--lines is for .html, .pb.gz, .collapsed and .speedscope.json");
  if (options.source && formats::format_of(options.to)->write != formats::write_html)
    return fail(kUsage, "--source is for .html: the other kinds have no place for source text");
  if (options.source && options.redact)
    return fail(kUsage,
                "--source puts source text into the page, and --redact leaves out even where it lies: "
                "choose one");
  const bool first_a_recording = options.redact && !formats::is_recording(options.to);
  const base::Result<std::string> damage =
      first_a_recording ? write_redacted(options, add_source) : write(options, add_source);
  if (!damage.ok()) return fail(kFailure, damage.message());
  if (!damage->empty()) fail(kSuccess, options.from + ": " + *damage);
  return kSuccess;
}

void add_convert(CommandLine& line, const AddSource& add_source) {
  auto options = std::make_shared<ConvertOptions>();
  Verb verb = line.verb("convert", "write a recording as another kind of file");
  verb.option("in", options->from, "the recording").required().shown_as("IN.walk");
  verb.option("out", options->to, "what to write, kind by suffix").required().shown_as("OUT");
  verb.option("--process", options->process, "of several processes only this one").shown_as("PID");
  verb.flag("--async", options->async,
            "callers of an async method are those who await it (recorded with --async)");
  verb.flag("--unfold", options->unfold, "unnamed frames of stripped libraries one by one, with offsets");
  verb.option("--event", options->event,
              "of kinds that hold one event (.collapsed, .speedscope.json) the one to write (default: cpu)")
      .shown_as("NAME");
  verb.option("--value", options->value, "of it the value to write (default: its first)").shown_as("NAME");
  verb.flag("--lines", options->lines, ".html, .pb.gz, .collapsed, .speedscope.json: with source lines");
  verb.flag("--no-inlined", options->no_inlined,
            "no frames of inlined functions: their time is their callers'");
  if (add_source) {
    verb.flag(
        "--source", options->source,
        ".html: --lines, and the text of the source files that samples were in, for "
        "everybody to read who gets the page: files on this machine whose checksum is that of the compiled "
        "one, and texts in PDBs; 2 MiB at most");
    verb.option("--source-folder", options->source_folders,
                "--source, also of files below it whose path ends as the compiled one's (repeatable)")
        .existing_folder()
        .one_value_each();
  }
  verb.flag("--threads", options->threads, ".collapsed: the thread's name as the first frame of each stack");
  add_folding_options(verb, options->folding);
  verb.flag("--redact", options->redact,
            "leave out the command line, the host's name and the folders of all paths");
  verb.footer(list_of_formats() +
              "Examples:\n"
              "  walkabout convert app.walk app.html\n"
              "  walkabout convert app.walk app.pb.gz && go tool pprof -top app.pb.gz\n"
              "  walkabout convert app.walk app.pb.gz --lines && go tool pprof -list Main app.pb.gz\n" +
              std::string(add_source ? "  walkabout convert app.walk app.html --source\n" : "") +
              "  walkabout convert app.walk app.collapsed --threads\n"
              "  walkabout convert app.walk mine.collapsed --my-code\n"
              "  walkabout convert app.walk waits.collapsed --event wall\n"
              "  walkabout convert app.walk shared.walk --redact\n" +
              kExitCodesHelp);
  verb.action([options, add_source] {
    options->source = options->source || !options->source_folders.empty();
    options->lines = options->lines || options->source;
    return convert(*options, add_source);
  });
}

}  // namespace walkabout::cli
