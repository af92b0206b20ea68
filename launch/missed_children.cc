#include "launch/missed_children.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "base/linux/read_file.h"
#include "diagnostics/attach_profiler.h"
#include "diagnostics/process.h"
#include "launch/loading.h"
#include "profile/names/process_name.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kEveryNs = kSecondNs / 5;
constexpr uint64_t kTimeToComeNs = 3 * kSecondNs;  // of an agent, on a busy machine
constexpr unsigned kQuickLooks = 20;               // then one a second
constexpr unsigned kMostLooks = 30;                // for a runtime, which comes early or never
constexpr uint64_t kForkedNoExec = 0x40;           // PF_FORKNOEXEC, include/linux/sched.h
constexpr char kRuntime[] = "/libcoreclr.so";
constexpr char kAgent[] = "/libwalkabout.so";

template <typename Number>
void read(std::string_view text, Number* number) {
  std::from_chars(text.data(), text.data() + text.size(), *number);
}

// "8.0.11" of "…/Microsoft.NETCore.App/8.0.11/libcoreclr.so"; empty where the path does not say it.
std::string version_in(const std::string& maps) {
  const size_t end = maps.find(kRuntime);
  if (end == std::string::npos) return {};
  const size_t begin = maps.rfind('/', end - 1) + 1;
  std::string version = maps.substr(begin, end - begin);
  return !version.empty() && version[0] >= '0' && version[0] <= '9' ? version : "";
}

// The real one.
std::optional<uid_t> user_in(const std::string& status) {
  constexpr std::string_view kLine = "\nUid:\t";
  const size_t at = status.find(kLine);
  uid_t user = 0;
  if (at == std::string::npos) return std::nullopt;
  read(std::string_view(status).substr(at + kLine.size()), &user);
  return user;
}

bool is_named(const diagnostics::Process& process) {
  return is_on(diagnostics::environment_value(process, "CORECLR_ENABLE_PROFILING")) ||
         is_on(diagnostics::environment_value(process, "CORECLR_ENABLE_NOTIFICATION_PROFILERS"));
}

// What its runtime and its environment already tell: no agent will come.
std::string certain_reason(const std::string& maps, const diagnostics::Process& process) {
  const std::string version = version_in(maps);
  if (!version.empty() && std::atoi(version.c_str()) < diagnostics::kOldestRuntime) {
    return "its runtime is .NET " + version + ", and " + std::to_string(diagnostics::kOldestRuntime) +
           " or later is needed";
  }
  for (const char* setting : {"EnableDiagnostics", "EnableDiagnostics_Profiler"}) {
    if (diagnostics::clr_setting(process, setting) == "0")
      return std::string("DOTNET_") + setting + " is 0 in its environment";
  }
  return is_named(process) ? "" : "who started it left walkabout's variables out of its environment";
}

}  // namespace

MissedChildren::MissedChildren(pid_t root, bool redact, KernelFolders folders)
    : root_(root), redact_(redact), folders_(std::move(folders)) {}

// The name may hold anything; after it come the fields from the third on.
MissedChildren::Stat MissedChildren::stat_of(const std::string& text) {
  Stat stat;
  const size_t name = text.find('('), name_end = text.rfind(')');
  if (name == std::string::npos || name_end == std::string::npos || name_end < name) return stat;
  stat.name = text.substr(name, name_end - name);
  size_t at = name_end + 1;
  for (int field = 3; field <= 22 && at < text.size(); ++field) {
    ++at;  // the blank
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view value = std::string_view(text).substr(std::min(at, end), end - std::min(at, end));
    uint64_t flags = 0;
    if (field == 3 && !value.empty()) stat.state = value[0];
    if (field == 4) read(value, &stat.parent);
    if (field == 9) read(value, &flags), stat.is_copy = (flags & kForkedNoExec) != 0;
    if (field == 22) read(value, &stat.start_time);
    at = end;
  }
  return stat;
}

// But for those that are known to be others': their files are most of the work.
std::map<pid_t, MissedChildren::Stat> MissedChildren::processes(uint64_t now_ns) {
  if (now_ns - others_ns_ >= 5 * kSecondNs) others_.clear(), others_ns_ = now_ns;
  std::map<pid_t, Stat> all;
  std::set<pid_t> others;
  std::error_code error;
  for (fs::directory_iterator at(folders_.proc, error), end; !error && at != end; at.increment(error)) {
    const std::string& path = at->path().native();
    const char* const name = path.data() + path.rfind('/') + 1;
    const char* const name_end = path.data() + path.size();
    pid_t pid = 0;
    const auto [last, bad] = std::from_chars(name, name_end, pid);
    if (bad != std::errc() || last != name_end) continue;
    if (others_.count(pid) != 0) {
      others.insert(pid);
    } else if (Stat stat = stat_of(base::text_of(path + "/stat")); stat.start_time != 0) {
      all[pid] = std::move(stat);
    }
  }
  others_ = std::move(others);
  return all;
}

