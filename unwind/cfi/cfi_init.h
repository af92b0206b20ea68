// The stack at each instruction of an image's initializer as linkers put it together: .init is the pieces
// that crti.o, crtn.o and others wrote for it, and most of them come without an FDE. It is a call or two with
// the stack moved by 8 around them (glibc's crti.S), and GNU ld begins the code segment, so a page, with it.
// dlopen runs it.
//
// Pure, async-signal-safe. Source: glibc, sysdeps/x86_64/crti.S and crtn.S.
#pragma once

#include <cstdint>

#include "unwind/rule/cfi_reader.h"
#include "unwind/rule/cfi_rule.h"

namespace walkabout::unwind {

// The most bytes of an initializer that are looked at.
inline constexpr uint64_t kInitSize = 128;

// [begin, end): CFA = rsp + 8 but between `moved` and `back`, where it is rsp + 16.
struct InitCode {
  uint64_t begin = 0;
  uint64_t moved = 0;
  uint64_t back = 0;
  uint64_t end = 0;

  CfiRule rule(uint64_t pc) const { return stack_rule(pc < moved || pc >= back ? 8 : 16); }
};

// The initializer at the begin of pc's page, if there is one and pc lies in it.
bool read_init(const MappedBytes& code, uint64_t pc, InitCode* init);

}  // namespace walkabout::unwind
