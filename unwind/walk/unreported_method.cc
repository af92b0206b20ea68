#include "unwind/walk/unreported_method.h"

#include <algorithm>
#include <cstring>

#include "unwind/code/code_header.h"
#include "unwind/machine/epilog_x64.h"
#include "unwind/pe/pe_unwind.h"

namespace walkabout::unwind {
namespace {

constexpr uint64_t kBlock = 512;  // of code, read at once; a page holds whole ones
constexpr uint64_t kLowest = 4096, kUserEnd = uint64_t{1} << 47;
constexpr int kMostCandidates = 64;  // the data of stubs is full of pointers

bool may_be_pointer(uint64_t word) { return word % 8 == 0 && word >= kLowest && word < kUserEnd; }

// What the runtime writes where a heap of code begins: mov rax, imm64; jmp rax (to the routine for
// exceptions).
bool is_heap(uint64_t base, const Memory& memory) {
  uint8_t jump[12];
  return memory.load_bytes(base, jump, sizeof jump) && jump[0] == 0x48 && jump[1] == 0xb8 &&
         jump[10] == 0xff && jump[11] == 0xe0;
}

// Is code there as far as the walk may look at it? `end` is no more than a guess.
bool has_code(uint64_t lookup, uint64_t end, const Memory& memory) {
  uint8_t last = 0;
  return memory.load_bytes(std::min(end, lookup + 1 + kEpilogWindow) - 1, &last, 1);
}

bool take_unwind_info(uint64_t address, const Memory& memory, UnreportedMethod* method) {
  if (!memory.load_bytes(address, method->info, kUnwindHeaderSize)) return false;
  const size_t size = kUnwindHeaderSize + method->info[2] * size_t{2};
  if (!memory.load_bytes(address, method->info, size)) return false;
  if (unwind_info_size({method->info, size}) != size) return false;
  method->region.unwind = method->info;
  method->region.unwind_size = static_cast<uint32_t>(size);
  return true;
}

// The function or funclet that holds lookup. False: what lies at header is not the header of a method at
// start.
bool function_of(uint64_t header_address, uint64_t start, uint64_t lookup, const Memory& memory,
                 UnreportedMethod* method) {
  uint8_t head[kCodeHeaderSize + sizeof(RuntimeFunction)];
  CodeHeader header{};
  RuntimeFunction f;
  if (!memory.load_bytes(header_address, head, sizeof head)) return false;
  std::memcpy(&header, head, kCodeHeaderSize);
  std::memcpy(&f, head + kCodeHeaderSize, sizeof f);
  if (!may_be_pointer(header.method) || header.unwind_infos == 0 || header.unwind_infos > kMaxFunclets)
    return false;
  if (f.begin > start || !is_heap(start - f.begin, memory)) return false;
  const uint64_t base = start - f.begin;
  uint32_t end = f.begin;
  for (uint32_t i = 0; i < header.unwind_infos; ++i) {
    const uint64_t at = header_address + kCodeHeaderSize + i * sizeof f;
    if (i > 0 && !memory.load_bytes(at, &f, sizeof f)) return false;
    if (f.begin < end || f.end <= f.begin) return false;
    end = f.end;
    if (lookup - (base + f.begin) >= f.end - f.begin) continue;
    method->region.begin = base + f.begin;
    method->region.method_start = start;
    method->region.size = f.end - f.begin;
    return has_code(lookup, base + f.end, memory) && take_unwind_info(base + f.unwind, memory, method);
  }
  return false;
}

}  // namespace

bool find_unreported(uint64_t lookup, const JitMap& jitted, const Memory& memory, UnreportedMethod* method) {
  const uint64_t below = jitted.end_below(lookup);
  if (below == 0 || below > lookup || lookup - below > kNeighbourBytes) return false;
  uint64_t words[kBlock / sizeof(uint64_t)];
  uint64_t block = 0;
  int candidates = 0;
  for (uint64_t start = lookup / 8 * 8; start >= below + 8; start -= 8) {
    const uint64_t at = start - 8;
    if (at / kBlock * kBlock != block) {
      block = at / kBlock * kBlock;
      if (!memory.load_bytes(block, words, sizeof words)) return false;
    }
    const uint64_t word = words[(at - block) / 8];
    if (!may_be_pointer(word)) continue;
    if (function_of(word, start, lookup, memory, method)) return true;
    if (++candidates == kMostCandidates) return false;
  }
  return false;
}

}  // namespace walkabout::unwind
