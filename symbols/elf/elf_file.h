// An ELF file opened for reading through libelf. The file is nobody's friend: libelf checks bounds, we check
// kinds, and nothing is mapped, so a file that shrinks while it is read cannot raise SIGBUS.
//
// Move only; one thread at a time. Addresses are the file's own (virtual addresses, as in
// wire::FrameKind::kNative).
#pragma once

#include <gelf.h>

#include <functional>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "symbols/elf/file_root.h"

namespace walkabout::symbols {

struct DebugLink {
  std::string file;  // a bare file name
  uint32_t crc = 0;
};

struct Section {
  Elf_Scn* scn = nullptr;
  GElf_Shdr header{};
  std::string name;
};

class ElfFile {
 public:
  // Errors: not a regular file, not readable, not a 64-bit ELF file.
  static base::Result<ElfFile> open(const std::string& path, const FileRoot& root = {});
  // name: for errors.
  static base::Result<ElfFile> from_fd(base::Fd fd, const std::string& name);
  // image: the bytes of a file (the vDSO).
  static base::Result<ElfFile> from_memory(std::string image);

  // An error when it has no sections, or a part of it is missing at its end: a file that was cut off.
  base::Status check_whole() const;
  // Raw bytes of the GNU build id; empty if it has none.
  std::string build_id() const;
  // file is empty if there is no .gnu_debuglink, or none to trust (a path instead of a name).
  DebugLink debug_link() const;
  uint16_t machine() const;
  // libelf's own, for other libraries that read of it. Valid as long as this is.
  Elf* elf() const { return elf_.get(); }
  // The same file mapped, for a process that may be ended by SIGBUS. REQUIRES: from a file.
  base::Result<ElfFile> mapped() const;
  // -1: from memory.
  int fd() const { return fd_.get(); }

  void for_each_section(const std::function<void(const Section&)>& visit) const;
  // scn is null if there is none.
  Section section(const std::string& name) const;
  Section section_of_type(uint32_t type) const;
  // The bytes of a section, empty if it has none in the file. Valid as long as the ElfFile is.
  static std::string_view bytes(const Section& section);
  // Of a section of type SHT_RELA, as far as it can be read.
  static void for_each_relocation(const Section& section, const std::function<void(const GElf_Rela&)>& visit);
  // Name at `offset` of string table number `table`; "" where there is none.
  const char* string(size_t table, size_t offset) const;

 private:
  struct Close {
    void operator()(Elf* elf) const { elf_end(elf); }
  };
  ElfFile() = default;
  base::Status check() const;

  // In the order of construction: elf_ reads from the others.
  base::Fd fd_;
  std::unique_ptr<std::string> image_;
  std::unique_ptr<Elf, Close> elf_;
};

}  // namespace walkabout::symbols
