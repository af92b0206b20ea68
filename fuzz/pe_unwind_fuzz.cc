// A PE image as it is mapped: its headers, its exception directory, UNWIND_INFOs, chained ones too, and the
// rules made of them.
#include <algorithm>
#include <cstring>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "unwind/managed/managed_step.h"
#include "unwind/pe/pe_image.h"
#include "unwind/pe/pe_test_info.h"
#include "unwind/pe/pe_unwind.h"
#include "unwind/rule/cfi_step.h"

using namespace walkabout;
using namespace walkabout::unwind;
using fuzz::expect;

namespace {

constexpr uint32_t kMostMapped = 64 * 1024;

Memory memory_of(const std::vector<uint8_t>& bytes) {
  Memory memory;
  memory.lo = reinterpret_cast<uint64_t>(bytes.data());
  memory.hi = memory.lo + bytes.size();
  return memory;
}

bool equal(const Registers& a, const Registers& b) { return std::memcmp(a.r, b.r, sizeof a.r) == 0; }

void expect_inside(const PeImage& pe) {
  expect(pe.code_begin <= pe.code_end && pe.code_end <= pe.size, "code lies in the image");
  expect(uint64_t{pe.functions} + uint64_t{pe.function_count} * sizeof(RuntimeFunction) <= pe.size,
         "the exception directory lies in the image");
}

// The step as a rule and the step itself, where memory has every word.
void step(const Image& image, uint64_t pc, bool interrupted) {
  const Memory memory = testing::readable_everywhere();
  Registers stepped = testing::distinct_registers();
  stepped.pc() = pc;
  Registers by_rule = stepped;
  const Registers before = stepped;
  const Step step = step_ready_to_run(image, interrupted, stepped, memory);
  expect(step == Step::kStepped || equal(stepped, before), "a step that fails changes nothing");
  ManagedFunction function;
  if (!ready_to_run_function(image, interrupted ? pc : pc - 1, &function) ||
      !rule_holds(function, pc, interrupted, memory))
    return;
  expect(step == Step::kStepped && cfi_step(function.rule, by_rule, memory) == StepStatus::kOk,
         "a rule is a step");
  expect(equal(stepped, by_rule), "the rule says what the codes do");
}

void undo(const std::vector<uint8_t>& bytes, uint8_t offset) {
  const size_t size = unwind_info_size(bytes);
  expect(size <= bytes.size(), "an info lies in its bytes");
  Registers regs = testing::distinct_registers();
  (void)undo_prolog(bytes, offset, regs, testing::readable_everywhere());
  (void)undo_prolog(bytes, offset, regs, memory_of(bytes));
}

}  // namespace

// flags: 1 the bytes are an UNWIND_INFO alone.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const uint8_t flags = in.u8();
  const uint8_t offset = in.u8();
  std::vector<uint8_t> bytes = in.rest();
  if ((flags & 1) != 0) {
    undo(bytes, offset);
    return 0;
  }
  const auto base = reinterpret_cast<uint64_t>(bytes.data());
  const std::optional<PeImage> headers = read_pe_image(base, memory_of(bytes));
  if (!headers || headers->size > kMostMapped || headers->size < bytes.size()) return 0;
  bytes.resize(headers->size);  // what is not given is zero
  bytes.shrink_to_fit();
  const std::optional<PeImage> pe = read_pe_image(reinterpret_cast<uint64_t>(bytes.data()), memory_of(bytes));
  if (!pe) return 0;
  expect_inside(*pe);
  if (pe->functions % alignof(RuntimeFunction) != 0) return 0;
  Image image;
  image.managed = true;
  image.base = pe->base;
  image.begin = pe->base + pe->code_begin;
  image.end = pe->base + pe->code_end;
  image.mapped = bytes;
  image.functions = {reinterpret_cast<const RuntimeFunction*>(bytes.data() + pe->functions),
                     pe->function_count};
  const uint64_t count = std::min<uint64_t>(pe->code_end - pe->code_begin, 256);
  for (uint64_t i = 0; i < count; ++i) {
    step(image, image.begin + i, true);
    step(image, image.begin + i + 1, false);
  }
  return 0;
}
