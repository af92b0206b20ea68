// What `walkabout cover` reads back: counts of a process, and its own files.
#include <string_view>

#include "cover/count_reader.h"
#include "cover/outputs_of_coverage.h"
#include "fuzz/fuzz_target.h"

using namespace walkabout;
using fuzz::expect;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cover::Counted counted;
  if (cover::read_counts({data, size}, &counted).ok())
    expect(counted.processes + counted.without_file == 1, "it is one process's");
  const base::Result<cover::Coverage> coverage =
      cover::read_cover({reinterpret_cast<const char*>(data), size});
  if (coverage.ok()) {
    cover::Coverage twice = *coverage;
    cover::merge(*coverage, &twice);
    const cover::Totals once = totals_of(*coverage), both = totals_of(twice);
    expect(both.lines == once.lines && both.lines_hit == once.lines_hit, "what ran twice ran");
  }
  return 0;
}
