// The shared mapping that holds all rings: a memfd, which the collector holds too, so that what a killed
// target had not handed over outlives it (collect/recovery.h reads it); its descriptor is in the host's
// table. Pages are given out slot by slot, before a handler can write to them: a handler must never be the
// first to touch memory that may not be had. What is not given out can be neither read nor written:
// createdump (createdump/crashinfo.cpp) writes into a dump all that can, touched or not, and the whole
// mapping is hundreds of megabytes. The kernel leaves it out of its core files (MADV_DONTDUMP). Thread rule:
// map() once; otherwise that of Rings.
#pragma once

#include "agent/linux/descriptor_host.h"
#include "agent/shared/rings.h"

namespace walkabout::agent {

class RingMemory final : public Rings {
 public:
  explicit RingMemory(DescriptorHost& host) : host_(host), fd_(host) {}
  // REQUIRES: no handler writes to it any more.
  ~RingMemory();

  // An error where the program has a limit of address space that it could run into because of us. To be asked
  // before the agent has a thread: what one took of it is not given back. With such a limit it opens a file.
  static base::Status leaves_room(uint32_t ring_size, uint64_t behind = 0);
  base::Status map(uint32_t ring_size, uint64_t monotonic_start_ns);
  // The same of counters of calls behind them (wire/counter_blocks.h): an error where it may not grow so
  // much.
  base::Status may_grow_to(uint64_t size) const;
  // Makes a part of the memory behind the rings exist, and maps it there, in place of what is there, in one
  // step. Page by page.
  base::Status map_at(void* address, uint64_t offset, uint64_t size);
  int fd() const { return fd_.get(); }

 private:
  base::Status commit(uint64_t offset, uint64_t size) override;
  void drop(uint64_t offset, uint64_t size) override;

  DescriptorHost& host_;
  HostedFd fd_;
};

}  // namespace walkabout::agent
