#include "check/program_kind.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "diagnostics/no_port.h"
#include "symbols/elf/elf_file.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

bool holds(const symbols::ElfFile& elf, const char* section, const char* text) {
  const symbols::Section s = elf.section(section);
  return s.scn != nullptr && symbols::ElfFile::bytes(s).find(text) != std::string_view::npos;
}

bool is_script(const std::string& path) {
  char begin[2] = {};
  std::ifstream(path, std::ios::binary).read(begin, sizeof begin);
  return begin[0] == '#' && begin[1] == '!';
}

bool may_run(const std::string& path) {
  struct stat s {};
  return ::stat(path.c_str(), &s) == 0 && S_ISREG(s.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

ProgramKind program_kind(const std::string& path) {
  if (is_script(path)) return ProgramKind::kScript;
  const base::Result<symbols::ElfFile> elf = symbols::ElfFile::open(path);
  if (!elf.ok()) return ProgramKind::kOther;
  if (diagnostics::is_native_aot(*elf)) return ProgramKind::kNativeAot;
  if (holds(*elf, ".dynstr", "DotNetRuntimeInfo")) return ProgramKind::kSingleFile;  // tools find it by that
  if (!holds(*elf, ".rodata", "libhostfxr.so")) return ProgramKind::kOther;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return !error && real.filename() == "dotnet" ? ProgramKind::kDotnetHost : ProgramKind::kAppHost;
}

std::string find_program(const std::string& name, const std::string& search) {
  if (name.find('/') != std::string::npos) return may_run(name) ? name : "";
  std::istringstream folders(search);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (!name.empty() && may_run(path)) return path;
  }
  return {};
}

int wanted_runtime(const std::string& program) {
  fs::path config = program;
  if (config.extension() == ".dll") config.replace_extension();
  config += ".runtimeconfig.json";
  std::ifstream file(config);
  const auto json = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("runtimeOptions") || !json["runtimeOptions"].is_object()) return 0;
  const auto& options = json["runtimeOptions"];
  if (!options.contains("tfm") || !options["tfm"].is_string()) return 0;
  const std::string tfm = options["tfm"];
  return tfm.compare(0, 3, "net") == 0 ? std::atoi(tfm.c_str() + 3) : 0;
}

}  // namespace walkabout::cli
