// For tests: PE images written by hand, and files of the runtime mapped section by section, as it maps them.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/fd.h"
#include "unwind/cfi/cfi_test_image.h"
#include "unwind/pe/pe_image.h"

namespace walkabout::unwind::testing {

template <typename T>
T get(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// A minimal mapped image: headers, two sections. Offsets within it are named, so that a test can break each.
class HandMadePe {
 public:
  static constexpr uint32_t kPe = 0x80, kOptional = kPe + 24, kSections = kOptional + 240, kSize = 0x4000;
  static constexpr uint32_t kImageSize = kOptional + 56, kDirectoryCount = kOptional + 108,
                            kDirectories = kOptional + 112;
  static constexpr uint32_t kExceptions = kDirectories + 3 * 8, kCli = kDirectories + 14 * 8;

  HandMadePe() : bytes_(kSize) {
    set<uint16_t>(0, 0x5a4d);
    set<uint32_t>(0x3c, kPe);
    set<uint32_t>(kPe, 0x4550);
    set<uint16_t>(kPe + 4, 0xfd1d);
    set<uint16_t>(kPe + 6, 2);
    set<uint16_t>(kPe + 20, 240);
    set<uint16_t>(kOptional, 0x20b);
    set<uint32_t>(kImageSize, kSize);
    set<uint32_t>(kDirectoryCount, 16);
    set<uint32_t>(kExceptions, 0x2000);
    set<uint32_t>(kExceptions + 4, 3 * 12);
    set<uint32_t>(kCli, 0x2100);
    set<uint32_t>(kCli + 4, 72);
    set<uint32_t>(0x2100 + 68, 16);  // the native header's size
    section(0, 0x1000, 0x800, 0x60000020);
    section(1, 0x2000, 0x1000, 0x40000040);
  }
  template <typename T>
  HandMadePe& set(uint32_t at, T value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }
  HandMadePe& section(uint32_t index, uint32_t rva, uint32_t size, uint32_t characteristics) {
    const uint32_t at = kSections + index * 40;
    return set(at + 8, size).set(at + 12, rva).set(at + 36, characteristics);
  }
  std::optional<PeImage> read() const {
    return read_pe_image(base(), memory_of(bytes_.data(), bytes_.size()));
  }
  std::optional<PeImage> read_first(size_t size) const {
    return read_pe_image(base(), memory_of(bytes_.data(), size));
  }
  uint64_t base() const { return reinterpret_cast<uint64_t>(bytes_.data()); }

 private:
  std::vector<uint8_t> bytes_;
};

class MappedPe {
 public:
  explicit MappedPe(const std::string& path) {
    const base::Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat about {};
    if (!fd.valid() || ::fstat(fd.get(), &about) != 0 || about.st_size < 4096) return;
    const auto file_size = static_cast<size_t>(about.st_size);
    void* file = ::mmap(nullptr, file_size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (file == MAP_FAILED) return;
    copy_sections(static_cast<const uint8_t*>(file), file_size);
    ::munmap(file, file_size);
    if (base_ != nullptr) image_ = read_pe_image(reinterpret_cast<uint64_t>(base_), memory_of(base_, size_));
  }
  ~MappedPe() {
    if (base_ != nullptr) ::munmap(base_, size_);
  }
  MappedPe(const MappedPe&) = delete;
  MappedPe& operator=(const MappedPe&) = delete;

  const std::optional<PeImage>& image() const { return image_; }
  std::span<const uint8_t> mapped() const { return {base_, size_}; }
  std::span<const RuntimeFunction> functions() const {
    return {reinterpret_cast<const RuntimeFunction*>(base_ + image_->functions), image_->function_count};
  }

 private:
  void copy_sections(const uint8_t* file, size_t file_size) {
    const uint8_t* pe = file + get<uint32_t>(file + 0x3c);
    if (get<uint16_t>(pe + 24) != 0x20b) return;  // 32-bit headers: only IL inside
    size_ = get<uint32_t>(pe + 24 + 56);
    void* memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    base_ = static_cast<uint8_t*>(memory);
    std::memcpy(base_, file, get<uint32_t>(pe + 24 + 60));  // the headers
    const uint8_t* section = pe + 24 + get<uint16_t>(pe + 20);
    for (uint16_t i = 0; i < get<uint16_t>(pe + 6); ++i, section += 40) {
      const auto rva = get<uint32_t>(section + 12), raw_size = get<uint32_t>(section + 16),
                 raw = get<uint32_t>(section + 20);
      if (rva < size_ && raw < file_size)
        std::memcpy(base_ + rva, file + raw, std::min<size_t>({raw_size, size_ - rva, file_size - raw}));
    }
  }

  uint8_t* base_ = nullptr;
  size_t size_ = 0;
  std::optional<PeImage> image_;
};

}  // namespace walkabout::unwind::testing
