#include "cli/missed_children.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include "base/read_file.h"
#include "cli/loading.h"
#include "diagnostics/attach.h"
#include "diagnostics/process.h"
#include "profile/process_name.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kEveryNs = 1'000'000'000;
constexpr uint64_t kTimeToComeNs = 3'000'000'000;  // of an agent, on a busy machine
constexpr unsigned kMostLooks = 10;                // for a runtime, which comes early or never
constexpr char kRuntime[] = "/libcoreclr.so";
constexpr char kAgent[] = "/libwalkabout.so";

struct Stat {
  pid_t parent = 0;
  uint64_t start_time = 0;
};

// Fields 4 and 22; the name before them may hold anything.
Stat stat_of(const std::string& text) {
  Stat stat;
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return stat;
  size_t at = name_end + 1;
  for (int field = 3; field <= 22 && at < text.size(); ++field) {
    ++at;  // the blank
    const size_t end = std::min(text.find(' ', at), text.size());
    if (field == 4) std::from_chars(text.data() + at, text.data() + end, stat.parent);
    if (field == 22) std::from_chars(text.data() + at, text.data() + end, stat.start_time);
    at = end;
  }
  return stat;
}

// "8.0.11" of "…/Microsoft.NETCore.App/8.0.11/libcoreclr.so"; empty where the path does not say it.
std::string version_in(const std::string& maps) {
  const size_t end = maps.find(kRuntime);
  if (end == std::string::npos) return {};
  const size_t begin = maps.rfind('/', end - 1) + 1;
  std::string version = maps.substr(begin, end - begin);
  return !version.empty() && version[0] >= '0' && version[0] <= '9' ? version : "";
}

std::string why(const std::string& maps, const std::string& environment) {
  const std::string version = version_in(maps);
  if (!version.empty() && std::atoi(version.c_str()) < diagnostics::kOldestRuntime) {
    return "its runtime is .NET " + version + ", and " + std::to_string(diagnostics::kOldestRuntime) +
           " or later is needed";
  }
  if (maps.find(kAgent) != std::string::npos) return "its agent could not begin, or has left it again";
  diagnostics::Process process;
  process.environment = environment;
  for (const char* setting : {"EnableDiagnostics", "EnableDiagnostics_Profiler"}) {
    if (diagnostics::clr_setting(process, setting) == "0")
      return std::string("DOTNET_") + setting + " is 0 in its environment";
  }
  const bool named = is_on(diagnostics::environment_value(process, "CORECLR_ENABLE_PROFILING")) ||
                     is_on(diagnostics::environment_value(process, "CORECLR_ENABLE_NOTIFICATION_PROFILERS"));
  return named ? "its runtime did not load the agent"
               : "who started it left walkabout's variables out of its environment";
}

}  // namespace

MissedChildren::MissedChildren(pid_t root, bool redact, KernelFolders folders)
    : root_(root), redact_(redact), folders_(std::move(folders)) {}

// Who was one of them stays one, also when its parent is gone.
void MissedChildren::find_descendants() {
  std::map<pid_t, Stat> all;
  std::error_code error;
  for (fs::directory_iterator at(folders_.proc, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    pid_t pid = 0;
    const auto [last, bad] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (bad != std::errc() || last != name.data() + name.size()) continue;
    all[pid] = stat_of(base::text_of(at->path() / "stat"));
  }
  for (auto& [pid, child] : children_) {
    const auto now = all.find(pid);
    const bool another = now != all.end() && now->second.start_time != child.start_time;
    if (another && !child.is_missed) child = {now->second.start_time, kMostLooks, 0, false, "", ""};
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [pid, stat] : all) {
      const bool is_one = pid == root_ || children_.count(stat.parent) != 0;
      if (is_one && children_.try_emplace(pid, Child{stat.start_time, 0, 0, false, "", ""}).second)
        grown = true;
    }
  }
}

void MissedChildren::look_at(pid_t pid, Child& child, uint64_t now_ns) const {
  const fs::path folder = fs::path(folders_.proc) / std::to_string(pid);
  const std::string maps = base::text_of(folder / "maps");
  ++child.looks;
  if (maps.find(kRuntime) == std::string::npos) return;
  if (child.runtime_ns == 0) child.runtime_ns = now_ns;
  child.looks = 0;
  std::string line = base::text_of(folder / "cmdline");
  std::replace(line.begin(), line.end(), '\0', ' ');
  if (line.empty() || now_ns - child.runtime_ns < kTimeToComeNs) return;
  child.is_missed = true;
  child.name = profile::process_name(redact_ ? line.substr(0, line.find(' ')) : line);
  child.why = why(maps, base::text_of(folder / "environ"));
}

void MissedChildren::look(const std::set<pid_t>& recorded, uint64_t now_ns) {
  if (now_ns - last_ns_ < kEveryNs) return;
  last_ns_ = now_ns;
  find_descendants();
  for (auto& [pid, child] : children_) {
    if (!child.is_missed && child.looks < kMostLooks && recorded.count(pid) == 0) look_at(pid, child, now_ns);
  }
}

std::vector<recording::MissedProcess> MissedChildren::found(const std::set<pid_t>& recorded) const {
  std::vector<recording::MissedProcess> all;
  for (const auto& [pid, child] : children_) {
    if (child.is_missed && recorded.count(pid) == 0)
      all.push_back({static_cast<uint32_t>(pid), child.name, child.why});
  }
  return all;
}

}  // namespace walkabout::cli
