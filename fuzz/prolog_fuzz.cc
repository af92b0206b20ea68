// The prolog decoder and the epilog decoder, over the same bytes as code.
#include <algorithm>
#include <cstring>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "unwind/machine/epilog_x64.h"
#include "unwind/pe/pe_codes.h"
#include "unwind/pe/pe_test_info.h"
#include "unwind/pe/pe_unwind.h"
#include "unwind/pe/prolog_x64.h"

using namespace walkabout;
using namespace walkabout::unwind;
using fuzz::expect;

namespace {

constexpr uint64_t kCode = 0x500000;

bool equal(const Registers& a, const Registers& b) { return std::memcmp(a.r, b.r, sizeof a.r) == 0; }

void decode(const std::vector<uint8_t>& code) {
  const PrologInfo info = decode_prolog(code);
  const UnwindInfo bytes(info.bytes, info.size);
  expect(info.size <= sizeof info.bytes && unwind_info_size(bytes) == info.size,
         "a prolog becomes an UNWIND_INFO");
  expect(info.bytes[1] <= code.size(), "a prolog lies in its code");
  uint8_t last = info.bytes[1];
  for (pe::Codes codes(bytes); !codes.done();) {
    pe::Code one;
    expect(codes.next(&one) && one.offset <= last && one.offset > 0,
           "the last instruction's code comes first");
    last = one.offset;
  }
  for (uint64_t offset = 0; offset <= uint64_t{info.bytes[1]} + 1; ++offset) {
    Registers regs = testing::distinct_registers();
    expect(undo_prolog(bytes, offset, regs, testing::readable_everywhere()) == UnwindStatus::kOk,
           "a decoded prolog can be undone");
  }
}

void undo(const std::vector<uint8_t>& code, size_t at) {
  const auto from = code.begin() + static_cast<ptrdiff_t>(at);
  const std::vector<uint8_t> window(
      from, from + static_cast<ptrdiff_t>(std::min(code.size() - at, kEpilogWindow + 8)));
  const uint64_t end = kCode + code.size();
  Registers before = testing::distinct_registers();
  before.pc() = kCode + at;
  Registers after = before;
  const Epilog undone = undo_epilog(window, kCode, end, after, testing::readable_everywhere());
  expect(undone != Epilog::kBadMemory, "no memory is bad here");
  expect((undone == Epilog::kUndone) == is_epilog(window, kCode, end, before.pc()),
         "is_epilog and undo_epilog agree");
  expect(undone == Epilog::kUndone || equal(before, after), "what is no epilog changes nothing");
  Registers kept = before;
  const Epilog without = undo_epilog(window, kCode, end, kept, Memory{});
  expect(without == (undone == Epilog::kUndone ? Epilog::kBadMemory : Epilog::kNot) && equal(before, kept),
         "without memory an epilog is still one, but not undone");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint8_t> code(data, data + std::min<size_t>(size, 256));
  decode(code);
  for (size_t at = 0; at <= code.size(); ++at) undo(code, at);
  return 0;
}
