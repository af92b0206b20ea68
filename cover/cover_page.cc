#include <fmt/format.h>

#include <iterator>
#include <ostream>
#include <sstream>
#include <string>

#include "cover/compiled_source.h"
#include "cover/file_rows.h"
#include "cover/markup.h"
#include "cover/outputs_of_coverage.h"

namespace walkabout::cover {
namespace {

constexpr std::string_view kPageHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Coverage</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; --ran: #2e7d3233; --never: #c6282833; --partly: #f9a82544; --faint: #8888; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .2rem .6rem; border-bottom: 1px solid #8883; }
th:first-child, td:first-child { text-align: left; }
.module td { font-weight: 600; }
meter { width: 6rem; vertical-align: middle; }
details { margin: .5rem 0; } summary { cursor: pointer; }
pre { font: 13px/1.35 ui-monospace, monospace; overflow-x: auto; margin: .3rem 0; }
pre span { display: block; min-height: 1.35em; }
.ran { background: var(--ran); } .never { background: var(--never); } .partly { background: var(--partly); }
.no { color: var(--faint); display: inline-block; width: 9em; text-align: right; padding-right: 1em; user-select: none; white-space: pre; }
</style></head><body>
)";

std::string share(uint64_t part, uint64_t whole) {
  return whole == 0 ? "–"
                    : fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

class PageWriter {
 public:
  PageWriter(const Coverage& coverage, std::ostream& out) : coverage_(coverage), out_(out) {}

  void write() {
    out_ << kPageHead;
    const Totals all = totals_of(coverage_);
    print("<h1>Coverage</h1>\n<p>{} of {} lines ran ({}), {} of {} arms of branches were taken ({}).{}</p>\n",
          all.lines_hit, all.lines, share(all.lines_hit, all.lines), all.arms_hit, all.arms,
          share(all.arms_hit, all.arms), coverage_.counts ? " Left of a line: how often it ran." : "");
    print(
        "<table><tr><th>module, "
        "file</th><th>lines</th><th>ran</th><th></th><th>arms</th><th>taken</th></tr>\n");
    size_t number = 0;
    for (const auto& [name, module] : coverage_.modules) {
      write_row("module", escaped(name), totals_of(module));
      for (const auto& [path, file] : module.files)
        write_row("file", fmt::format("<a href=\"#f{}\">{}</a>", ++number, escaped(path)), totals_of(file));
    }
    print("</table>\n");
    number = 0;
    for (const auto& [name, module] : coverage_.modules) {
      for (const auto& [path, file] : module.files) write_source(++number, path, file);
    }
    print(
        "<script>addEventListener('hashchange', open_file); open_file();\n"
        "function open_file() {{ const d = document.querySelector(location.hash || 'x'); if (d) d.open = "
        "true; }}"
        "</script>\n</body></html>\n");
  }

 private:
  template <typename... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::ostreambuf_iterator<char>(out_), format, std::forward<Values>(values)...);
  }

  void write_row(std::string_view kind, const std::string& name, const Totals& t) {
    print(
        "<tr class=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td><meter value=\"{}\" max=\"{}\"></meter></td>"
        "<td>{}</td><td>{}</td></tr>\n",
        kind, name, t.lines, share(t.lines_hit, t.lines), t.lines_hit, t.lines, t.arms,
        share(t.arms_hit, t.arms));
  }

  void write_source(size_t number, const std::string& path, const SourceFile& file) {
    print("<details id=\"f{}\"><summary>{}</summary><pre>", number, escaped(path));
    const auto branches = branches_by_line(file);
    const SourceText found_source = read_source(path, file.checksum);
    if (!found_source.is_there) print("the file is not on this machine\n");
    if (found_source.is_another)
      print("the file has changed since it was compiled: its lines are not those that ran\n");
    std::istringstream source(found_source.is_another ? std::string() : found_source.text);
    std::string text;
    for (uint32_t line = 1; std::getline(source, text); ++line) {
      if (text.ends_with('\r')) text.pop_back();
      if (line == 1 && text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
      const auto found = file.lines.find(line);
      const auto with_arms = branches.find(line);
      std::string arms, kind = found == file.lines.end() ? "" : found->second.hits != 0 ? "ran" : "never";
      if (with_arms != branches.end()) {
        size_t all = 0, taken = 0;
        for (const BranchRow& branch : with_arms->second) all += branch.arms.size(), taken += branch.taken();
        arms = fmt::format("{}/{} ", taken, all);
        if (kind == "ran" && taken < all) kind = "partly";
      }
      const std::string hits =
          coverage_.counts && found != file.lines.end() ? fmt::format("{}× ", found->second.hits) : "";
      print("<span{}><span class=\"no\" style=\"display:inline-block\">{}{}{}</span>{}</span>",
            kind.empty() ? "" : " class=\"" + kind + "\"", arms, hits, line, escaped(text));
    }
    print("</pre></details>\n");
  }

  const Coverage& coverage_;
  std::ostream& out_;
};

}  // namespace

base::Status write_cover_page(const Coverage& coverage, std::ostream& out) {
  PageWriter(coverage, out).write();
  return {};
}

}  // namespace walkabout::cover
