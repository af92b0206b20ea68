// The source lines of one compilation unit: a line number program of section .debug_line, versions 2 to 5,
// and its table of files. libdw has a reader of the same, but that one keeps every row of a unit, about a
// hundred bytes each, has no checksums, and mixes the rows of functions that the linker has removed, which
// lie at address 0, with those of others. This one keeps the files alone, and hands out rows as it meets
// them.
//
// The bytes are hostile and have to outlive it. One thread. Source: DWARF 5, section 6.2.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace walkabout::symbols {

struct LineSections {
  std::string_view programs;      // .debug_line
  std::string_view line_strings;  // .debug_line_str
  std::string_view strings;       // .debug_str
};

// Code of one line: [begin, end).
struct LineRow {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t file = 0;  // as in LineProgram::file()
  uint64_t line = 0;  // 0: of no line
  // Where the run of rows begins that it is in. Of functions that the linker has removed that is in no code.
  uint64_t sequence = 0;
};

class LineProgram {
 public:
  static constexpr size_t kLongestPath = 4096;

  // folder: in which the compiler ran. None: there is no program at `offset`, or its header is damaged.
  static std::optional<LineProgram> read(const LineSections& sections, uint64_t offset,
                                         std::string_view folder);

  // number: as in rows and in DW_AT_call_file. The path is complete as far as the table says it, without "."
  // and
  // ".."; empty: there is no such file.
  std::string path(uint64_t number) const;
  // Of its contents: 16 bytes, or empty.
  std::string md5(uint64_t number) const;

  // Calls each(row) for all that have code, in the program's order; of two of one address the later counts,
  // and the other has no code. Stops when `each` returns false. False: the program is damaged; what came
  // before counts.
  bool run(const std::function<bool(const LineRow&)>& each) const;

 private:
  struct File {
    std::string_view name;
    uint64_t folder = 0;
    std::string_view md5;
  };
  struct Machine;

  bool read_header(const LineSections& sections, std::string_view unit, unsigned offset_size);
  const File* file(uint64_t number) const;

  std::string folder_;
  std::string_view program_;
  uint16_t version_ = 0;
  uint8_t shortest_instruction_ = 1;
  int8_t line_base_ = 0;
  uint8_t line_range_ = 1;
  std::vector<uint8_t> operands_;  // of opcode i + 1, how many
  std::vector<std::string_view> folders_;
  std::vector<File> files_;
};

}  // namespace walkabout::symbols
