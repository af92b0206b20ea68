#include "cli/stats.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/recordings_of.h"
#include "cli/stats_collector.h"
#include "console/exit_codes.h"

namespace walkabout::cli {

namespace {

// One JSON object, or text; an error where it cannot be read.
base::Status add(const RecordingFile& file, bool json, Json* objects, std::string* text) {
  StatsCollector collector;
  const base::Result<recording::ReadSummary> summary = recording::read_recording(file.path, collector);
  if (!summary.ok()) return summary.status();
  if (json) {
    objects->push_back(collector.json(*summary));
  } else {
    if (!file.name.empty()) *text += (text->empty() ? "" : "\n") + file.title() + "\n";
    *text += collector.text(*summary);
  }
  return {};
}

Json missed_json(const RecordingFiles& files) {
  Json all = Json::array();
  for (const recording::MissedProcess& m : files.missed)
    all.push_back({{"pid", m.pid}, {"name", m.name}, {"why", m.why}});
  return all;
}

}  // namespace

int stats(const std::string& file, bool json, uint32_t process) {
  const base::Result<RecordingFiles> files = recordings_of(file, process);
  if (!files.ok()) return fail(kFailure, files.message());
  Json objects = Json::array();
  std::string text;
  int code = kSuccess;
  for (const RecordingFile& one : files->files) {
    if (base::Status s = add(one, json, &objects, &text); !s.ok()) code = fail(kFailure, s.message());
  }
  for (const recording::MissedProcess& m : files->missed)
    text += "\n" + m.name + " (pid " + std::to_string(m.pid) + ")\nnot recorded: " + m.why + "\n";
  if (objects.empty() && text.empty()) return code;
  if (!json) {
    print(text);
  } else if (files->is_index && process == 0) {
    print_json({{"processes", objects}, {"missed", missed_json(*files)}});
  } else {
    print_json(objects[0]);
  }
  return code;
}

void add_stats(CommandLine& line) {
  struct Options {
    std::string file;
    bool json = false;
    uint32_t process = 0;
  };
  auto options = std::make_shared<Options>();
  Verb verb = line.verb("stats", "show how good a recording is: ticks, walks, losses, cost");
  verb.option("file", options->file, "the recording").required().shown_as("FILE.walk");
  verb.flag("--json", options->json, "for programs (keys: docs/json.md)");
  verb.option("--process", options->process, "of several processes only this one").shown_as("PID");
  verb.footer(std::string("Examples:\n"
                          "  walkabout stats app.walk\n"
                          "  walkabout stats app.walk --json | jq '.rooted / .samples'\n") +
              kExitCodesHelp);
  verb.action([options] { return stats(options->file, options->json, options->process); });
}

}  // namespace walkabout::cli
