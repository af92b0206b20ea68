// Recorded stacks: a damaged file is refused, or its stacks are walked, in every way, within what was
// recorded.
#include <string>

#include "fuzz/fuzz_target.h"
#include "tests/stacks/check_stack.h"
#include "tests/stacks/situation.h"

using namespace walkabout;
using namespace walkabout::stacks;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  base::Result<StackFile> file = unpack(bytes);
  if (!file.ok()) file = decode(bytes);
  if (!file.ok()) return 0;
  const base::Result<StackFile> again = decode(encode(*file));
  fuzz::expect(again.ok() && encode(*again) == encode(*file), "what was read is written and read again");
  for (const Cfi cfi : {Cfi::kInterpreted, Cfi::kCompiled}) {
    const auto process = RecordedProcess::load(*file, cfi);
    if (!process.ok()) return 0;
    const unwind::MappedMemo memo = unwind::map_memo();
    for (const RecordedStack& stack : file->stacks) {
      check_stack(**process, stack, memo.get());
      situation_of(**process, stack, stack.frames);
    }
  }
  return 0;
}
