// What leads from an address in managed code to a source line: the assemblies that methods are of, which IL
// each part of their machine code was made of (said by the agent), and which lines their IL was made of
// (added by the CLI, of PDBs).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "wire/field.h"
#include "wire/record_type.h"

namespace walkabout::wire {

// A module with IL. Methods refer to it.
struct Assembly {
  static constexpr RecordType kType = RecordType::kAssembly;
  base::AssemblyId id;
  std::string path;     // as the target sees it; a name where it has no file
  std::string version;  // the MVID, 16 bytes that no other build of it has; empty if nobody knows
};
template <typename = void>
constexpr auto fields(const Assembly*) {
  return std::tuple(as::number(1, &Assembly::id), as::text(2, &Assembly::path, Place::kPath),
                    as::raw(3, &Assembly::version));
}

// In IlMap::il.
enum IlPlace : uint64_t {
  kIlNone = 0,    // the compiler says nothing of it
  kIlProlog = 1,  // no IL of the method's: what it begins with
  kIlEpilog = 2,  // and ends with
  kIlFirst = 3,   // the IL offset + this
};

// Of one compiled method, or of a ready-to-run method: from native[i] to the next, code of il[i].
struct IlMap {
  static constexpr RecordType kType = RecordType::kIlMap;
  base::CodeId code;             // a JitCode, or a ready-to-run Module
  uint32_t begin = 0;            // of a ready-to-run method: its first byte's RVA
  std::vector<uint64_t> il;      // IlPlace, or kIlFirst + the IL offset
  std::vector<uint64_t> native;  // bytes from the method's first, rising
};
template <typename = void>
constexpr auto fields(const IlMap*) {
  return std::tuple(as::number(1, &IlMap::code), as::number(2, &IlMap::begin), as::differences(3, &IlMap::il),
                    as::rising(4, &IlMap::native));
}

// Which calls the compiler has replaced by the called method's code, in one compiled method, and where that
// code is. Calls of which no code is left are not in it. wire/inline_tree.h reads and writes the two texts:
// bytes, so that the agent needs no columns.
struct InlineTree {
  static constexpr RecordType kType = RecordType::kInlineTree;
  base::CodeId code;  // a JitCode
  std::string calls;  // varints, three a call: its Method's id, its parent, its site
  std::string
      places;  // varints, three a place: the native offset as the difference to the one before, node, IL
};
template <typename = void>
constexpr auto fields(const InlineTree*) {
  return std::tuple(as::number(1, &InlineTree::code), as::raw(2, &InlineTree::calls),
                    as::raw(3, &InlineTree::places));
}

enum class HashKind : uint8_t { kUnknown = 0, kSha1 = 1, kSha256 = 2, kMd5 = 3 };

// A source file as a PDB names it, or DWARF.
struct Document {
  std::string path;  // where the compiler read it
  HashKind hash_kind = HashKind::kUnknown;
  std::string hash;  // of its contents
  std::string url;   // where SourceLink says it can be fetched from; empty if it does not
};
template <typename = void>
constexpr auto fields(const Document*) {
  return std::tuple(as::text(1, &Document::path, Place::kPath),
                    as::choice(2, &Document::hash_kind, HashKind::kMd5), as::raw(3, &Document::hash),
                    as::text(4, &Document::url, Place::kHost));
}

// In MethodLines::light, beside a base::StatementWeight.
inline constexpr uint64_t kBeginsOnStack = 4;

// The sequence points of one method.
struct MethodLines {
  uint32_t token = 0;              // its MethodDef
  std::vector<uint64_t> il;        // IL offsets, rising: from each to the next, code of line[i]
  std::vector<uint64_t> line;      // from 1; 0: hidden, code that the C# compiler made up
  std::vector<uint64_t> document;  // place in SourceLines::documents, from 1; one for all where there is one
  // A base::StatementWeight, with kBeginsOnStack or without; empty: nothing is known.
  std::vector<uint64_t> light;
  std::vector<uint64_t> loops;  // IL offsets, by turns: where a loop begins, and behind its last instruction
  // Of an async method, by the state that it has while it is suspended: the await's IL offset + 1; 0:
  // unknown.
  std::vector<uint64_t> awaits;
};
template <typename = void>
constexpr auto fields(const MethodLines*) {
  return std::tuple(as::number(1, &MethodLines::token), as::rising(2, &MethodLines::il),
                    as::differences(3, &MethodLines::line), as::column(4, &MethodLines::document),
                    as::column(5, &MethodLines::light), as::column(6, &MethodLines::loops),
                    as::column(7, &MethodLines::awaits));
}

// What the PDB of one assembly says of the methods that were hit.
struct SourceLines {
  static constexpr RecordType kType = RecordType::kSourceLines;
  base::AssemblyId assembly;
  bool found = true;   // false: no PDB of this build could be read
  std::string source;  // the file that the lines are from
  std::vector<Document> documents;
  std::vector<MethodLines> methods;
};
template <typename = void>
constexpr auto fields(const SourceLines*) {
  return std::tuple(as::number(1, &SourceLines::assembly),
                    as::number(2, &SourceLines::found).always_written(),
                    as::text(3, &SourceLines::source, Place::kPath), as::messages(4, &SourceLines::documents),
                    as::messages(5, &SourceLines::methods));
}

}  // namespace walkabout::wire