// Who was one of them stays one, also when its parent is gone.
void MissedChildren::find_descendants(uint64_t now_ns) {
  const std::map<pid_t, Stat> all = processes(now_ns);
  std::set<pid_t> gone;
  for (auto& [pid, child] : children_) {
    const auto now = all.find(pid);
    if (now == all.end() || now->second.start_time != child.stat.start_time || now->second.state == 'Z') {
      gone.insert(pid);
      continue;
    }
    const bool has_executed = child.stat.is_copy && !now->second.is_copy;
    const bool another_program = has_executed || child.stat.name != now->second.name;
    if (has_executed || (another_program && child.name.empty())) child = {};
    child.stat = now->second;
  }
  std::map<pid_t, Child> born;
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [pid, stat] : all) {
      if (stat.state == 'Z' || (children_.count(pid) != 0 && gone.count(pid) == 0)) continue;
      const bool is_one = pid == root_ || children_.count(stat.parent) != 0 || born.count(stat.parent) != 0;
      if (is_one && born.try_emplace(pid, Child{.stat = stat}).second) grown = true;
    }
  }
  for (const pid_t pid : gone) {
    end(pid, children_[pid]);
    children_.erase(pid);
  }
  children_.merge(born);
  for (const auto& [pid, stat] : all) {
    if (children_.count(pid) == 0) others_.insert(pid);
  }
}

void MissedChildren::end(pid_t pid, const Child& child) {
  if (!child.name.empty()) ended_.push_back(missed(pid, child, true));
}

// Of another user's process the maps cannot be read; what its threads are called, can.
bool MissedChildren::has_runtime(pid_t pid, std::string* maps) const {
  if (base::read_file(folder(pid) + "/maps", maps)) return maps->find(kRuntime) != std::string::npos;
  std::error_code error;
  for (fs::directory_iterator at(folder(pid) + "/task", error), end; !error && at != end;
       at.increment(error)) {
    if (base::text_of(at->path().native() + "/comm").rfind(".NET ", 0) == 0) return true;
  }
  return false;
}

void MissedChildren::find_reason(pid_t pid, Child& child, const std::string& maps) const {
  diagnostics::Process process;
  const bool is_readable = base::read_file(folder(pid) + "/environ", &process.environment);
  child.reason = is_readable ? certain_reason(maps, process) : "";
  const std::optional<uid_t> user = user_in(base::text_of(folder(pid) + "/status"));
  if (child.reason.empty() && user && *user != ::getuid())
    child.reason = "it runs as another user (" + std::to_string(*user) + "), whom walkabout does not let in";
  child.is_certain = !child.reason.empty();
  if (child.is_certain) return;
  if (maps.find(kAgent) != std::string::npos) {
    child.reason = "its agent could not begin, or has left it again";
  } else {
    child.reason = "its runtime did not load the agent";
  }
}

void MissedChildren::look_at(pid_t pid, Child& child, uint64_t now_ns) const {
  std::string maps;
  if (!has_runtime(pid, &maps)) {
    child.next_ns = ++child.looks < kQuickLooks ? 0 : now_ns + kSecondNs;
    return;
  }
  if (child.runtime_ns == 0) child.runtime_ns = now_ns;
  const bool had_time = now_ns - child.runtime_ns >= kTimeToComeNs;
  if (child.stat.is_copy && !had_time) return;
  std::string line = base::text_of(folder(pid) + "/cmdline");
  std::replace(line.begin(), line.end(), '\0', ' ');
  if (line.empty()) return;
  find_reason(pid, child, maps);
  child.name = profile::process_name(redact_ ? line.substr(0, line.find(' ')) : line);
  child.is_decided = had_time || child.is_certain;
}

void MissedChildren::look(const std::set<pid_t>& recorded, uint64_t now_ns) {
  if (now_ns - last_ns_ < kEveryNs) return;
  last_ns_ = now_ns;
  find_descendants(now_ns);
  for (auto& [pid, child] : children_) {
    const bool is_due = !child.is_decided && child.looks < kMostLooks && now_ns >= child.next_ns;
    if (is_due && recorded.count(pid) == 0) look_at(pid, child, now_ns);
  }
}

recording::MissedProcess MissedChildren::missed(pid_t pid, const Child& child, bool has_ended) const {
  const std::string too_early =
      std::string(has_ended ? "it" : "the command") + " ended before the agent in it began to record";
  return {static_cast<uint32_t>(pid), child.name, child.is_decided ? child.reason : too_early};
}

std::vector<recording::MissedProcess> MissedChildren::found(const std::set<pid_t>& recorded) const {
  std::vector<recording::MissedProcess> all = ended_;
  for (const auto& [pid, child] : children_) {
    if (child.name.empty()) continue;
    const Stat now = stat_of(base::text_of(folder(pid) + "/stat"));
    all.push_back(missed(pid, child, now.start_time != child.stat.start_time || now.state == 'Z'));
  }
  std::erase_if(all,
                [&](const auto& process) { return recorded.count(static_cast<pid_t>(process.pid)) != 0; });
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.pid < b.pid; });
  return all;
}

}  // namespace walkabout::cli
