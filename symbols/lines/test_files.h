// For tests: an assembly and its PDB, as files.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "pdb/made_pdb.h"
#include "pdb/test_pdb.h"

namespace walkabout::symbols::testing {

// A folder of a test's own, until its end.
class FileFolder {
 public:
  FileFolder() {
    std::string made = ::testing::TempDir() + "files-XXXXXX";
    path_ = ::mkdtemp(made.data());
  }
  FileFolder(const FileFolder&) = delete;
  FileFolder& operator=(const FileFolder&) = delete;
  ~FileFolder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  // name: with the folders below it in which it lies. The file's path.
  std::string write(const std::string& name, std::span<const uint8_t> bytes) const {
    std::string path = path_ + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  std::string path_;
};

inline constexpr const char* kAssemblyVersion = pdb::testing::kVersion;
inline std::vector<uint8_t> assembly_file() { return pdb::testing::TestAssembly().bytes; }

// A PDB whose method 1 is of so many documents, with paths of so many bytes; method 2 is of the first alone.
inline std::vector<uint8_t> pdb_of_documents(uint32_t documents, size_t path) {
  using namespace pdb::testing;
  MadePdb made;
  const size_t name = made.name(std::string(path, 'x'));
  Data points = points_blob(1);
  for (uint32_t i = 1; i <= documents; ++i) {
    made.document(name);
    if (i == 1) continue;
    number(points, 0), number(points, i);                         // it is the next point's
    for (const uint8_t byte : {1, 0, 5, 2, 0}) u1(points, byte);  // one line more
  }
  made.method(1, made.blob(points));
  made.method(1, made.blob(points_blob(3)));
  return made.bytes();
}

}  // namespace walkabout::symbols::testing
