#include "launch/loading.h"

#include <stdlib.h>
#include <strings.h>

#include <algorithm>
#include <string_view>

#include "wire/agent_id.h"

namespace walkabout::cli {
namespace {

std::string braced(const char* clsid) { return std::string("{") + clsid + "}"; }

std::string our_clsid() { return braced(wire::kAgentClsid); }

bool is_code_port(const std::string& clsid) {
  return ::strcasecmp(clsid.c_str(), braced(wire::kCodePortClsid).c_str()) == 0;
}

bool another_has_the_slot(const Variables& variables) {
  const std::string clsid = variables("CORECLR_PROFILER");
  return is_on(variables("CORECLR_ENABLE_PROFILING")) && !clsid.empty() && !is_our_clsid(clsid) &&
         !is_code_port(clsid);
}

// A list of "path={guid};" without us: we are there when a `walkabout run --beside` started this one.
std::string others(std::string_view list) {
  std::string kept;
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(';'));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    if (entry.empty() || is_our_clsid(entry.substr(entry.rfind('=') + 1))) continue;
    kept.append(entry).append(";");
  }
  return kept;
}

Environment main_slot(const std::string& agent, const std::string& clsid) {
  return {{"CORECLR_ENABLE_PROFILING", "1"},
          {"CORECLR_PROFILER", clsid},
          {"CORECLR_PROFILER_PATH", agent},
          {"CORECLR_PROFILER_PATH_64", agent},
          {"WALKABOUT_BESIDE", "0"}};
}

// The list the CLR would read, and its value without us.
struct Notified {
  const char* name;
  std::string value;
  std::string others;
};

Notified notified(const Variables& variables) {
  constexpr const char* kName64 = "CORECLR_NOTIFICATION_PROFILERS_64";
  constexpr const char* kName = "CORECLR_NOTIFICATION_PROFILERS";
  const char* name = variables(kName64).empty() ? kName : kName64;
  const std::string value = variables(name);
  return {name, value, others(value)};
}

base::Result<Environment> notified_too(const std::string& agent, const Variables& variables) {
  if (agent.find_first_of(";=") != std::string::npos) {
    return base::Status::error(
        "the runtime cannot be told of a second profiler whose path has ';' or '=' in it; install walkabout "
        "in "
        "a folder without them");
  }
  constexpr const char* kEnable = "CORECLR_ENABLE_NOTIFICATION_PROFILERS";
  Notified list = notified(variables);
  if (!is_on(variables(kEnable))) list.others.clear();  // they are off, and stay off
  return Environment{
      {kEnable, "1"}, {list.name, list.others + agent + "=" + our_clsid() + ";"}, {"WALKABOUT_BESIDE", "1"}};
}

}  // namespace

bool is_on(const std::string& value) { return ::strtoul(value.c_str(), nullptr, 16) != 0; }

bool is_our_clsid(std::string_view clsid) {
  const std::string ours = our_clsid();
  return clsid.size() == ours.size() && ::strncasecmp(clsid.data(), ours.data(), ours.size()) == 0;
}

std::string variable(const char* name) {
  const char* value = ::getenv(name);
  return value != nullptr ? value : "";
}

base::Result<Environment> loading_environment(const std::string& agent, bool beside,
                                              const Variables& variables) {
  const bool nested =
      is_on(variables("CORECLR_ENABLE_PROFILING")) && is_our_clsid(variables("CORECLR_PROFILER"));
  if (beside && !nested) return notified_too(agent, variables);
  if (another_has_the_slot(variables)) {
    return base::Status::error(
        "CORECLR_PROFILER is set: the command already has a profiler, which would not be loaded; add "
        "--beside "
        "to profile next to it, or unset CORECLR_ENABLE_PROFILING to profile without it");
  }
  Environment all = main_slot(agent, our_clsid());
  // Twice in one process we would be in our own way.
  if (const Notified list = notified(variables); list.others.size() + 1 < list.value.size())
    all.push_back({list.name, list.others});
  return all;
}

base::Result<Environment> counting_environment(const std::string& agent, const Variables& variables) {
  if (another_has_the_slot(variables))
    return base::Status::error(
        "CORECLR_PROFILER is set: the command already has a profiler, and the runtime lets that one alone "
        "change methods; unset CORECLR_ENABLE_PROFILING to count calls without it");
  base::Result<Environment> beside = notified_too(agent, variables);
  if (!beside.ok()) return beside;
  Environment all = main_slot(agent, braced(wire::kCodePortClsid));
  all.pop_back();  // WALKABOUT_BESIDE
  all.insert(all.end(), beside->begin(), beside->end());
  return all;
}

base::Result<Environment> hooking_environment(const std::string& agent, const Variables& variables) {
  if (another_has_the_slot(variables))
    return base::Status::error(
        "CORECLR_PROFILER is set: the command already has a profiler, and the runtime tells that one alone "
        "of "
        "every call; unset CORECLR_ENABLE_PROFILING to trace without it");
  return loading_environment(agent, false, variables);
}

Environment inlining_environment(const Variables& variables) {
  constexpr const char* kName = "DOTNET_RichDebugInfo";
  if (!variables(kName).empty() || !variables("COMPlus_RichDebugInfo").empty()) return {};
  return {{kName, "1"}};
}

}  // namespace walkabout::cli
