#include "tests/stacks/capture/trace.h"

#include <algorithm>
#include <cstring>

namespace walkabout::stacks {
namespace {

struct Tracing {
  const unwind::Memory* memory;
  CapturedWalk* walk;
  bool room = true;
};

bool traced_read(void* context, uint64_t address, void* to, size_t size) {
  auto* tracing = static_cast<Tracing*>(context);
  if (!tracing->memory->load_bytes(address, to, size)) return false;
  tracing->room = tracing->room && tracing->walk->note(address, to, size);
  return true;
}

const uint8_t* traced_code(void* context, uint64_t pc, size_t size) {
  auto* tracing = static_cast<Tracing*>(context);
  const auto* bytes = reinterpret_cast<const uint8_t*>(pc);
  tracing->room = tracing->room && tracing->walk->note(pc, bytes, size);
  return bytes;
}

// From the leaf's red zone to the highest word the walk read.
void copy_stack(const unwind::Memory& memory, CapturedWalk* walk) {
  uint64_t highest = 0;
  for (uint32_t i = 0; i < walk->read_count; ++i) {
    const uint64_t end = walk->reads[i].address + walk->reads[i].size;
    if (end > memory.lo && end <= memory.hi) highest = std::max(highest, end);
  }
  if (highest <= memory.lo) return;
  walk->stack_begin = memory.lo;
  walk->stack_size = static_cast<uint32_t>(std::min<uint64_t>(highest - memory.lo, kMaxStack));
  std::memcpy(walk->stack, reinterpret_cast<const void*>(memory.lo), walk->stack_size);
}

}  // namespace

bool CapturedWalk::note(uint64_t address, const void* bytes, size_t size) {
  if (read_count == kMaxReads || size > kMaxReadBytes) return false;
  Read& read = reads[read_count++];
  read.address = address;
  read.size = static_cast<uint32_t>(size);
  std::memcpy(read.bytes, bytes, size);
  return true;
}

bool trace(WalkFunction walker, const unwind::Memory& memory, const unwind::CodeMap& code,
           CapturedWalk* walk) {
  Tracing tracing{&memory, walk};
  unwind::Memory traced;
  traced.slow = traced_read;
  traced.code = traced_code;
  traced.context = &tracing;
  unwind::FrameSink sink(walk->frames, kMaxFrames);
  walk->traced = walker(walk->leaf, traced, code, sink, nullptr, unwind::Seed::kNotWanted);
  walk->traced_count = sink.total();
  copy_stack(memory, walk);
  return tracing.room && !sink.left_out();
}

}  // namespace walkabout::stacks
