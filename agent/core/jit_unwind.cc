#include "agent/core/jit_unwind.h"

#include <string.h>

#include <algorithm>
#include <cstddef>

#include "agent/core/os.h"
#include "base/page_size.h"
#include "unwind/code/code_header.h"

namespace walkabout::agent {
namespace {

using unwind::CodeHeader;
using unwind::kCodeHeaderSize;

template <typename T>
bool load(uint64_t address, T* value) {
  return read_self(nullptr, address, value, sizeof *value);
}

}  // namespace

// More than was asked for only of the same page: what is mapped beyond it nobody knows.
bool JitUnwindReader::Window::load(uint64_t address, void* to, size_t size) {
  if (address < begin_ || address - begin_ > size_ || size > size_ - (address - begin_)) {
    const size_t ahead = std::min<size_t>(sizeof bytes_, base::kPageSize - address % base::kPageSize);
    if (ahead < size) return read_self(nullptr, address, to, size);
    begin_ = address;
    size_ = read_self(nullptr, address, bytes_, ahead) ? ahead : 0;
    if (size_ == 0) return false;
  }
  memcpy(to, bytes_ + (address - begin_), size);
  return true;
}

bool JitUnwindReader::open(uint64_t start, uint32_t size, uint64_t method) {
  uint64_t header_address = 0;
  CodeHeader header{};
  unwind::RuntimeFunction first;
  header_ = infos_ = Window();
  if (start < 8 || !load(start - 8, &header_address)) return false;
  if (header_address % 8 != 0 || !header_.load(header_address, &header, kCodeHeaderSize)) return false;
  if (header.method != method || header.unwind_infos == 0 || header.unwind_infos > unwind::kMaxFunclets)
    return false;
  if (!header_.load(header_address + kCodeHeaderSize, &first, sizeof first)) return false;
  if (first.begin > start || first.end <= first.begin || first.end - first.begin > size) return false;
  start_ = start;
  size_ = size;
  table_ = header_address + kCodeHeaderSize;
  base_ = start - first.begin;
  count_ = header.unwind_infos;
  return true;
}

bool JitUnwindReader::guess(uint64_t start, uint64_t* method) {
  uint64_t header_address = 0;
  if (start < 8 || !load(start - 8, &header_address) || header_address % 8 != 0) return false;
  constexpr uint64_t kMethodOffset = offsetof(CodeHeader, method);
  return load(header_address + kMethodOffset, method) && *method != 0 && *method % 8 == 0 &&
         open(start, UINT32_MAX, *method);
}

bool JitUnwindReader::region(uint32_t index, UnwindRegion* region) {
  unwind::RuntimeFunction f;
  if (!header_.load(table_ + uint64_t{index} * sizeof f, &f, sizeof f)) return false;
  const uint64_t begin = base_ + f.begin;
  if (f.end <= f.begin || begin < start_ || begin - start_ >= size_ ||
      f.end - f.begin > size_ - (begin - start_))
    return false;
  const uint64_t info = base_ + f.unwind;
  if (!infos_.load(info, region->info, unwind::kUnwindHeaderSize)) return false;
  const uint32_t info_size = static_cast<uint32_t>(unwind::kUnwindHeaderSize) + region->info[2] * 2u;
  if (!infos_.load(info, region->info, info_size)) return false;
  if (unwind::unwind_info_size({region->info, info_size}) != info_size) return false;
  region->begin = begin;
  region->size = f.end - f.begin;
  region->info_size = info_size;
  return true;
}

}  // namespace walkabout::agent
