// The reader of the code header the runtime keeps of a jitted method: what it accepts can be walked with.
#include <sys/mman.h>

#include <cstring>

#include "agent/core/jit_unwind.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"

using namespace walkabout;
using fuzz::expect;

namespace {

constexpr size_t kSize = 4096;

// A page whose neighbour cannot be read.
uint8_t* page() {
  static uint8_t* const memory = [] {
    void* both = ::mmap(nullptr, 2 * kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ::mprotect(static_cast<uint8_t*>(both) + kSize, kSize, PROT_NONE);
    return static_cast<uint8_t*>(both);
  }();
  return memory;
}

}  // namespace

// The header's place, the code's place and size, the method it is looked up for; then the memory.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const uint16_t header = in.u16();
  const size_t code = in.u16() % kSize;
  const uint32_t code_size = in.u16();
  const uint64_t method = in.u64();
  const std::vector<uint8_t> bytes = in.bytes(kSize);
  uint8_t* memory = page();
  std::memset(memory, 0, kSize);
  if (!bytes.empty()) std::memcpy(memory, bytes.data(), bytes.size());
  const uint64_t header_address = reinterpret_cast<uint64_t>(memory) + header;
  if (code >= 8) std::memcpy(memory + code - 8, &header_address, sizeof header_address);

  const uint64_t start = reinterpret_cast<uint64_t>(memory) + code;
  agent::JitUnwindReader reader;
  if (!reader.open(start, code_size, method)) return 0;
  for (uint32_t i = 0; i < reader.regions(); ++i) {
    agent::UnwindRegion region;
    if (!reader.region(i, &region)) continue;
    expect(region.begin >= start && region.size > 0, "a region lies in its method");
    expect(region.begin + region.size <= start + code_size, "a region ends in its method");
    expect(region.info_size <= sizeof region.info, "an info fits");
    expect(unwind::unwind_info_size({region.info, region.info_size}) == region.info_size, "an info is valid");
  }
  return 0;
}
