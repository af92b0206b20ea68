// The text of source files, of those that were compiled and no others: from this machine's files, where the
// checksum fits that the PDB has, or from the PDB itself. Feed it every record of a recording, then ask.
// Hostile paths and files; nothing is written, no server is asked. One thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recording/visitor.h"
#include "symbols/lines/assembly_pdb.h"
#include "wire/line_records.h"

namespace walkabout::symbols {

struct FoundSource {
  std::string text;  // the file's bytes
  std::string why;   // there is none: one sentence, without a full stop
};

class SourceFiles : public recording::RecordVisitor {
 public:
  // folders: also looked into, for files whose path ends as the one the compiler knew.
  explicit SourceFiles(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  void on_assembly(const wire::Assembly& record) override;
  void on_source_lines(const wire::SourceLines& record) override;
  // The recording's end: ids that follow are another one's.
  void end_recording();

  // kind, hash: as the PDB has them.
  FoundSource find(const std::string& path, wire::HashKind kind, const std::string& hash);

 private:
  // A PDB that the recording's lines are of.
  struct Origin {
    wire::Assembly assembly;
    std::string pdb;  // the file that the lines were from
  };

  std::string embedded(const std::string& path, wire::HashKind kind, const std::string& hash);
  const pdb::PortablePdb* pdb_of(const Origin& origin);

  LineBudget budget_;  // of the PDBs
  const std::vector<std::string> folders_;
  std::map<base::AssemblyId, wire::Assembly> assemblies_;     // of the recording that is being read
  std::map<base::AssemblyId, wire::SourceLines> lines_;       // without their methods
  std::map<std::string, std::vector<Origin>> origins_;        // by document
  std::map<std::string, std::unique_ptr<AssemblyPdb>> pdbs_;  // by MVID
};

}  // namespace walkabout::symbols
