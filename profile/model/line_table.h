// From an offset in managed code to its source line, by IL maps and the sequence points of PDBs. Add
// everything, sort() once, then ask. One thread while filling; any number after sort().
//
// The compiler's map of code that it did not optimize has every statement but those that begin with something
// on the evaluation stack (the C# compiler makes such): their code follows that of the one before.
//
// The map of optimized code lacks some statements. A place is given as "one of these lines" where their code
// may be, by what the JIT does (.NET 8, 9, 10):
// - Forward substitution: a statement's value is computed inside the next statement, which uses it. The map
//   then has no entry for the first.
// - It maps only the first part of a statement that branches within itself. It may move the others, behind
//   code that jumps away or returns.
// - It does before a loop what the loop does the same each time: that is said to be of the statement in
// front.
// Statements that are light or steps (wire::MethodLines) cost next to nothing, wherever they are. Much code
// in front of a loop that is said to be of a light one, and a call that is said to be of a step, are of the
// others.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/model/profile.h"
#include "wire/inline_tree.h"
#include "wire/records.h"

namespace walkabout::profile {

// Where a place is: in code that was not optimized, or in code that was; and there at a call of managed code.
enum class CodeKind : uint8_t { kPlain, kPlainCall, kOptimized, kOptimizedCall };

class LineTable {
 public:
  // Of a map, as the agent makes them, and of a method's points.
  static constexpr size_t kMostEntries = 1 << 16;

  void add(const wire::IlMap& map);
  void add(const wire::SourceLines& lines);
  void add(base::CodeId code, const wire::InlineColumns& inlined);
  void sort();
  // Maps and methods whose columns are broken, or longer than they may be.
  uint64_t left_out() const;

  // Of the documents those with these paths, in any order; one may be there more than once.
  std::vector<SourceDocument> documents(const std::set<std::string>& paths) const;
  // at: bytes from the method's first, in ready-to-run code an RVA.
  SourcePlace place(base::CodeId code, uint32_t at, const wire::Method& method, CodeKind kind) const;

  // Of code of an inlined call, where in its method it is.
  SourcePlace place_in_call(base::CodeId code, uint32_t call, uint32_t at, const wire::Method& method,
                            CodeKind kind) const;
  // The line of the await at which an async method is suspended; state: its state machine's.
  SourcePlace place_of_await(const wire::Method& method, uint32_t state) const;
  // The line that an IL offset is of.
  SourcePlace place_of_il(const wire::Method& method, uint64_t il) const;

 private:
  struct Map {
    uint32_t begin = 0;
    std::vector<uint64_t> il, native;
    std::vector<uint64_t> known;  // the IL offsets among them, rising
    bool of_inlined = false;      // call's code
  };
  struct Points {
    std::vector<uint64_t> il, line, document, light, loops, awaits;
    std::vector<size_t> split;                                         // those that branch within themselves
    std::unordered_map<uint64_t, std::pair<uint32_t, uint32_t>> span;  // by document: its first line and last
    size_t size() const { return il.size(); }
  };
  struct Assembly {
    std::vector<wire::Document> documents;
    std::unordered_map<uint32_t, Points> methods;  // by token
    uint64_t left_out = 0;
  };
  struct Candidates : std::vector<size_t> {  // places in Points
    size_t steps = 0;                        // to find them
    // Asked at each step. A foreign recording may have any number of light statements between two others.
    bool is_enough();
  };
  // Whether there are candidates for an entry that the compiler may have moved there.
  struct Moved {
    bool parts = false, loops = false;
  };
  struct Loop {
    uint64_t begin = 0, end = 0;  // IL
    bool has(uint64_t il) const { return il >= begin && il < end; }
  };

  const Map* map_of(base::CodeId code, uint32_t at) const;
  static void finish(Map& map);
  // Null: its assembly, or it itself, has no lines.
  const Assembly* assembly_of(const wire::Method& method) const;
  const Points* points_of(const wire::Method& method) const;
  SourcePlace place(const Map& map, uint32_t at, const wire::Method& method, CodeKind kind) const;
  static size_t point_of(const Points& points, uint64_t il);
  static bool has_code(const Map& map, const Points& points, size_t point);
  static bool is_in_front(const Points& points, size_t point, uint64_t begin, Candidates& found);
  static bool is_first_condition(const Map& map, const Points& points, size_t entry, size_t point,
                                 const Loop& loop, Candidates& found);
  static void add_loops(const Map& map, const Points& points, size_t entry, Candidates& found);
  static void add_around(const Map& map, const Points& points, size_t entry, Candidates& found);
  static void add_up_to_next(const Map& map, const Points& points, size_t entry, bool with_steps,
                             Candidates& found);
  static void add_joined(const Map& map, const Points& points, size_t entry, bool with_steps,
                         Candidates& found);
  static bool is_behind_epilog(const Map& map, size_t entry, uint64_t into);
  static bool is_broken_off(const Map& map, const Points& points, size_t entry);
  static void add_parts(const Map& map, const Points& points, size_t entry, Candidates& found);
  static bool is_of_others(const Map& map, const Points& points, size_t entry, uint64_t into, CodeKind kind,
                           Moved moved);
  static Candidates candidates(const Map& map, const Points& points, size_t entry, uint64_t into,
                               CodeKind kind);
  static SourcePlace place_of(const Assembly& assembly, const Points& points,
                              const std::vector<size_t>& candidates, bool sure);

  std::unordered_map<base::CodeId, std::vector<Map>> maps_;  // by begin, after sort()
  // Of compiled methods, by their inlined calls' numbers: what of the code is of that call.
  std::unordered_map<base::CodeId, std::unordered_map<uint64_t, Map>> calls_;
  std::unordered_map<base::AssemblyId, Assembly> assemblies_;
  uint64_t maps_left_out_ = 0;
};

}  // namespace walkabout::profile
