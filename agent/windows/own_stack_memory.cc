#include "agent/windows/own_stack_memory.h"

#include <cstring>

#include "agent/windows/self_memory.h"

namespace walkabout::agent {
namespace {

// Of the calling thread's environment block. Source: as thread_handle.cc.
template <uint32_t offset>
uint64_t block_word() {
  uint64_t word = 0;
  asm("movq %%gs:%c1, %0" : "=r"(word) : "i"(offset));
  return word;
}

}  // namespace

uint64_t stack_base() { return block_word<0x8>(); }
uint64_t stack_end() { return block_word<0x1478>(); }

OwnStackMemory::OwnStackMemory(uint64_t sp, clr::ThreadID clr, const unwind::PeCodeMap& code)
    : clr_(clr), code_(code) {
  memory_.slow = read;
  memory_.context = this;
  if (sp < stack_base() && sp > stack_end()) {
    memory_.lo = sp;
    memory_.hi = stack_base();
  }
}

// From then on what lies above the word is read where it is, and the rest by read().
void OwnStackMemory::met(void* context, const unwind::Registers& frame) {
  auto* self = static_cast<OwnStackMemory*>(context);
  self->topmost_ = frame;
  self->saw_managed_ = true;
  self->taken_ = hijacked_return(frame, false, self->clr_, self->memory_, self->code_);
  if (self->taken_.slot != 0 && self->memory_.hi != 0) self->memory_.lo = self->taken_.slot + 8;
}

bool OwnStackMemory::read(void* context, uint64_t address, void* to, size_t size) {
  const HijackedReturn& taken = static_cast<OwnStackMemory*>(context)->taken_;
  if (taken.slot == 0 || address != taken.slot || size != sizeof taken.original)
    return read_self(nullptr, address, to, size);
  std::memcpy(to, &taken.original, size);
  return true;
}

}  // namespace walkabout::agent
