// The names of one library, from wherever they are to be had: this machine's own file and debug packages
// first, then the sources in their order, until a symbol table is found. Whatever a source hands out is used
// only if it is whole and has the build id that ran.
//
// Asks for each library once. One thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "symbols/elf/elf_symbols.h"
#include "symbols/find/file_source.h"
#include "wire/records.h"

namespace walkabout::symbols {

inline constexpr size_t kLeastBuildId = 2;  // bytes: its first one names a folder
// As the place of files that no source had to be asked for.
inline constexpr const char* kOwnFiles = "this machine";

struct Found {
  std::shared_ptr<ElfSymbols> symbols;  // null: nothing is known of this library
  std::string from;                     // name of the source; "this machine"; empty without symbols
  std::string place;                    // the file, for people
  std::string why;                      // no symbol table: one sentence about every place that was asked
};

class Finder {
 public:
  explicit Finder(std::vector<std::unique_ptr<Source>> sources) : sources_(std::move(sources)) {}
  const Found& find(const wire::Module& module);
  // What went wrong on the way, each once: servers that cannot be asked, files that had to be refused.
  const std::vector<std::string>& problems() const { return problems_; }
  void report(const std::string& problem);
  const std::vector<std::unique_ptr<Source>>& sources() const { return sources_; }
  // What a source has, where it is whole and of that build; where it lies. What is wrong with it is reported.
  base::Result<ElfFile> offered(Source& source, const Wanted& wanted, FileKind kind, std::string& place) {
    std::string why;
    return offered(source, wanted, kind, &place, &why);
  }

 private:
  Found look(const wire::Module& module);
  bool request_debug_file(const Wanted& wanted, Found& found);
  void request_image(const Wanted& wanted, Found& found);
  base::Result<ElfFile> offered(Source& source, const Wanted& wanted, FileKind kind, std::string* place,
                                std::string* why);

  std::vector<std::unique_ptr<Source>> sources_;
  std::map<std::pair<std::string, std::string>, Found> known_;  // by path and build id
  std::vector<std::string> problems_;
};

}  // namespace walkabout::symbols
