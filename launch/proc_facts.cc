#include "launch/proc_facts.h"

#include <sys/stat.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

template <typename T>
std::optional<T> number(const std::string& text, int base = 10) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

template <typename T>
std::optional<T> number_in(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  return file >> word ? number<T>(word) : std::nullopt;
}

void read_status(const std::string& path, ProcessFacts* facts) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, value;
    if (!(words >> name >> value)) continue;
    if (name == "State:") facts->state = value[0];
    if (name == "TracerPid:") facts->tracer = number<uint64_t>(value).value_or(0);
    if (name == "Threads:") facts->threads = number<uint64_t>(value).value_or(1);
    if (name == "VmSize:") facts->address_space = number<uint64_t>(value).value_or(0) << 10;
    if (name == "Uid:") facts->user = number<uint64_t>(value);
    if (name == "CapEff:") facts->capabilities = number<uint64_t>(value, 16).value_or(0);
    if (name == "SigCgt:") facts->caught = number<uint64_t>(value, 16).value_or(0);
    if (name == "SigIgn:") facts->ignored = number<uint64_t>(value, 16).value_or(0);
    if (name == "Seccomp:") facts->seccomp_filter = value == "2";
    if (name != "SigQ:") continue;
    facts->queued_signals = number<uint64_t>(value).value_or(0);
    if (const size_t slash = value.find('/'); slash != std::string::npos)
      facts->queued_limit = number<uint64_t>(value.substr(slash + 1)).value_or(kUnlimited);
  }
}

void read_limits(const std::string& path, ProcessFacts* facts) {
  const std::vector<std::pair<std::string, uint64_t*>> wanted = {
      {"Max open files", &facts->open_limit},
      {"Max processes", &facts->thread_limit},
      {"Max file size", &facts->file_size_limit},
      {"Max address space", &facts->address_space_limit}};
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    for (const auto& [name, value] : wanted) {
      if (line.compare(0, name.size(), name) != 0) continue;
      std::istringstream words(line.substr(name.size()));
      std::string soft;
      if (words >> soft) *value = number<uint64_t>(soft).value_or(kUnlimited);
    }
  }
}

uint64_t entries(const std::string& folder) {
  uint64_t n = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) ++n;
  return n;
}

// The group's own limit and those of the groups above it: the one with the least room counts.
void read_memory(const KernelFolders& folders, const std::string& who, ProcessFacts* facts) {
  std::ifstream file(folders.proc + "/" + who + "/cgroup");
  std::string group;
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, 3, "0::") == 0) group = line.substr(3);
  }
  if (group.empty() || group.find("..") != std::string::npos) return;
  for (fs::path at = fs::path(group).relative_path();; at = at.parent_path()) {
    const std::string folder = (fs::path(folders.cgroups) / at).string();
    const auto limit = number_in<uint64_t>(folder + "/memory.max");
    const auto used = number_in<uint64_t>(folder + "/memory.current");
    const bool tighter =
        limit && used && *limit - std::min(*limit, *used) < facts->memory_limit - facts->memory_used;
    if (tighter) facts->memory_limit = *limit, facts->memory_used = std::min(*limit, *used);
    if (at.empty()) return;
  }
}

// As the kernel counts them for RLIMIT_NPROC, as far as they are seen from here.
uint64_t threads_of(const std::string& proc, uint64_t user) {
  uint64_t threads = 0;
  std::error_code error;
  for (fs::directory_iterator it(proc, error), end; !error && it != end; it.increment(error)) {
    if (!number<uint64_t>(it->path().filename().string())) continue;
    ProcessFacts facts;
    read_status(it->path().string() + "/status", &facts);
    if (facts.user == user) threads += facts.threads;
  }
  return threads;
}

}  // namespace

MachineFacts machine_facts(const KernelFolders& folders) {
  const std::string kernel = folders.proc + "/sys/kernel/";
  return {number_in<int>(kernel + "perf_event_paranoid"),
          number_in<uint64_t>(kernel + "perf_event_max_sample_rate")};
}

ProcessFacts process_facts(const KernelFolders& folders, const std::string& who) {
  const std::string process = folders.proc + "/" + who;
  ProcessFacts facts;
  read_status(process + "/status", &facts);
  read_limits(process + "/limits", &facts);
  facts.open_files = entries(process + "/fd");
  if (has_thread_limit(facts)) facts.user_threads = threads_of(folders.proc, *facts.user);
  struct stat space {};
  if (::stat((process + "/ns/user").c_str(), &space) == 0) facts.user_namespace = space.st_ino;
  read_memory(folders, who, &facts);
  return facts;
}

bool has_thread_limit(const ProcessFacts& facts) {
  constexpr int kSysAdmin = 21, kSysResource = 24;  // capabilities(7)
  const bool exempt = ((facts.capabilities >> kSysAdmin | facts.capabilities >> kSysResource) & 1) != 0;
  return facts.thread_limit != kUnlimited && !exempt && facts.user.value_or(0) != 0;
}

bool has_perf_capability(const ProcessFacts& facts) {
  constexpr int kPerfmon = 38, kSysAdmin = 21;  // capabilities(7)
  return ((facts.capabilities >> kPerfmon | facts.capabilities >> kSysAdmin) & 1) != 0;
}

bool has_trap_capability(const ProcessFacts& facts) {
  constexpr int kBpf = 39, kSysAdmin = 21;
  return has_perf_capability(facts) &&
         ((facts.capabilities >> kBpf | facts.capabilities >> kSysAdmin) & 1) != 0;
}

}  // namespace walkabout::cli
