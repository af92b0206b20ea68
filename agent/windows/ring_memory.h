// The mapping that holds all rings: a section of the page file, reserved as a whole, its memory given out
// slot by slot. Thread rule: map() once; otherwise that of Rings.
#pragma once

#include "agent/shared/rings.h"

namespace walkabout::agent {

class RingMemory final : public Rings {
 public:
  // REQUIRES: nobody writes to it any more.
  ~RingMemory();

  base::Status map(uint32_t ring_size, uint64_t monotonic_start_ns);

 private:
  base::Status commit(uint64_t offset, uint64_t size) override;

  void* section_ = nullptr;
};

}  // namespace walkabout::agent
