// A module's file as the program loaded it, mapped to be read: its metadata, and what it says of its PDB.
// Made from any thread, then immutable.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "agent/linux/descriptor_host.h"
#include "precompiled/metadata_tables.h"
#include "precompiled/pe_layout.h"

namespace walkabout::agent {

class ModuleFile {
 public:
  // Null: there is no such file, or it is no assembly.
  static std::unique_ptr<ModuleFile> map(const std::string& path, DescriptorHost& host);

  ModuleFile(const ModuleFile&) = delete;
  ModuleFile& operator=(const ModuleFile&) = delete;
  ~ModuleFile();

  const precompiled::Metadata& metadata() const { return metadata_; }
  // A portable PDB lies in it.
  bool has_embedded_pdb() const;
  // It was compiled against a test framework.
  bool has_tests() const;

 private:
  ModuleFile(precompiled::Bytes file, precompiled::PeLayout image, const precompiled::Metadata& metadata)
      : file_(file), image_(std::move(image)), metadata_(metadata) {}

  const precompiled::Bytes file_;
  const precompiled::PeLayout image_;
  const precompiled::Metadata metadata_;
};

}  // namespace walkabout::agent
