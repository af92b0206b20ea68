// The PDB of an assembly, from its file: in it, or beside it; or from bytes that another place has. Both
// files are believed only if they are those that ran: the assembly's by its MVID, the PDB by the id that the
// assembly names, and by the checksum, where it has one. Hostile files; nothing is written. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pdb/debug_directory.h"
#include "pdb/portable_pdb.h"
#include "precompiled/metadata_tables.h"
#include "precompiled/pe_layout.h"
#include "symbols/elf/file_root.h"
#include "symbols/lines/line_budget.h"
#include "wire/line_records.h"

namespace walkabout::symbols {

class AssemblyPdb {
 public:
  static constexpr uint64_t kMostFile = 512 << 20;  // bytes, of either

  // What it reads is taken from the budget, which must outlive it.
  AssemblyPdb(wire::Assembly assembly, LineBudget& budget);
  AssemblyPdb(const AssemblyPdb&) = delete;
  AssemblyPdb& operator=(const AssemblyPdb&) = delete;

  // Looks where the assembly lies; nowhere once the budget is used up. root: whose path that is.
  void look(const FileRoot& root);
  // Bytes from elsewhere. False if they are not this assembly's file, or its PDB.
  bool take_assembly(std::vector<uint8_t> file, const std::string& place);
  bool take_pdb(std::vector<uint8_t> bytes, const std::string& place);

  // Null: there is none; why() says why.
  const pdb::PortablePdb* pdb() const { return pdb_ ? &*pdb_ : nullptr; }
  const std::string& place() const { return place_; }  // the file that it is in
  // Of the method with this row, from the assembly; empty: it has none.
  precompiled::Bytes il_of(uint32_t method) const;
  // The same with what is around it, and what lies behind (il/body_reader.h).
  precompiled::Bytes body_of(uint32_t method) const;
  // Null: the assembly's file is not known.
  const precompiled::Metadata* metadata() const { return metadata_ ? &*metadata_ : nullptr; }
  const std::string& why() const { return why_; }
  // Which it is; not set where the assembly's file is not known, or names none.
  const std::optional<pdb::PdbId>& wanted() const { return wanted_; }
  bool knows_assembly() const { return metadata_.has_value(); }
  const std::string& file_name() const { return file_name_; }  // "app.pdb"

 private:
  const wire::Assembly assembly_;
  LineBudget& budget_;
  std::vector<uint8_t> file_;  // of the assembly
  std::optional<precompiled::PeLayout> image_;
  std::optional<precompiled::Metadata> metadata_;
  std::vector<uint8_t> bytes_;  // of the PDB
  std::optional<pdb::PortablePdb> pdb_;
  std::optional<pdb::PdbId> wanted_;
  std::string place_, why_, refusal_, file_name_;
};

}  // namespace walkabout::symbols
