// Files of a folder by build id: DIR/.build-id/ab/cdef….debug (and without suffix, the library itself), then
// any ELF file below DIR that says it has the build id; PDBs and assemblies below DIR by what they say in
// themselves. One thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "symbols/find/file_source.h"

namespace walkabout::symbols {

class FolderSource : public Source {
 public:
  // scan: also read the build ids of all files below it, once, when the first is asked for that .build-id
  // does not have. Folders that are symbolic links are not entered.
  FolderSource(std::string folder, const char* name, bool scan)
      : folder_(std::move(folder)), name_(name), scan_(scan), scan_managed_(scan) {}
  std::string name() const override { return name_; }
  std::string label() const override { return folder_; }
  base::Result<std::optional<Offer>> find(const Wanted& wanted, FileKind kind) override;

 private:
  void index();
  void index_managed();

  const std::string folder_;
  const std::string name_;
  bool scan_, scan_managed_;
  std::map<std::string, std::vector<std::string>> debug_files_;  // with a symbol table, by build id
  std::map<std::string, std::vector<std::string>> images_;
  std::map<std::string, std::vector<std::string>> pdbs_;        // by their ids
  std::map<std::string, std::vector<std::string>> assemblies_;  // by their MVIDs
};

}  // namespace walkabout::symbols
