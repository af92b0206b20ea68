// A place that may have the ELF files of a build id: a folder, a server. What it hands out is not believed:
// the finder checks build id and wholeness (symbols/find/finder.h).
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::symbols {

enum class FileKind { kDebug, kImage };  // what was stripped off, and the library itself

struct Wanted {
  std::string build_id;   // raw bytes, at least two
  std::string file_name;  // of the library: "libcoreclr.so"
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
