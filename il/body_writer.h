// A method's body as bytes. One that was read and not changed is what it was; else branches and clauses are
// as short as they were where they still reach, and longer where they do not; a header is tiny where it was
// and still can be. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body.h"
#include "il/cause.h"

namespace walkabout::il {

// Where an instruction of the body that was read begins in the one that is written, or what was inserted
// before it. Rises in both.
struct Moved {
  uint32_t from = 0, to = 0;
  bool operator==(const Moved&) const = default;
};

struct WrittenBody {
  std::vector<uint8_t> bytes;
  std::vector<Moved> moved;  // as the runtime's COR_IL_MAP: all of their kind

  // Where a place of the old code is now; of one within an instruction that of the instruction. REQUIRES:
  // the code had bytes.
  uint32_t moved_to(uint32_t from) const;
};

Cause write_body(const Body& body, WrittenBody* written);

}  // namespace walkabout::il
