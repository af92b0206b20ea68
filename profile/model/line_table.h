// From an offset in managed code to its source line, by IL maps and the sequence points of PDBs. Add
// everything, sort() once, then ask. One thread while filling; any number after sort().
//
// The compiler's map of code that it did not optimize has every statement but those that begin with something
// on the evaluation stack (the C# compiler makes such): their code follows that of the one before. The map of
// optimized code also lacks statements that were put together with others: their code is said to be of a
// neighbour. Such statements are
// known, for no part of the code is said to be theirs. So a place next to one is given as "one of these
// lines", and is never one line that may be wrong. Statements that are light (wire::MethodLines) make no code
// that one could see.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/model/profile.h"
#include "wire/records.h"

namespace walkabout::profile {

class LineTable {
 public:
  void add(const wire::IlMap& map);
  void add(const wire::SourceLines& lines);
  void sort();

  // Of the documents those with these paths, in any order; one may be there more than once.
  std::vector<SourceDocument> documents(const std::set<std::string>& paths) const;
  // at: bytes from the method's first, in ready-to-run code an RVA.
  SourcePlace place(base::CodeId code, uint32_t at, const wire::Method& method, bool optimized) const;

 private:
  struct Map {
    uint32_t begin = 0;
    std::vector<uint64_t> il, native;
    std::vector<uint64_t> known;  // the IL offsets among them, rising
  };
  struct Points {
    std::vector<uint64_t> il, line, document, light;
    size_t size() const { return il.size(); }
  };
  struct Assembly {
    std::vector<wire::Document> documents;
    std::unordered_map<uint32_t, Points> methods;  // by token
  };
  using Candidates = std::vector<size_t>;  // places in Points

  const Map* map_of(base::CodeId code, uint32_t at) const;
  static size_t point_of(const Points& points, uint64_t il);
  static bool has_code(const Map& map, const Points& points, size_t point);
  static void add_around(const Map& map, const Points& points, size_t entry, Candidates& found);
  static void add_up_to_next(const Map& map, const Points& points, size_t entry, Candidates& found);
  static void add_missing(const Map& map, const Points& points, size_t entry, Candidates& found);
  static Candidates candidates(const Map& map, const Points& points, size_t entry, bool optimized);
  static SourcePlace place_of(const Assembly& assembly, const Points& points, const Candidates& candidates,
                              bool sure);

  std::unordered_map<base::CodeId, std::vector<Map>> maps_;  // by begin, after sort()
  std::unordered_map<base::AssemblyId, Assembly> assemblies_;
};

}  // namespace walkabout::profile
