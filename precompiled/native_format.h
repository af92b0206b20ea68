// The runtime's "native format": packed numbers, a sparse array and a hash table, as ready-to-run images have
// them. Hostile bytes: whatever leads out of them ends a search, and no search goes back.
//
// Immutable; any thread. Nothing is copied. Offsets are into the bytes of the whole table. Source:
// docs/design/coreclr/botr/readytorun-format.md and src/coreclr/vm/nativeformatreader.h of the runtime.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "precompiled/bytes.h"

namespace walkabout::precompiled {

// Reads numbers one behind the other. Not valid once one was not all there.
class NativeCursor {
 public:
  NativeCursor(Bytes bytes, uint64_t offset) : bytes_(bytes), offset_(offset) {}

  bool ok() const { return ok_; }
  uint64_t offset() const { return offset_; }
  uint8_t byte();
  uint32_t number();
  int32_t signed_number();

 private:
  Bytes bytes_;
  uint64_t offset_;
  bool ok_ = true;
};

// From an index to the offset of its entry.
class NativeArray {
 public:
  static constexpr uint32_t kMostEntries = 1 << 24;  // rows of a table of metadata

  // Without entries when the bytes are none.
  explicit NativeArray(Bytes bytes);

  uint32_t size() const { return size_; }
  std::optional<uint64_t> find(uint32_t index) const;

 private:
  Bytes bytes_;
  uint64_t base_ = 0;
  uint32_t size_ = 0;
  uint8_t entry_size_ = 0;
};

// Calls with the offset of each entry of a hash table; stops at what leads out of it. Whether that were all.
bool for_each_hashed(Bytes table, const std::function<void(uint64_t offset)>& visit);

}  // namespace walkabout::precompiled
