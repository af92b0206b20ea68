// What `walkabout cover` reads back: counts of a process, and its own files.
#include <string_view>

#include "cover/affected_tests.h"
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
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const base::Result<cover::TestMap> map = cover::read_test_map(text);
  if (map.ok()) cover::affected_tests(*map, {{"f", 1, 9, false}, {"f", 3, 4, true}});
  for (const cover::ChangedLines& change : cover::read_diff(text))
    expect(change.first <= change.last && !change.file.empty(), "it changes lines of a file");
  return 0;
}
