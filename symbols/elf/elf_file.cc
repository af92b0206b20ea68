#include "symbols/elf/elf_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "base/system_error.h"

namespace walkabout::symbols {

base::Result<ElfFile> ElfFile::open(const std::string& path, const FileRoot& root) {
  // Nonblocking: a recording may name a FIFO.
  base::Fd fd = root.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (!fd.valid()) return base::system_error(path);
  return from_fd(std::move(fd), path);
}

base::Result<ElfFile> ElfFile::from_fd(base::Fd fd, const std::string& name) {
  elf_version(EV_CURRENT);
  ElfFile file;
  file.fd_ = std::move(fd);
  struct stat info {};
  if (fstat(file.fd_.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return base::Status::error(name + ": not a regular file");
  }
  file.elf_.reset(elf_begin(file.fd_.get(), ELF_C_READ, nullptr));
  if (base::Status status = file.check(); !status.ok()) {
    return base::Status::error(name + ": " + status.message());
  }
  return file;
}

base::Result<ElfFile> ElfFile::from_memory(std::string image) {
  elf_version(EV_CURRENT);
  ElfFile file;
  file.image_ = std::make_unique<std::string>(std::move(image));
  file.elf_.reset(elf_memory(file.image_->data(), file.image_->size()));
  if (base::Status status = file.check(); !status.ok()) return status;
  return file;
}

base::Result<ElfFile> ElfFile::mapped() const {
  ElfFile file;
  file.fd_ = base::Fd(::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0));
  file.elf_.reset(elf_begin(file.fd_.get(), ELF_C_READ_MMAP, nullptr));
  if (base::Status status = file.check(); !status.ok()) return status;
  return file;
}

base::Status ElfFile::check() const {
  if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF) return base::Status::error("not an ELF file");
  if (gelf_getclass(elf_.get()) != ELFCLASS64) return base::Status::error("not a 64-bit ELF file");
  return {};
}

base::Status ElfFile::check_whole() const {
  struct stat info {};
  GElf_Ehdr header;
  if ((!image_ && fstat(fd_.get(), &info) != 0) || gelf_getehdr(elf_.get(), &header) == nullptr)
    return base::Status::error("it cannot be read");
  const size_t size = image_ ? image_->size() : static_cast<size_t>(info.st_size);
  size_t sections = 0;
  const bool known = elf_getshdrnum(elf_.get(), &sections) == 0 && sections > 0;
  if (header.e_shoff == 0) return base::Status::error("it has no sections");
  bool whole = known && header.e_shoff <= size && (size - header.e_shoff) / sizeof(Elf64_Shdr) >= sections;
  for_each_section([&](const Section& s) {
    if (s.header.sh_type == SHT_NOBITS) return;
    whole = whole && s.header.sh_offset <= size && s.header.sh_size <= size - s.header.sh_offset;
  });
  return whole ? base::Status() : base::Status::error("it is cut off");
}

std::string ElfFile::build_id() const {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf_.get(), &bytes);
  return size > 0 ? std::string(static_cast<const char*>(bytes), static_cast<size_t>(size)) : std::string();
}

DebugLink ElfFile::debug_link() const {
  GElf_Word crc = 0;
  const char* name = dwelf_elf_gnu_debuglink(elf_.get(), &crc);
  if (name == nullptr || *name == '\0' || std::strchr(name, '/') != nullptr) return {};
  return {name, crc};
}

uint16_t ElfFile::machine() const {
  GElf_Ehdr header;
  return gelf_getehdr(elf_.get(), &header) != nullptr ? header.e_machine : static_cast<uint16_t>(EM_NONE);
}

void ElfFile::for_each_section(const std::function<void(const Section&)>& visit) const {
  size_t names = 0;
  const bool named = elf_getshdrstrndx(elf_.get(), &names) == 0;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf_.get(), scn)) != nullptr;) {
    Section section;
    section.scn = scn;
    if (gelf_getshdr(scn, &section.header) == nullptr) continue;
    if (named) section.name = string(names, section.header.sh_name);
    visit(section);
  }
}

Section ElfFile::section(const std::string& name) const {
  Section found;
  for_each_section([&](const Section& s) {
    if (found.scn == nullptr && s.name == name) found = s;
  });
  return found;
}

Section ElfFile::section_of_type(uint32_t type) const {
  Section found;
  for_each_section([&](const Section& s) {
    if (found.scn == nullptr && s.header.sh_type == type) found = s;
  });
  return found;
}

std::string_view ElfFile::bytes(const Section& section) {
  if (section.scn == nullptr || section.header.sh_type == SHT_NOBITS) return {};
  const Elf_Data* data = elf_rawdata(section.scn, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const char*>(data->d_buf), data->d_size};
}

void ElfFile::for_each_relocation(const Section& section,
                                  const std::function<void(const GElf_Rela&)>& visit) {
  Elf_Data* data = elf_getdata(section.scn, nullptr);
  if (data == nullptr || section.header.sh_entsize == 0) return;
  const auto count = static_cast<int>(std::min<size_t>(data->d_size / section.header.sh_entsize, 1 << 24));
  for (int i = 0; i < count; ++i) {
    GElf_Rela relocation;
    if (gelf_getrela(data, i, &relocation) == nullptr) return;
    visit(relocation);
  }
}

const char* ElfFile::string(size_t table, size_t offset) const {
  const char* text = elf_strptr(elf_.get(), table, offset);
  return text != nullptr ? text : "";
}

}  // namespace walkabout::symbols
