// What of a program's sources ran: lines, and arms of branches, by source file, method and module. What
// `walkabout cover` makes of counts and every output is made of. Plain values; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace walkabout::cover {

// As a person wrote it: code that the compiler made of it (lambdas, iterators, async methods) is its own.
struct Method {
  std::string type;        // "Shop.Orders/Row"
  std::string name;        // "Save"
  std::string parameters;  // "int, string"
  auto operator<=>(const Method&) const = default;
};

struct Line {
  uint64_t hits = 0;    // 1 where it is only known that it ran
  uint32_t method = 0;  // SourceFile::methods
};

// Of a conditional branch, or a switch.
struct Arm {
  uint32_t line = 0;
  uint32_t method = 0;  // SourceFile::methods
  uint32_t branch = 0;  // which of the line's, from 0
  uint32_t path = 0;    // 0: where the branch was not taken
  uint64_t hits = 0;
  auto operator<=>(const Arm&) const = default;
};

struct SourceFile {
  std::string checksum;  // "sha256:9f86d0…" of the text that was compiled; empty: it is not known
  std::vector<Method> methods;
  std::map<uint32_t, Line> lines;  // by number
  std::vector<Arm> arms;           // by line, branch and path
};

struct Module {
  std::map<std::string, SourceFile> files;  // by path
};

struct Coverage {
  std::map<std::string, Module> modules;  // by the assembly's name
  bool counts = false;                    // hits are how often; else 1 says that it ran
};

struct Totals {
  uint64_t lines = 0, lines_hit = 0;
  uint64_t arms = 0, arms_hit = 0;
  uint64_t methods = 0, methods_hit = 0;
  void add(const Totals& other);
};
Totals totals_of(const SourceFile& file);
Totals totals_of(const Module& module);
Totals totals_of(const Coverage& coverage);

// Adds what ran elsewhere. Another build of a module adds to the same lines, and to the same branches of a
// line. Gives the files that it left out: their text was another.
std::vector<std::string> merge(const Coverage& from, Coverage* into);

}  // namespace walkabout::cover
