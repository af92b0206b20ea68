#include "symbols/elf/loaded_data.h"

#include <algorithm>
#include <cstring>

namespace walkabout::symbols {
namespace {

using Word = LoadedData::Word;

constexpr size_t kLongestIdentifier = 200;

bool begins_identifier(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
bool goes_on(char c) { return begins_identifier(c) || (c >= '0' && c <= '9') || c == '.'; }

std::vector<Word> plain_words(std::string_view bytes) {
  std::vector<Word> words(bytes.size() / sizeof(uint64_t));
  for (size_t i = 0; i < words.size(); ++i)
    std::memcpy(&words[i].value, bytes.data() + i * sizeof(uint64_t), sizeof(uint64_t));
  return words;
}

void relocate(const Section& section, uint64_t begin, std::vector<Word>& words) {
  ElfFile::for_each_relocation(section, [&](const GElf_Rela& relocation) {
    const uint64_t offset = relocation.r_offset - begin;
    if (GELF_R_TYPE(relocation.r_info) != R_X86_64_RELATIVE || relocation.r_offset < begin ||
        offset % sizeof(uint64_t) != 0 || offset / sizeof(uint64_t) >= words.size())
      return;
    words[offset / sizeof(uint64_t)] = {static_cast<uint64_t>(relocation.r_addend), true};
  });
}

}  // namespace

LoadedData LoadedData::read(const ElfFile& file, const std::string& name) {
  if (file.machine() != EM_X86_64) return {};
  const Section data = file.section(name);
  const Section code = file.section(".text");
  const Section texts = file.section(".rodata");
  if (data.scn == nullptr || code.scn == nullptr || texts.scn == nullptr) return {};
  const uint64_t begin = data.header.sh_addr;
  std::vector<Word> words = plain_words(ElfFile::bytes(data));
  file.for_each_section([&](const Section& section) {
    if (section.header.sh_type == SHT_RELA) relocate(section, begin, words);
  });
  return {begin,
          std::move(words),
          {code.header.sh_addr, code.header.sh_addr + code.header.sh_size},
          texts.header.sh_addr,
          ElfFile::bytes(texts)};
}

std::string_view LoadedData::identifier(const Word& word) const {
  if (!word.address || word.value < texts_begin_ || word.value - texts_begin_ >= texts_.size()) return {};
  const std::string_view rest = texts_.substr(static_cast<size_t>(word.value - texts_begin_));
  const size_t length = rest.substr(0, kLongestIdentifier).find('\0');
  if (length == std::string_view::npos || length == 0 || !begins_identifier(rest[0])) return {};
  const std::string_view text = rest.substr(0, length);
  return std::all_of(text.begin(), text.end(), goes_on) ? text : std::string_view();
}

}  // namespace walkabout::symbols
