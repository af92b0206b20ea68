#include "check/runtimes.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "check/program_kind.h"
#include "diagnostics/attach_profiler.h"
#include "launch/loading.h"
#include "symbols/elf/debug_file.h"
#include "wire/sources.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* kLibrary = "libcoreclr.so";

int major(const Runtime& runtime) { return std::atoi(runtime.version.c_str()); }

bool has_symbols(const symbols::ElfFile& elf) { return elf.section_of_type(SHT_SYMTAB).scn != nullptr; }

}  // namespace

std::vector<Runtime> runtimes_in(const std::vector<std::string>& roots) {
  std::vector<Runtime> found;
  std::set<std::string> seen;
  for (const std::string& root : roots) {
    std::error_code error;
    fs::directory_iterator it(fs::path(root) / "shared/Microsoft.NETCore.App", error);
    for (; !error && it != fs::directory_iterator(); it.increment(error)) {
      std::error_code ignored;
      const fs::path real = fs::canonical(it->path(), ignored);
      if (fs::exists(real / kLibrary, ignored) && seen.insert(real.string()).second)
        found.push_back({real.filename().string(), real.string()});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Runtime& a, const Runtime& b) { return major(a) < major(b); });
  return found;
}

std::vector<std::string> dotnet_roots() {
  std::vector<std::string> roots;
  if (const std::string set = variable("DOTNET_ROOT"); !set.empty()) roots.push_back(set);
  std::error_code error;
  const fs::path host = fs::canonical(find_program("dotnet", variable("PATH")), error);
  if (!error) roots.push_back(host.parent_path().string());
  std::ifstream installed("/etc/dotnet/install_location");
  if (std::string line; std::getline(installed, line)) roots.push_back(line);
  for (const char* usual : {"/usr/share/dotnet", "/usr/lib/dotnet", "/usr/lib64/dotnet"})
    roots.emplace_back(usual);
  return roots;
}

CheckResult check_events(const std::string& version) {
  constexpr int kFirstWithWaits = 9, kFirstWithAllocationSampling = 10;
  const int number = std::atoi(version.c_str());
  if (number == 0) return {Verdict::kOk, "events", "all that the runtime has", ""};
  if (number >= kFirstWithAllocationSampling) return {Verdict::kOk, "events", "all", ""};
  const std::string rough =
      "sizes of allocations to some 5% (one object of every 100 KiB; from .NET 10 on any byte may be "
      "sampled)";
  return {Verdict::kOk, "events",
          number >= kFirstWithWaits ? "all; " + rough : "all but waits, which .NET 9 has; " + rough, ""};
}

CheckResult check_callbacks() {
  std::string costly;
  for (const wire::SourcePart& part : wire::kCallbackParts) {
    if (part.costs.empty()) continue;
    costly += (costly.empty() ? "" : ", ") + std::string(part.name) + " (" + std::string(part.costs) + ")";
  }
  return {Verdict::kOk, "callbacks",
          "on request alone (--events callbacks=PART+…); what some cost the program: " + costly, ""};
}

CheckResult check_runtimes(const std::vector<Runtime>& runtimes) {
  const std::string wanted = ".NET " + std::to_string(diagnostics::kOldestRuntime) + " or later";
  if (runtimes.empty()) {
    return {Verdict::kWarn, "runtime", "no .NET is installed on this machine",
            "install " + wanted + "; programs that bring their own need none"};
  }
  std::string versions;
  for (const Runtime& r : runtimes) versions += (versions.empty() ? ".NET " : ", ") + r.version;
  if (major(runtimes.back()) < diagnostics::kOldestRuntime)
    return {Verdict::kWarn, "runtime", versions + ": too old", "install " + wanted};
  return {Verdict::kOk, "runtime", versions, ""};
}

CheckResult check_symbols(const std::string& library, const symbols::FileRoot& root) {
  const std::string name = fs::path(library).filename().string();
  const base::Result<symbols::ElfFile> elf = symbols::ElfFile::open(library, root);
  if (!elf.ok())
    return {Verdict::kWarn, "symbols", name + " cannot be read", "run walkabout as its user, or as root"};
  if (has_symbols(*elf) || symbols::find_debug_file(*elf, library, root))
    return {Verdict::kOk, "symbols", "the runtime's own functions have names", ""};
  return {Verdict::kWarn, "symbols",
          name + " is stripped: its functions are shown without names (managed code has them)",
          "put its debug file beside it (dotnet-symbol --symbols fetches it)"};
}

}  // namespace walkabout::cli
