// The file of a ready-to-run image, whatever is in it: each name is bounded, and of a function that holds the
// address it was asked for.
#include <algorithm>
#include <vector>

#include "clr/names/type_name.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "precompiled/image_names.h"

using namespace walkabout;
using fuzz::expect;

namespace {

constexpr uint32_t kMostFunctions = 64;
constexpr size_t kMostText = clr::kLongestTypeName + 8;

void ask(precompiled::ImageNames& names, uint32_t rva) {
  const auto method = names.method_at(rva);
  if (!method) return;
  expect(method->function.begin <= rva && rva < method->function.end, "the function holds the address");
  const clr::MethodName& name = method->name;
  for (const std::string* text : {&name.type, &name.method, &name.parameters})
    expect(text->size() <= kMostText, "names are bounded");
}

}  // namespace

// u8: the runtime's major version; the rest is the file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const int runtime = in.u8();
  const std::vector<uint8_t> file = in.rest();
  const auto assembly = precompiled::Assembly::read(file, "/app/Made.dll");
  if (!assembly) return 0;
  precompiled::ImageNames names(*assembly, runtime, [&](std::string_view) { return &*assembly; });
  const precompiled::ReadyToRun* const code = names.code();
  if (code == nullptr) return 0;
  for (uint32_t i = 0; i < std::min(code->functions(), kMostFunctions); ++i) {
    ask(names, code->function(i).begin);
    ask(names, code->function(i).end - 1);
  }
  return 0;
}
