// A unit of .debug_line, whatever is in it: rows have their bytes, paths are bounded.
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "symbols/dwarf/line_program.h"

using namespace walkabout;
using fuzz::expect;

namespace {

std::string_view text(const std::vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

// u16: the offset of the unit; so many bytes of texts as a u16 says, twice; then the units.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const uint16_t offset = in.u16();
  const std::vector<uint8_t> line_strings = in.bytes(in.u16()), strings = in.bytes(in.u16()),
                             units = in.rest();
  const auto program =
      symbols::LineProgram::read({text(units), text(line_strings), text(strings)}, offset, "/made");
  if (!program) return 0;
  size_t rows = 0;
  program->run([&](const symbols::LineRow& row) {
    expect(row.begin < row.end, "a row has code");
    const std::string path = program->path(row.file);
    expect(path.size() <= symbols::LineProgram::kLongestPath, "paths are bounded");
    expect(program->md5(row.file).empty() || program->md5(row.file).size() == 16, "a checksum is whole");
    return ++rows <= units.size();
  });
  expect(rows <= units.size(), "each row has its byte");
  return 0;
}
