#include "diagnostics/no_port.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <vector>

namespace walkabout::diagnostics {
namespace {

std::string proc(const Process& process, const char* file) {
  return "/proc/" + std::to_string(process.pid) + "/" + file;
}

template <typename T>
bool read_at(const base::Fd& fd, uint64_t offset, T* to, size_t size) {
  return ::pread(fd.get(), to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

// The names of its sections; empty when it is no ELF file of 64 bits.
std::vector<std::string> section_names(const base::Fd& file) {
  constexpr size_t kMost = 1000, kLargestTable = 1 << 20;
  Elf64_Ehdr header{};
  if (!read_at(file, 0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr) ||
      header.e_shnum > kMost || header.e_shstrndx >= header.e_shnum)
    return {};
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!read_at(file, header.e_shoff, sections.data(), sections.size() * sizeof sections[0])) return {};
  const Elf64_Shdr& strings = sections[header.e_shstrndx];
  if (strings.sh_size == 0 || strings.sh_size > kLargestTable) return {};
  std::string table(strings.sh_size, '\0');
  if (!read_at(file, strings.sh_offset, table.data(), table.size())) return {};
  std::vector<std::string> names;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_name < table.size()) names.emplace_back(table.c_str() + section.sh_name);
  }
  return names;
}

bool switched_off(const Process& process, std::string* by) {
  for (const char* name : {"EnableDiagnostics", "EnableDiagnostics_IPC"}) {
    if (clr_setting(process, name) == "0") {
      *by = std::string("DOTNET_") + name + "=0";
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_native_aot(const Process& process) {
  const base::Fd file(::open(proc(process, "exe").c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return false;
  for (const std::string& name : section_names(file)) {
    if (name == "__managedcode") return true;
  }
  return false;
}

bool has_runtime(const Process& process) {
  std::ifstream maps(proc(process, "maps"));
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/libcoreclr.so") != std::string::npos || line.find("doublemapper") != std::string::npos)
      return true;
  }
  return false;
}

base::Status why_no_port(const Process& process, NoPort what) {
  const std::string who = "process " + std::to_string(process.pid);
  // A value of the environment is not shown.
  const std::string folder =
      environment_value(process, "TMPDIR").empty() ? "/tmp" : "the folder its TMPDIR names";
  if (is_native_aot(process)) {
    return base::Status::error(
        who +
        " is a native (AOT) .NET program: it has no runtime that an agent could be loaded into; perf "
        "can profile it");
  }
  if (what == NoPort::kForbidden)
    return base::Status::error("the diagnostics socket of " + who +
                               " may not be used by this user; run walkabout as root");
  if (what == NoPort::kForeign)
    return base::Status::error("the diagnostics socket of " + who + " in " + folder +
                               " is not its own: another process or user put it there, and nothing was sent "
                               "to it; find out whose it "
                               "is and remove it, then restart the process");
  if (std::string by; switched_off(process, &by)) {
    const bool port_only = by.find("_IPC") != std::string::npos;
    return base::Status::error("the diagnostics of " + who + " are switched off (" + by +
                               "); start it without that" + (port_only ? ", or under `walkabout run`" : ""));
  }
  if (what == NoPort::kStale) {
    return base::Status::error(
        "the diagnostics socket of " + who + " in " + folder +
        " is stale: nobody listens on it (left over from an earlier process, or this one is ending); "
        "restart the process, or profile it with `walkabout run`");
  }
  if (!has_runtime(process))
    return base::Status::error(who + " is not a .NET program (no runtime is loaded in it)");
  return base::Status::error(
      who + " has no diagnostics socket in " + folder +
      ": was the socket or that folder deleted, or are diagnostics switched off "
      "(DOTNET_EnableDiagnostics)? Restart the process, or profile it with `walkabout run`");
}

}  // namespace walkabout::diagnostics
