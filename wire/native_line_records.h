// What leads from an address in native code to a source line, and to the functions that the compiler has put
// in there: what DWARF says of the addresses that samples hit. Added by the CLI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "wire/field.h"
#include "wire/line_records.h"
#include "wire/record_type.h"

namespace walkabout::wire {

// A function whose code the compiler has put into another's.
struct NativeFunction {
  std::string name;      // demangled
  std::string raw_name;  // as in the DWARF, empty if the same
};
template <typename = void>
constexpr auto fields(const NativeFunction*) {
  return std::tuple(as::text(1, &NativeFunction::name, Place::kNone),
                    as::text(2, &NativeFunction::raw_name, Place::kNone));
}

// Documents and functions are numbered from 1; of a document and a line 0 is: not known.
struct NativeLines {
  static constexpr RecordType kType = RecordType::kNativeLines;
  base::CodeId module;
  std::string source;  // the file that they are from
  std::vector<Document> documents;
  std::vector<NativeFunction> functions;
  // By call that was replaced by the called function's code; calls count from 1.
  std::vector<uint64_t> function;       // which was called
  std::vector<uint64_t> parent;         // the call in whose code it stood, below its own number, or 0
  std::vector<uint64_t> call_document;  // where it stood
  std::vector<uint64_t> call_line;
  // By offset that was hit; what is said is of that byte alone.
  std::vector<uint64_t> offset;  // rising
  std::vector<uint64_t> call;    // the innermost whose code it is, or 0
  std::vector<uint64_t> document;
  std::vector<uint64_t> line;
};
template <typename = void>
constexpr auto fields(const NativeLines*) {
  return std::tuple(as::number(1, &NativeLines::module), as::text(2, &NativeLines::source, Place::kPath),
                    as::messages(3, &NativeLines::documents), as::messages(4, &NativeLines::functions),
                    as::column(5, &NativeLines::function), as::column(6, &NativeLines::parent),
                    as::column(7, &NativeLines::call_document), as::differences(8, &NativeLines::call_line),
                    as::rising(9, &NativeLines::offset), as::differences(10, &NativeLines::call),
                    as::column(11, &NativeLines::document), as::differences(12, &NativeLines::line));
}

}  // namespace walkabout::wire
