#include "formats/format.h"

#include <string_view>

#include "formats/chrome_trace.h"
#include "formats/collapsed.h"
#include "formats/html.h"
#include "formats/pprof.h"
#include "formats/speedscope.h"

namespace walkabout::formats {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

const std::vector<Format>& all_formats() {
  static const std::vector<Format> formats{
      {".walk", "recording: everything, to report on and convert later", false, false, nullptr},
      {".html", "flame graph to open in a browser, one file, works offline", true, false, write_html},
      {".collapsed", "folded stacks, one line each: CPU time in microseconds, or another event", true, true,
       write_collapsed},
      {".speedscope.json", "speedscope", true, true, write_speedscope},
      {".trace.json", "Perfetto, chrome://tracing: traced calls and events of the runtime over time", false,
       false, write_chrome_trace},
      {".pb.gz", "pprof (go tool pprof)", true, false, write_pprof},
  };
  return formats;
}

const Format* format_of(const std::string& path) {
  for (const Format& format : all_formats()) {
    if (ends_with(path, format.suffix)) return &format;
  }
  return nullptr;
}

bool is_recording(const std::string& path) { return ends_with(path, ".walk"); }

base::Status check_suffix(const std::string& path) {
  if (format_of(path) != nullptr) return {};
  std::string message = "cannot tell what kind of file " + path + " should be: end its name in";
  for (const Format& format : all_formats()) {
    message += (&format == &all_formats().front() ? " " : &format == &all_formats().back() ? " or " : ", ");
    message += format.suffix;
  }
  return base::Status::error(message);
}

base::Status write_file(const profile::Profile& profile, const std::string& path, const GoOn& go_on) {
  if (base::Status status = check_suffix(path); !status.ok()) return status;
  OutputFile file(path, go_on);
  if (base::Status status = file.open(); !status.ok()) return status;
  base::Status written = format_of(path)->write(profile, file.stream());
  // The file's own error has the cause; a writer only sees that its stream failed.
  if (base::Status status = file.stream().good() ? base::Status() : file.commit(); !status.ok())
    return status;
  if (!written.ok()) return written;
  return file.commit();
}

}  // namespace walkabout::formats
