// The code of a ready-to-run image: its functions, and which method each is of. Hostile bytes: what they say
// of a place outside of them, or of one function twice, is left out.
//
// Immutable; any thread. The image's bytes must outlive this; about 24 bytes for each method with code.
// Sources: docs/design/coreclr/botr/readytorun-format.md and src/coreclr/inc/readytorun.h of the runtime.
// Images of .NET 7 (format 6.3) and later; a composite image's components have no code of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "precompiled/bytes.h"
#include "precompiled/pe_file.h"

namespace walkabout::precompiled {

// One runtime function: a method's body, or one of its funclets. RVAs, end exclusive.
struct Function {
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct EntryPoint {
  uint32_t function = 0;  // the method's first; its funclets follow it
  uint32_t method = 0;    // row of its MethodDef; 0: an instance of a generic method
  Bytes instance;         // its signature (method_instance.h)
  bool certain = true;    // false: another method claims the same function
};

class ReadyToRun {
 public:
  // None when the image has no code of its own, or is of a format before 6.3.
  static std::optional<ReadyToRun> read(const PeFile& image);

  struct Found {
    Function function;
    const EntryPoint* entry;
  };
  // None: no function is there, or nobody knows for certain whose it is.
  std::optional<Found> find(uint32_t rva) const;
  uint32_t functions() const { return static_cast<uint32_t>(functions_.size() / kFunctionSize); }
  Function function(uint32_t index) const;
  const std::vector<EntryPoint>& entries() const { return entries_; }
  // Metadata of references to assemblies that the image's own metadata do not have.
  Bytes manifest() const { return manifest_; }

 private:
  static constexpr size_t kFunctionSize = 12;

  void add_methods(Bytes array);
  void add_instances(Bytes table);
  // What an entry point says of its first function, from `offset` on.
  bool add(Bytes bytes, uint64_t offset, EntryPoint entry);
  void sort();

  Bytes functions_;
  Bytes manifest_;
  uint32_t hot_functions_ = 0;       // behind them lie the cold parts of methods
  std::vector<EntryPoint> entries_;  // by function
  bool whole_ = true;                // every entry point is in there
};

}  // namespace walkabout::precompiled
