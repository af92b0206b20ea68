// A section of an image's data as the loader leaves it: its words, and which of them are addresses in the
// image (R_X86_64_RELATIVE). From the file alone.
//
// Immutable; any thread while the ElfFile it was read from lives. Addresses are the file's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "symbols/elf/elf_file.h"

namespace walkabout::symbols {

class LoadedData {
 public:
  struct Word {
    uint64_t value = 0;
    bool address = false;  // in the image
  };

  LoadedData() = default;
  // No words where the file has no such section, or is for another machine than x64.
  static LoadedData read(const ElfFile& file, const std::string& section);
  // words: from `begin` on. code: [begin, end). texts: from `texts_begin` on.
  LoadedData(uint64_t begin, std::vector<Word> words, std::pair<uint64_t, uint64_t> code,
             uint64_t texts_begin, std::string_view texts)
      : begin_(begin), words_(std::move(words)), code_(code), texts_begin_(texts_begin), texts_(texts) {}

  const std::vector<Word>& words() const { return words_; }
  uint64_t address(size_t index) const { return begin_ + index * sizeof(uint64_t); }
  bool is_code(const Word& word) const {
    return word.address && word.value >= code_.first && word.value < code_.second;
  }
  // Of letters, digits, _ and dots, with a letter or _ first; empty: the word leads to no such text.
  std::string_view identifier(const Word& word) const;

 private:
  uint64_t begin_ = 0;
  std::vector<Word> words_;
  std::pair<uint64_t, uint64_t> code_{0, 0};
  uint64_t texts_begin_ = 0;
  std::string_view texts_;
};

}  // namespace walkabout::symbols
