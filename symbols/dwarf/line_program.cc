#include "symbols/dwarf/line_program.h"

#include <dwarf.h>

#include <algorithm>
#include <filesystem>

#include "symbols/dwarf/data_cursor.h"

namespace walkabout::symbols {
namespace {

constexpr size_t kMostTableEntries = 1 << 20;  // files, and folders, of one unit
constexpr size_t kMostFormats = 32;
constexpr uint32_t kLongUnit = 0xffffffff;  // a length of 64 bits follows

struct Format {
  uint64_t content = 0;  // DW_LNCT_…
  uint64_t form = 0;
};

// What an entry of a table says, by DW_LNCT_….
struct Entry {
  std::string_view path, md5;
  uint64_t folder = 0;
};

std::string_view text_at(std::string_view section, uint64_t offset) {
  return offset < section.size() ? DataCursor(section.substr(offset)).text() : std::string_view();
}

// Reads the entries of version 5: a table says itself what its entries have.
class EntryReader {
 public:
  EntryReader(const LineSections& sections, unsigned offset_size)
      : sections_(sections), offset_size_(offset_size) {}

  bool read_formats(DataCursor& in) {
    formats_.clear();
    const size_t count = in.u8();
    if (count > kMostFormats) return false;
    for (size_t i = 0; i < count; ++i) {
      const uint64_t content = in.unsigned_number();
      formats_.push_back({content, in.unsigned_number()});
    }
    return in.ok();
  }
  bool read(DataCursor& in, Entry& entry) const {
    for (const Format& format : formats_) {
      std::string_view text;
      uint64_t number = 0;
      if (!value(in, format.form, text, number)) return false;
      if (format.content == DW_LNCT_path) entry.path = text;
      if (format.content == DW_LNCT_directory_index) entry.folder = number;
      if (format.content == DW_LNCT_MD5 && format.form == DW_FORM_data16) entry.md5 = text;
    }
    return in.ok();
  }
  bool is_empty() const { return formats_.empty(); }

 private:
  bool value(DataCursor& in, uint64_t form, std::string_view& text, uint64_t& number) const {
    switch (form) {
      case DW_FORM_string:
        text = in.text();
        return true;
      case DW_FORM_line_strp:
        text = text_at(sections_.line_strings, in.fixed(offset_size_));
        return true;
      case DW_FORM_strp:
        text = text_at(sections_.strings, in.fixed(offset_size_));
        return true;
      case DW_FORM_udata:
        number = in.unsigned_number();
        return true;
      case DW_FORM_data1:
        number = in.u8();
        return true;
      case DW_FORM_data2:
        number = in.u16();
        return true;
      case DW_FORM_data4:
        number = in.u32();
        return true;
      case DW_FORM_data8:
        number = in.u64();
        return true;
      case DW_FORM_data16:
        text = in.bytes(16);
        return true;
      case DW_FORM_block:
        text = in.bytes(in.unsigned_number());
        return true;
      default:
        return false;  // how long it is nobody knows
    }
  }

