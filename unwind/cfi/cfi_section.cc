#include "unwind/cfi/cfi_section.h"

#include "unwind/cfi/cfi_pointer.h"
#include "unwind/machine/registers.h"

namespace walkabout::unwind {
namespace {

constexpr uint32_t kExtendedLength = 0xffffffff;
constexpr uint8_t kHeaderVersion = 1;
// FDEs without code are skipped when they share the table key of one that has some. Linkers make no run of
// them.
constexpr int kMaxEmptyFdes = 8;

// The bytes of one entry behind its length field. False at the terminator, at the end and when the length
// lies.
bool read_body(const MappedBytes& frames, size_t offset, CfiReader* body, size_t* next) {
  if (offset > frames.size) return false;
  CfiReader reader(frames.rest(frames.address + offset));
  uint64_t length = reader.u32();
  if (length == kExtendedLength) length = reader.u64();
  const MappedBytes bytes = reader.take(length);
  if (!reader.ok() || length == 0) return false;
  *body = CfiReader(bytes);
  *next = static_cast<size_t>(bytes.data - frames.data) + bytes.size;
  return true;
}

// The letters behind "z". An unknown one may carry data we cannot skip before the encoding: refused.
bool read_augmentation(const char* letters, CfiReader& data, Cie* cie) {
  for (const char* letter = letters; *letter != 0; ++letter) {
    switch (*letter) {
      case 'R':
        cie->pointer_encoding = data.u8();
        break;
      case 'P':
        skip_pointer(data, data.u8());
        break;
      case 'L':
        data.u8();
        break;
      case 'S':
        cie->signal_frame = true;
        break;
      case 'B':
        break;  // AArch64 pointer authentication; carries no data
      default:
        return false;
    }
  }
  return data.ok();
}

// The augmentation string, zero-terminated inside the entry; null when it is not.
const char* read_string(CfiReader& reader) {
  const uint8_t* begin = reader.here();
  const void* end = std::memchr(begin, 0, reader.left());
  if (end == nullptr) return nullptr;
  reader.skip(static_cast<size_t>(static_cast<const uint8_t*>(end) - begin) + 1);
  return reinterpret_cast<const char*>(begin);
}

bool read_return_column(CfiReader& reader, uint8_t version, Cie* cie) {
  const uint64_t column = version == 1 ? reader.u8() : reader.uleb();
  if (column >= kRegCount) return false;
  cie->return_column = static_cast<uint8_t>(column);
  return true;
}

CfiStatus read_cie(const MappedBytes& frames, size_t offset, Cie* cie) {
  CfiReader reader;
  size_t next = 0;
  if (!read_body(frames, offset, &reader, &next)) return CfiStatus::kMalformed;
  const uint32_t id = reader.u32();
  const uint8_t version = reader.u8();
  if (!reader.ok() || id != 0 || (version != 1 && version != 3 && version != 4)) return CfiStatus::kMalformed;
  const char* augmentation = read_string(reader);
  if (augmentation == nullptr) return CfiStatus::kMalformed;
  const bool gcc2 = std::strcmp(augmentation, "eh") == 0;
  if (gcc2) reader.skip(8);  // a pointer to its exception table
  if (version == 4 && (reader.u8() != 8 || reader.u8() != 0))
    return CfiStatus::kMalformed;  // address, segment size
  cie->code_align = reader.uleb();
  cie->data_align = reader.sleb();
  if (!read_return_column(reader, version, cie)) return CfiStatus::kMalformed;
  cie->augmented = augmentation[0] == 'z';
  if (cie->augmented) {
    CfiReader data(reader.take(reader.uleb()));
    if (!reader.ok() || !read_augmentation(augmentation + 1, data, cie)) return CfiStatus::kMalformed;
  } else if (augmentation[0] != 0 && !gcc2) {
    return CfiStatus::kMalformed;
  }
  cie->instructions = reader.take_rest();
  if (!reader.ok()) return CfiStatus::kMalformed;
  cie->offset = offset;
  return CfiStatus::kOk;
}

struct HeaderFields {
  uint8_t count_encoding = 0;
  uint8_t table_encoding = 0;
  uint64_t frames = 0;
};

bool read_header(CfiReader& reader, HeaderFields* fields) {
  const uint64_t data_base = reader.address();
  const uint8_t version = reader.u8();
  const uint8_t frames_encoding = reader.u8();
  fields->count_encoding = reader.u8();
  fields->table_encoding = reader.u8();
  return version == kHeaderVersion && read_pointer(reader, frames_encoding, data_base, &fields->frames);
}

// 0 when there is no table, or one whose entries differ in size.
uint64_t table_entry_size(uint8_t encoding) { return uint64_t{2} * pointer_size(encoding); }

// The pc (field 0) or FDE address (field 1) of a table entry. REQUIRES: index < table_count, which open_cfi
// checked to lie inside the header.
uint64_t table_value(const CfiSection& section, uint64_t index, unsigned field) {
  const MappedBytes& header = section.header;
  const uint8_t* entries = header.data + section.table_offset;
  if (section.table_encoding == kPointerDataRelativeS4) {
    int32_t relative;
    std::memcpy(&relative, entries + index * 8 + field * 4, sizeof relative);
    return header.address + static_cast<uint64_t>(static_cast<int64_t>(relative));
  }
  const unsigned size = pointer_size(section.table_encoding);
  const size_t at = section.table_offset + static_cast<size_t>((index * 2 + field) * size);
  CfiReader reader(header.part(header.address + at, size));
  uint64_t value = 0;
  read_pointer(reader, section.table_encoding, header.address, &value);
  return value;
}

CfiStatus find_by_table(const CfiSection& section, uint64_t pc, Fde* fde) {
  uint64_t first = 0;
  for (uint64_t count = section.table_count; count > 0;) {  // the first entry behind pc
    const uint64_t half = count / 2;
    const bool before = table_value(section, first + half, 0) <= pc;
    first = before ? first + half + 1 : first;
    count = before ? count - half - 1 : half;
  }
  for (int tries = 0; first > 0 && tries < kMaxEmptyFdes; ++tries) {
    uint64_t begin = 0;
    const CfiStatus status = read_table_entry(section, --first, &begin, fde);
    if (status != CfiStatus::kOk) return status;
    if (pc >= fde->begin && pc < fde->end) return CfiStatus::kOk;
    if (fde->begin != fde->end) return CfiStatus::kNoRule;
  }
  return CfiStatus::kNoRule;
}

CfiStatus find_from_front(const CfiSection& section, uint64_t pc, Fde* fde) {
  for (size_t offset = 0, next = 0;; offset = next) {
    const CfiStatus status = read_fde(section, offset, fde, &next);
    if (status == CfiStatus::kOk && pc >= fde->begin && pc < fde->end) return CfiStatus::kOk;
    if (next == offset) return CfiStatus::kNoRule;
  }
}

}  // namespace

bool read_frames_address(const MappedBytes& header, uint64_t* address) {
  CfiReader reader(header);
  HeaderFields fields;
  if (!read_header(reader, &fields)) return false;
  *address = fields.frames;
  return true;
}

bool open_cfi(const MappedBytes& header, const MappedBytes& image, CfiSection* section) {
  CfiReader reader(header);
  HeaderFields fields;
  if (!read_header(reader, &fields)) return false;
  *section = CfiSection{};
  section->header = header;
  section->frames = image.rest(fields.frames);
  if (section->empty()) return false;
  const uint64_t entry = table_entry_size(fields.table_encoding);
  if (fields.count_encoding == kPointerOmit || entry == 0) return true;
  uint64_t count = 0;
  if (!read_pointer(reader, fields.count_encoding, header.address, &count) || count > reader.left() / entry)
    return false;
  // A probe: an encoding that cannot be read for one entry cannot be for any.
  CfiReader probe = reader;
  uint64_t ignored = 0;
  if (count > 0 && !read_pointer(probe, fields.table_encoding, header.address, &ignored)) return false;
  section->table_encoding = fields.table_encoding;
  section->table_offset = static_cast<uint32_t>(reader.here() - header.data);
  section->table_count = count;
  return true;
}

CfiStatus read_fde(const CfiSection& section, size_t offset, Fde* fde, size_t* next) {
  CfiReader reader;
  size_t behind = offset;
  const bool entry = read_body(section.frames, offset, &reader, &behind);
  if (next != nullptr) *next = behind;
  if (!entry) return CfiStatus::kNoRule;
  // The pointer back to the CIE has 4 bytes also behind a 64-bit length (LSB 10.6.1), and counts from itself.
  const size_t here = static_cast<size_t>(reader.here() - section.frames.data);
  const uint32_t back = reader.u32();
  if (!reader.ok()) return CfiStatus::kMalformed;
  if (back == 0) return CfiStatus::kNoRule;
  if (back > here) return CfiStatus::kMalformed;
  if (fde->cie.offset != here - back) {
    fde->cie = Cie{};
    const CfiStatus status = read_cie(section.frames, here - back, &fde->cie);
    if (status != CfiStatus::kOk) return status;
  }
  const uint8_t encoding = fde->cie.pointer_encoding;
  uint64_t length = 0;
  if (!read_pointer(reader, encoding, section.header.address, &fde->begin)) return CfiStatus::kMalformed;
  if (!read_pointer_range(reader, encoding, &length)) return CfiStatus::kMalformed;
  if (fde->cie.augmented) reader.skip(reader.uleb());
  if (!reader.ok() || __builtin_add_overflow(fde->begin, length, &fde->end)) return CfiStatus::kMalformed;
  fde->instructions = reader.take_rest();
  return CfiStatus::kOk;
}

CfiStatus read_table_entry(const CfiSection& section, uint64_t index, uint64_t* begin, Fde* fde) {
  *begin = table_value(section, index, 0);
  const uint64_t address = table_value(section, index, 1);
  if (!section.frames.contains(address)) return CfiStatus::kMalformed;
  const CfiStatus status = read_fde(section, static_cast<size_t>(address - section.frames.address), fde);
  return status == CfiStatus::kOk && fde->begin == *begin ? CfiStatus::kOk : CfiStatus::kMalformed;
}

CfiStatus find_fde(const CfiSection& section, uint64_t pc, Fde* fde) {
  return section.table_count > 0 ? find_by_table(section, pc, fde) : find_from_front(section, pc, fde);
}

}  // namespace walkabout::unwind
