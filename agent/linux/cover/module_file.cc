#include "agent/linux/cover/module_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/fd.h"

namespace walkabout::agent {
namespace {

using precompiled::Bytes;

// Source: docs/specs/PE-COFF.md of dotnet/runtime.
constexpr size_t kDebugEntry = 28, kDebugTypeAt = 12;
constexpr uint32_t kEmbeddedPdb = 17;

constexpr std::string_view kTestFrameworks[] = {
    "xunit.core",           "xunit.v3.core",
    "nunit.framework",      "Microsoft.VisualStudio.TestPlatform.TestFramework",
    "MSTest.TestFramework", "TUnit.Core"};

Bytes map_file(const std::string& path) {
  const base::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const off_t end = file.valid() ? ::lseek(file.get(), 0, SEEK_END) : 0;
  if (end <= 0) return {};
  const auto size = static_cast<size_t>(end);
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  return memory == MAP_FAILED ? Bytes() : Bytes(static_cast<const uint8_t*>(memory), size);
}

void unmap_file(Bytes file) {
  if (!file.empty()) ::munmap(const_cast<uint8_t*>(file.data()), file.size());
}

}  // namespace

std::unique_ptr<ModuleFile> ModuleFile::map(const std::string& path, DescriptorHost& host) {
  Bytes file;
  host.call([&] { file = map_file(path); });
  auto image = precompiled::PeLayout::read(file);
  const auto metadata = image ? precompiled::Metadata::read(image->metadata()) : std::nullopt;
  if (metadata) return std::unique_ptr<ModuleFile>(new ModuleFile(file, std::move(*image), *metadata));
  unmap_file(file);
  return nullptr;
}

ModuleFile::~ModuleFile() { unmap_file(file_); }

bool ModuleFile::has_embedded_pdb() const {
  const Bytes entries = image_.directory(precompiled::PeLayout::Which::kDebug);
  for (size_t at = 0; at + kDebugEntry <= entries.size() && at < 64 * kDebugEntry; at += kDebugEntry) {
    if (precompiled::load<uint32_t>(entries, at + kDebugTypeAt) == kEmbeddedPdb) return true;
  }
  return false;
}

bool ModuleFile::has_tests() const {
  for (uint32_t row = 1; row <= metadata_.rows(precompiled::Table::kAssemblyRef); ++row) {
    const auto name = metadata_.assembly_ref(row);
    if (name &&
        std::find(std::begin(kTestFrameworks), std::end(kTestFrameworks), *name) != std::end(kTestFrameworks))
      return true;
  }
  return false;
}

}  // namespace walkabout::agent
