#include "symbols/elf/image_code.h"

#include <cstring>

#include "base/byte_pattern.h"

namespace walkabout::symbols {

ImageCode ImageCode::read(const ElfFile& file) {
  if (file.machine() != EM_X86_64) return {};
  const Section code = file.section(".text");
  const std::string_view bytes = ElfFile::bytes(code);
  return {code.header.sh_addr, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}};
}

bool ImageCode::is(std::string_view pattern, uint64_t address) const {
  return contains(address) && base::is_pattern_at(pattern, bytes_, static_cast<size_t>(address - begin_));
}

std::optional<uint64_t> ImageCode::target(uint64_t address) const {
  int32_t distance = 0;
  if (!contains(address) || bytes_.size() - (address - begin_) < sizeof distance) return std::nullopt;
  std::memcpy(&distance, bytes_.data() + (address - begin_), sizeof distance);
  return address + sizeof distance + static_cast<uint64_t>(int64_t{distance});
}

}  // namespace walkabout::symbols
