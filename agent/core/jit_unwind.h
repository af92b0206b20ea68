// Finds the unwind data the JIT wrote for a method by its code header (unwind/code/code_header.h). Everything
// is checked against what the JIT event has, through reads that cannot fault; when it does not add up the
// caller decodes the prolog instead. Runs on the compiling thread; no allocation. A program compiles
// thousands of methods when it starts, and each read is a system call: what lies together is read at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/pe/pe_unwind.h"

namespace walkabout::agent {

struct UnwindRegion {
  uint64_t begin = 0;
  uint32_t size = 0;
  uint8_t info[4 + 2 * 255] = {};
  uint32_t info_size = 0;
};

class JitUnwindReader {
 public:
  // Opens the header of the compiled method at [start, start + size) of the method described by `method` (the
  // event's MethodID; a DynamicMethod's or stub's too). False when what lies there is not that header.
  bool open(uint64_t start, uint32_t size, uint64_t method);
  // The same where nothing reported what lies there: on success *method is what the header says, and the CLR
  // must be asked whether it is true.
  bool guess(uint64_t start, uint64_t* method);
  uint32_t regions() const { return count_; }
  bool region(uint32_t index, UnwindRegion* region);

 private:
  // The last that was read of one neighbourhood.
  class Window {
   public:
    bool load(uint64_t address, void* to, size_t size);

   private:
    uint64_t begin_ = 0;
    size_t size_ = 0;
    uint8_t bytes_[192] = {};
  };

  Window header_;  // with the table
  Window infos_;
  uint64_t start_ = 0;
  uint32_t size_ = 0;
  uint64_t table_ = 0;
  uint64_t base_ = 0;
  uint32_t count_ = 0;
};

}  // namespace walkabout::agent
