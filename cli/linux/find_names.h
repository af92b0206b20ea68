// Names for the native code of a recording, and source lines of all of its code, that it has none for yet:
// what `walkabout symbols` does between reading and writing. No state; one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/copy_recording.h"
#include "symbols/find/finder.h"
#include "symbols/name_check.h"
#include "wire/line_records.h"

namespace walkabout::cli {

// Distinct addresses of one library that samples hit, and how many of them have a name of their own (not the
// nearest exported one).
struct LibraryNames {
  std::string path;
  std::string build_id;  // hexadecimal
  uint64_t addresses = 0;
  uint64_t named_before = 0;
  uint64_t named = 0;
  std::string from;   // "recording" where nothing better was found; else the source's name; empty: no names
  std::string place;  // the file the names are from
  std::string why;    // why addresses stayed without; empty if none did
  // Of names that a stripped CLR had from itself, where a symbol table was found now: how many that has too,
  // and which it has otherwise.
  symbols::NameCheck check;
  // Source lines: the recording had some, or has now; and the file that they were found in now.
  bool had_lines = false;
  bool has_lines = false;
  std::string lines_place;
};

// An assembly whose methods samples hit, of a recording with source lines.
struct AssemblyLines {
  std::string path;
  uint64_t methods = 0;
  bool had_lines = false;
  bool has_lines = false;
  std::string from, place, why;  // as above
};

struct NewNames {
  std::vector<LibraryNames> libraries;    // most addresses first
  std::vector<AssemblyLines> assemblies;  // most methods first
  RecordingEdit edit;                     // empty when nothing new was found
  // Servers that could not be asked, files that were refused, methods whose lines were left out.
  std::vector<std::string> problems;
  std::string damage;  // of the recording

  uint64_t addresses() const;
  uint64_t named_before() const;
  uint64_t named() const;
  uint64_t libraries_with_new_lines() const;
  bool is_new() const {
    return !edit.without_names_of.empty() || !edit.without_lines_of.empty() || libraries_with_new_lines() > 0;
  }
};

// lines: also lines of native code, of a recording that was made without. An error when the recording cannot
// be read.
base::Result<NewNames> find_names(const std::string& recording, symbols::Finder& finder, bool lines = false);

}  // namespace walkabout::cli