  const LineSections& sections_;
  const unsigned offset_size_;
  std::vector<Format> formats_;
};

bool is_absolute(std::string_view path) { return path.starts_with('/'); }

std::string joined(std::string_view folder, std::string_view name) {
  if (folder.empty() || is_absolute(name)) return std::string(name);
  return std::string(folder) + (folder.ends_with('/') ? "" : "/") + std::string(name);
}

}  // namespace

// The registers that a program changes.
struct LineProgram::Machine {
  uint64_t address = 0, file = 1, line = 1;
  bool in_sequence = false;
  LineRow row;  // the one before, whose end is not known yet
};

std::optional<LineProgram> LineProgram::read(const LineSections& sections, uint64_t offset,
                                             std::string_view folder) {
  if (offset >= sections.programs.size()) return std::nullopt;
  DataCursor in(sections.programs.substr(offset));
  uint64_t length = in.u32();
  const unsigned offset_size = length == kLongUnit ? 8 : 4;
  if (length == kLongUnit) length = in.u64();
  const std::string_view unit = in.bytes(length);
  LineProgram program;
  program.folder_ = folder;
  if (!in.ok() || !program.read_header(sections, unit, offset_size)) return std::nullopt;
  return program;
}

bool LineProgram::read_header(const LineSections& sections, std::string_view unit, unsigned offset_size) {
  DataCursor in(unit);
  version_ = in.u16();
  if (version_ < 2 || version_ > 5) return false;
  if (version_ == 5) in.u16();  // sizes of addresses and of segment selectors
  const uint64_t header = in.fixed(offset_size);
  if (!in.ok() || header > in.left()) return false;
  program_ = unit.substr(unit.size() - in.left() + header);
  in = DataCursor(unit.substr(unit.size() - in.left(), header));
  shortest_instruction_ = in.u8();
  if (version_ >= 4) in.u8();  // operations of one instruction: of processors that nobody runs .NET on
  in.u8();                     // whether a row begins a statement
  line_base_ = static_cast<int8_t>(in.u8());
  line_range_ = in.u8();
  const uint8_t first_special = in.u8();
  if (!in.ok() || line_range_ == 0 || first_special == 0) return false;
  for (unsigned opcode = 1; opcode < first_special; ++opcode) operands_.push_back(in.u8());
  if (version_ < 5) {
    folders_.emplace_back();  // the first is the one in which the compiler ran
    files_.emplace_back();    // files count from 1
    for (std::string_view name; !(name = in.text()).empty();) folders_.push_back(name);
    for (std::string_view name; !(name = in.text()).empty();) {
      files_.push_back({name, in.unsigned_number(), {}});
      in.unsigned_number(), in.unsigned_number();  // time and size
    }
    return in.ok() && files_.size() <= kMostTableEntries;
  }
  EntryReader entries(sections, offset_size);
  for (const bool of_files : {false, true}) {
    if (!entries.read_formats(in)) return false;
    const uint64_t count = in.unsigned_number();
    if (count > kMostTableEntries || (count > 0 && entries.is_empty())) return false;
    for (uint64_t i = 0; i < count; ++i) {
      Entry entry;
      if (!entries.read(in, entry)) return false;
      if (of_files)
        files_.push_back({entry.path, entry.folder, entry.md5});
      else
        folders_.push_back(entry.path);
    }
  }
  return in.ok();
}

const LineProgram::File* LineProgram::file(uint64_t number) const {
  return number < files_.size() && !files_[number].name.empty() ? &files_[number] : nullptr;
}

std::string LineProgram::path(uint64_t number) const {
  const File* found = file(number);
  if (found == nullptr) return {};
  std::string path(found->name);
  if (!is_absolute(path) && found->folder < folders_.size()) path = joined(folders_[found->folder], path);
  path = joined(folder_, path);
  if (path.size() > kLongestPath) return {};
  return std::filesystem::path(path).lexically_normal().string();
}

std::string LineProgram::md5(uint64_t number) const {
  const File* found = file(number);
  return found == nullptr ? std::string() : std::string(found->md5);
}

bool LineProgram::run(const std::function<bool(const LineRow&)>& each) const {
  DataCursor in(program_);
  Machine m;
  bool wanted = true;
  const auto add_row = [&](bool is_last) {
    m.row.end = m.address;
    if (m.in_sequence && m.row.begin < m.row.end) wanted = each(m.row);
    m.row = {m.address, 0, m.file, m.line, m.in_sequence ? m.row.sequence : m.address};
    m.in_sequence = !is_last;
    if (is_last) m = {};
  };
  const auto advance = [&](uint64_t instructions) { m.address += instructions * shortest_instruction_; };
  while (wanted && !in.at_end()) {
    const uint8_t opcode = in.u8();
    if (opcode > operands_.size()) {
      const unsigned special = opcode - static_cast<unsigned>(operands_.size()) - 1;
      advance(special / line_range_);
      m.line += static_cast<uint64_t>(static_cast<int64_t>(line_base_) + special % line_range_);
      add_row(false);
      continue;
    }
    switch (opcode) {
      case 0: {
        DataCursor extended(in.bytes(in.unsigned_number()));
        const uint8_t what = extended.u8();
        if (!extended.ok()) return false;
        if (what == DW_LNE_end_sequence) add_row(true);
        if (what == DW_LNE_set_address) m.address = extended.fixed(std::min<size_t>(extended.left(), 8));
        break;
      }
      case DW_LNS_copy:
        add_row(false);
        break;
      case DW_LNS_advance_pc:
        advance(in.unsigned_number());
        break;
      case DW_LNS_advance_line:
        m.line += static_cast<uint64_t>(in.signed_number());
        break;
      case DW_LNS_set_file:
        m.file = in.unsigned_number();
        break;
      case DW_LNS_const_add_pc:
        advance((255 - operands_.size() - 1) / line_range_);
        break;
      case DW_LNS_fixed_advance_pc:
        m.address += in.u16();
        break;
      default:
        for (uint8_t i = 0; i < operands_[opcode - 1]; ++i) in.unsigned_number();
    }
  }
  return in.ok();
}

}  // namespace walkabout::symbols
