// Which image an address lies in: ELF libraries, the executable, the vDSO, ready-to-run PE images.
//
// Readers call find() inside a ReaderGate, lock-free. Writers are serialised by the caller. Images are few
// (hundreds) and change seldom, so each change makes a new sorted snapshot. An Image lives until it is
// retired and no reader can hold it, else as long as the map.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.h"
#include "unwind/cfi/cfi_section.h"
#include "unwind/cfi/cfi_table.h"
#include "unwind/code/reader_gate.h"
#include "unwind/pe/pe_unwind.h"

namespace walkabout::unwind {

struct Image {
  uint64_t begin = 0;  // executable range
  uint64_t end = 0;
  base::CodeId code;
  bool managed = false;  // a ready-to-run PE image
  bool jit_compiler = false;
  uint64_t base = 0;  // ELF: load bias; PE: image base. A frame's offset counts from here.

  // ELF. The table appears when a helper thread has compiled it; until then the section is interpreted.
  CfiSection cfi;
  std::atomic<const CfiTable*> table{nullptr};
  std::unique_ptr<const CfiTable> own_table;     // where the image is what keeps it
  mutable std::atomic<uint32_t> interpreted{0};  // how often it was: worth compiling?

  // PE. The image stays mapped while the Image is in the map.
  std::span<const RuntimeFunction> functions;  // sorted by begin
  std::span<const uint8_t> mapped;             // the image as mapped, by RVA
};

class ImageMap {
 public:
  explicit ImageMap(ReaderGate& gate);
  ~ImageMap();

  // REQUIRES: inside the gate.
  const Image* find(uint64_t pc) const;

  // Writers; serialised by the caller. The returned image is not yet visible: fill it, then publish().
  Image* make();
  void publish(Image* image);
  void remove(Image* image);
  // Frees one that was removed, when no reader can hold it. Its writer is done with it. REQUIRES: what
  // readers remember of it from one walk to the next is void (CodeMap::generation has changed since
  // remove()).
  void retire(Image* image);
  // Frees what no reader can hold any more.
  void maintain();
  // Images in memory: in the map, not yet in it, removed, or waiting for their last reader.
  size_t held() const;
  // Every image now in the map.
  std::vector<Image*> images() const;

 private:
  struct Entry {
    uint64_t begin;
    uint64_t end;
    Image* image;
  };
  using Snapshot = std::vector<Entry>;
  struct Retired;
  void replace(Snapshot* next);

  ReaderGate& gate_;
  std::vector<std::unique_ptr<Image>> all_;
  std::atomic<const Snapshot*> current_;
  std::vector<Retired> retired_;
};

// The RUNTIME_FUNCTION that holds `rva`; null when none does.
const RuntimeFunction* find_function(std::span<const RuntimeFunction> functions, uint32_t rva);

}  // namespace walkabout::unwind
