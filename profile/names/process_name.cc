#include "profile/names/process_name.h"

#include <algorithm>
#include <vector>

#include "base/file_name.h"

namespace walkabout::profile {
namespace {

// A word that begins with a quote ends with the next one, as on Windows, where the line is what was typed.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const bool is_quoted = line[0] == '"' && line.find('"', 1) != std::string_view::npos;
    if (is_quoted) line.remove_prefix(1);
    const size_t end = std::min(line.find(is_quoted ? '"' : ' '), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

bool is_library(std::string_view word) { return word.size() > 4 && word.substr(word.size() - 4) == ".dll"; }

}  // namespace

std::string process_name(std::string_view command_line) {
  const std::vector<std::string_view> words = words_of(command_line);
  if (words.empty()) return "process";
  std::string program(base::file_name_of_any(words[0]));
  if (program != "dotnet" && program != "dotnet.exe") return program;
  // The library it hosts, else its first word that is no option: a verb of the SDK.
  auto what = std::find_if(words.begin() + 1, words.end(), is_library);
  const auto verb =
      std::find_if(words.begin() + 1, words.end(), [](std::string_view w) { return w[0] != '-'; });
  if (verb != words.end() && *verb != "exec" && !is_library(*verb)) what = verb;
  return what == words.end() ? program : program + " " + std::string(base::file_name_of_any(*what));
}

std::string process_frame(std::string_view name, uint32_t pid) {
  return std::string(name) + " (pid " + std::to_string(pid) + ")";
}

}  // namespace walkabout::profile
