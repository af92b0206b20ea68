// For tests: a portable PDB of any documents and sequence points, also hostile ones, which is of the
// assembly of test_pdb.h.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pdb/test_pdb.h"

namespace walkabout::pdb::testing {

// Compressed as ECMA-335 II.23.2 has it.
inline void number(Data& out, size_t v) {
  if (v < 0x80) {
    u1(out, v);
  } else if (v < 0x4000) {
    u1(out, 0x80 | v >> 8), u1(out, v);
  } else {
    u1(out, 0xc0 | v >> 24), u1(out, v >> 16), u1(out, v >> 8), u1(out, v);
  }
}

// IL 0, 1, 2 … are one line each; each of the same document.
inline Data points_blob(size_t count) {
  Data out = {0};
  for (size_t i = 0; i < count; ++i) {
    number(out, i == 0 ? 0 : 1), u1(out, 0), number(out, i == 0 ? 5 : 10);
    if (i == 0)
      u1(out, 1), u1(out, 1);  // line and column
    else
      u1(out, 2), u1(out, 0);  // one line more
  }
  return out;
}

class MadePdb {
 public:
  // Where it lies in the heap.
  size_t blob(const Data& contents) {
    const size_t at = blobs_.size();
    number(blobs_, contents.size());
    add(blobs_, contents);
    return at;
  }
  // A name of one part.
  size_t name(const std::string& text) {
    Data out = {'/'};
    number(out, blob(bytes_of(text)));
    return blob(out);
  }
  void document(size_t name) { documents_.push_back(name); }
  void method(size_t document, size_t points) { methods_.push_back({document, points}); }

  Data bytes() const {
    Data tables;
    u4(tables, 0), u1(tables, 2), u1(tables, 0), u1(tables, 4), u1(tables, 1);  // wide references to blobs
    u4(tables, 0), u4(tables, 1 << (0x30 - 32) | 1 << (0x31 - 32)), u4(tables, 0), u4(tables, 0);
    u4(tables, documents_.size()), u4(tables, methods_.size());
    for (const size_t name : documents_) u4(tables, name), u2(tables, 0), u4(tables, 0), u2(tables, 0);
    for (const auto& [document, points] : methods_) u2(tables, document), u4(tables, points);
    Data pdb;
    for (const uint8_t byte : test_id()) u1(pdb, byte);
    u4(pdb, 0), u4(pdb, 0), u4(pdb, 0);
    return metadata_root(
        {{"#Pdb", pdb}, {"#~", tables}, {"#Strings", {0}}, {"#Blob", blobs_}, {"#GUID", {}}});
  }

 private:
  struct Method {
    size_t document, points;
  };
  Data blobs_ = {0};
  std::vector<size_t> documents_;  // their names
  std::vector<Method> methods_;
};

}  // namespace walkabout::pdb::testing
