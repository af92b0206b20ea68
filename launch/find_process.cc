#include "launch/find_process.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/file_name.h"
#include "base/linux/read_file.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kShown = 12;
constexpr std::string_view kDll = ".dll";

std::optional<pid_t> number(const std::string& text) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc() || end != text.data() + text.size() || pid <= 0) return std::nullopt;
  return pid;
}

bool is_called(const std::string& who, std::string_view file) {
  return file == who || file == who + std::string(kDll);
}

// Of a program on the host only the first argument that is a library counts: the others are its own.
bool is_hosted(const std::string& who, const std::vector<std::string>& arguments) {
  if (arguments.empty() || base::file_name(arguments[0]) != "dotnet") return false;
  const auto program = std::find_if(arguments.begin() + 1, arguments.end(), [](const std::string& a) {
    return a.size() > kDll.size() && a.compare(a.size() - kDll.size(), kDll.size(), kDll) == 0;
  });
  return program != arguments.end() && is_called(who, base::file_name(*program));
}

bool has_name(const fs::path& folder, const std::string& who) {
  std::string name = base::text_of(folder / "comm");
  if (!name.empty() && name.back() == '\n') name.pop_back();
  std::vector<std::string> arguments;
  const std::string line = base::text_of(folder / "cmdline");
  for (size_t at = 0; at < line.size(); at = line.find('\0', at) + 1) {
    arguments.emplace_back(line.c_str() + at);
    if (line.find('\0', at) == std::string::npos) break;
  }
  return name == who || (!arguments.empty() && base::file_name(arguments[0]) == who) ||
         is_hosted(who, arguments);
}

std::vector<pid_t> processes_called(const std::string& who, const KernelFolders& folders) {
  std::vector<pid_t> found;
  std::error_code error;
  for (fs::directory_iterator at(folders.proc, error), end; !error && at != end; at.increment(error)) {
    const std::optional<pid_t> pid = number(at->path().filename().string());
    if (pid && *pid != ::getpid() && has_name(at->path(), who)) found.push_back(*pid);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

base::Result<pid_t> find_process(const std::string& who, const KernelFolders& folders) {
  if (const std::optional<pid_t> pid = number(who)) return *pid;
  const std::vector<pid_t> found = processes_called(who, folders);
  if (found.size() == 1) return found[0];
  if (found.empty()) {
    return base::Status::error(
        "no process is called '" + who +
        "'; give a PID (a number), or the name of a process like MyService or MyService.dll");
  }
  std::string pids;
  for (size_t i = 0; i < std::min(found.size(), kShown); ++i)
    pids += (i == 0 ? "" : ", ") + std::to_string(found[i]);
  return base::Status::error(std::to_string(found.size()) + " processes are called '" + who +
                             "': give the PID of one, " + pids + (found.size() > kShown ? ", …" : ""));
}

}  // namespace walkabout::cli
