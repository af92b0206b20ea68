// For tests and benchmarks: an ELF file's segments mapped as the loader maps them, but neither relocated nor
// run, and the libraries of this machine to try on. Allocates; any thread.
#pragma once

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "base/fd.h"
#include "unwind/cfi/elf_image.h"
#include "unwind/machine/test_memory.h"

namespace walkabout::unwind::testing {

class MappedElf {
 public:
  explicit MappedElf(const std::string& path) { ok_ = map(path) && read(); }
  ~MappedElf() {
    if (base_ != nullptr) ::munmap(base_, size_);
  }
  MappedElf(const MappedElf&) = delete;
  MappedElf& operator=(const MappedElf&) = delete;

  bool ok() const { return ok_; }
  const ElfImage& image() const { return image_; }
  uint64_t bias() const { return image_.bias; }

 private:
  static constexpr uint64_t kPage = 4096;

  bool map(const std::string& path) {
    const base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    Elf64_Ehdr header{};
    if (!fd.valid() || ::pread(fd.get(), &header, sizeof header, 0) != sizeof header) return false;
    headers_.resize(header.e_phnum);
    const auto bytes = static_cast<ssize_t>(headers_.size() * sizeof(Elf64_Phdr));
    if (::pread(fd.get(), headers_.data(), bytes, static_cast<off_t>(header.e_phoff)) != bytes) return false;
    for (const Elf64_Phdr& h : headers_) {
      if (h.p_type == PT_LOAD) size_ = std::max(size_, (h.p_vaddr + h.p_memsz + kPage - 1) & ~(kPage - 1));
    }
    void* base =
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return false;
    base_ = static_cast<uint8_t*>(base);
    for (const Elf64_Phdr& h : headers_) {
      if (h.p_type == PT_LOAD && !map_segment(fd.get(), h)) return false;
    }
    return true;
  }

  bool map_segment(int fd, const Elf64_Phdr& h) {
    const uint64_t before = h.p_vaddr % kPage;
    const uint64_t length = before + h.p_filesz;
    if (length == 0) return true;
    void* at = base_ + (h.p_vaddr - before);
    const auto offset = static_cast<off_t>(h.p_offset - before);
    return ::mmap(at, length, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, offset) != MAP_FAILED;
  }

  bool read() {
    const LoadedElf loaded{reinterpret_cast<uint64_t>(base_), headers_};
    return read_elf_image(loaded, memory_of(base_, size_), &image_);
  }

  bool ok_ = false;
  uint8_t* base_ = nullptr;
  size_t size_ = 0;
  std::vector<Elf64_Phdr> headers_;
  ElfImage image_;
};

// The first of `paths` that exists; empty if none does.
inline std::string first_existing(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (::access(path.c_str(), R_OK) == 0) return path;
  }
  return {};
}

inline std::string system_library(const std::string& name) {
  return first_existing({"/lib/x86_64-linux-gnu/" + name, "/usr/lib/x86_64-linux-gnu/" + name,
                         "/lib64/" + name, "/usr/lib64/" + name, "/lib/" + name, "/usr/lib/" + name});
}

// The folder of the newest Microsoft.NETCore.App, as `dotnet --list-runtimes` tells; empty without dotnet.
inline std::string dotnet_runtime_folder() {
  FILE* pipe = ::popen("dotnet --list-runtimes 2>/dev/null", "r");
  if (pipe == nullptr) return {};
  std::string folder;
  char line[4096];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    char name[64];
    char version[64];
    char path[2048];
    if (std::sscanf(line, "%63s %63s [%2047[^]]]", name, version, path) != 3) continue;
    if (std::strcmp(name, "Microsoft.NETCore.App") == 0) folder = std::string(path) + "/" + version;
  }
  ::pclose(pipe);
  return folder;
}

}  // namespace walkabout::unwind::testing
