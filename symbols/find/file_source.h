// A place that may have the files of a build: a folder, a server. What it hands out is not believed:
// the finder checks build id and wholeness (symbols/find/finder.h).
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::symbols {

// Of a native library what was stripped off, and itself; of an assembly its portable PDB, and itself.
enum class FileKind { kDebug, kImage, kPdb, kAssembly };

struct Wanted {
  std::string build_id;   // raw bytes, at least two; of a PDB its id, of an assembly its MVID
  std::string file_name;  // of the library: "libcoreclr.so"; of the PDB: "app.pdb"
};

struct Offer {
  base::Fd file;
  std::string place;  // where it lies, for messages
};

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;
  // Its kind, for reports and recordings: "folder", "debuginfod".
  virtual std::string name() const = 0;
  // The one of its kind, for sentences; never the address of a server.
  virtual std::string label() const { return "the " + name(); }
  // Nothing: it has no such file. An error: it could not be asked, and why; a place that cannot be reached is
  // not tried again.
  virtual base::Result<std::optional<Offer>> find(const Wanted& wanted, FileKind kind) = 0;
};

}  // namespace walkabout::symbols
