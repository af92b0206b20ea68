// For tests: an assembly and its PDB, as files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pdb/made_pdb.h"
#include "pdb/test_pdb.h"

namespace walkabout::symbols::testing {

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
