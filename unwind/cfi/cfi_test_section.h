// For tests: writes .eh_frame sections by hand, entry by entry, and the .eh_frame_hdr that goes with them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_section.h"

namespace walkabout::unwind::testing {

using Bytes = std::vector<uint8_t>;

template <typename T>
void append(Bytes& to, T value) {
  const size_t at = to.size();
  to.resize(at + sizeof value);
  std::memcpy(to.data() + at, &value, sizeof value);
}
inline void append_all(Bytes& to, const Bytes& bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }
inline Bytes operator+(Bytes a, const Bytes& b) {
  append_all(a, b);
  return a;
}
inline Bytes uleb(uint64_t value) {
  Bytes bytes;
  do {
    bytes.push_back(static_cast<uint8_t>((value & 0x7f) | (value > 0x7f ? 0x80 : 0)));
    value >>= 7;
  } while (value != 0);
  return bytes;
}
inline Bytes sleb(int64_t value) {
  Bytes bytes;
  for (bool more = true; more; value >>= 7) {
    more = value < -64 || value > 63;
    bytes.push_back(static_cast<uint8_t>((value & 0x7f) | (more ? 0x80 : 0)));
  }
  return bytes;
}

struct CieShape {
  uint8_t version = 1;
  std::string augmentation = "zR";
  Bytes augmentation_data = {0x1b};  // pcrel sdata4
  uint64_t code_align = 1;
  int64_t data_align = -8;
  Bytes return_column = {16};
  Bytes instructions = {0x0c, 7, 8, 0x90, 1};  // CFA = rsp + 8, the return address at CFA - 8
  Bytes before_alignment = {};                 // version 4: address and segment size
  bool extended_length = false;
};

// Encodes a pc; `at` is the address its first byte gets. The default is pcrel sdata4.
using PcWriter = Bytes (*)(uint64_t pc, uint64_t at);
inline Bytes pcrel_s4(uint64_t pc, uint64_t at) {
  Bytes bytes;
  append(bytes, static_cast<int32_t>(pc - at));
  return bytes;
}

class SectionWriter {
 public:
  static constexpr uint64_t kAddress = 0x400000;        // of .eh_frame
  static constexpr uint64_t kHeaderAddress = 0x3f0000;  // of .eh_frame_hdr
  static constexpr uint64_t kText = 0x500000;           // where tests put code

  // Returns the offset of the entry, for fde().
  size_t cie(const CieShape& shape = {}) {
    Bytes body(4, 0);
    body.push_back(shape.version);
    for (const char letter : shape.augmentation) body.push_back(static_cast<uint8_t>(letter));
    body.push_back(0);
    if (shape.augmentation == "eh") append<uint64_t>(body, 0x1234);
    append_all(body, shape.before_alignment);
    append_all(body, uleb(shape.code_align));
    append_all(body, sleb(shape.data_align));
    append_all(body, shape.return_column);
    augmented_ = !shape.augmentation.empty() && shape.augmentation[0] == 'z';
    if (augmented_) append_all(body, uleb(shape.augmentation_data.size()) + shape.augmentation_data);
    append_all(body, shape.instructions);
    return entry(body, shape.extended_length);
  }

  // REQUIRES: cie() returned `cie`, and no other CIE was written since.
  size_t fde(size_t cie, uint64_t begin, uint32_t length, const Bytes& instructions,
             PcWriter write_pc = pcrel_s4, Bytes length_bytes = {}) {
    if (length_bytes.empty()) append(length_bytes, length);
    Bytes body;
    append<uint32_t>(body, static_cast<uint32_t>(bytes_.size() + 4 - cie));
    append_all(body, write_pc(begin, kAddress + bytes_.size() + 8));
    append_all(body, length_bytes);
    if (augmented_) body.push_back(0);
    append_all(body, instructions);
    const size_t at = entry(body, false);
    places_.push_back({begin, at});
    return at;
  }

  void terminator() { append<uint32_t>(bytes_, 0); }
  Bytes& bytes() { return bytes_; }
  const Bytes& bytes() const { return bytes_; }
  Bytes& header() { return header_; }

  // Without .eh_frame_hdr. REQUIRES: the writer outlives the section and is not written to.
  CfiSection section() const {
    CfiSection section;
    section.frames = mapped();
    return section;
  }
  MappedBytes mapped() const { return {bytes_.data(), bytes_.size(), kAddress}; }
  MappedBytes mapped_header() const { return {header_.data(), header_.size(), kHeaderAddress}; }

  void write_header() {
    header_ = {1, 0x1b, 0x03, 0x3b};  // pcrel sdata4, udata4, datarel sdata4
    append(header_, static_cast<int32_t>(kAddress - (kHeaderAddress + 4)));
    append(header_, static_cast<uint32_t>(places_.size()));
    std::stable_sort(places_.begin(), places_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [begin, offset] : places_) {
      append(header_, static_cast<int32_t>(begin - kHeaderAddress));
      append(header_, static_cast<int32_t>(kAddress + offset - kHeaderAddress));
    }
  }
  // With a sorted .eh_frame_hdr; an empty section if it cannot be opened.
  CfiSection indexed() {
    write_header();
    CfiSection section;
    return open_cfi(mapped_header(), mapped(), &section) ? section : CfiSection{};
  }

 private:
  size_t entry(const Bytes& body, bool extended) {
    const size_t at = bytes_.size();
    if (extended) {
      append<uint32_t>(bytes_, 0xffffffff);
      append<uint64_t>(bytes_, body.size());
    } else {
      append<uint32_t>(bytes_, static_cast<uint32_t>(body.size()));
    }
    append_all(bytes_, body);
    return at;
  }

  Bytes bytes_;
  Bytes header_;
  bool augmented_ = false;
  std::vector<std::pair<uint64_t, size_t>> places_;
};

inline constexpr uint64_t kText = SectionWriter::kText;

// A section of one FDE of 256 bytes at kText.
inline SectionWriter one_function(const Bytes& instructions, const CieShape& shape = {}) {
  SectionWriter writer;
  writer.fde(writer.cie(shape), kText, 256, instructions);
  writer.terminator();
  return writer;
}

}  // namespace walkabout::unwind::testing
