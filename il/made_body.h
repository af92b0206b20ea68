// For tests: bodies byte by byte.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body_header.h"

namespace walkabout::il::testing {

using Data = std::vector<uint8_t>;

inline void put2(Data& out, size_t v) {
  out.push_back(static_cast<uint8_t>(v)), out.push_back(static_cast<uint8_t>(v >> 8));
}
inline void put4(Data& out, size_t v) { put2(out, v), put2(out, v >> 16); }

inline Data operator+(Data a, const Data& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
inline Data nops(size_t count) { return Data(count); }

inline Data tiny(const Data& code) { return Data{static_cast<uint8_t>(code.size() << 2 | 2)} + code; }

struct Fat {
  uint16_t flags = 0, stack = 2;
  uint32_t locals = 0;
};
inline Data fat(const Data& code, Fat header = {}) {
  Data out;
  put2(out, 0x3003 | header.flags), put2(out, header.stack), put4(out, code.size()), put4(out, header.locals);
  return out + code;
}

// Offsets and sizes as a clause has them.
struct Region {
  uint32_t begin = 0, size = 0;
};
inline Data small_clause(uint16_t kind, Region covered, Region handler, uint32_t last) {
  Data out;
  put2(out, kind);
  for (const Region& r : {covered, handler}) put2(out, r.begin), out.push_back(static_cast<uint8_t>(r.size));
  put4(out, last);
  return out;
}
inline Data fat_clause(uint32_t kind, Region covered, Region handler, uint32_t last) {
  Data out;
  put4(out, kind);
  for (const Region& r : {covered, handler}) put4(out, r.begin), put4(out, r.size);
  put4(out, last);
  return out;
}
// A fat body with a section behind it.
inline Data with_section(const Data& code, uint8_t kind, const Data& clauses, Fat header = {}) {
  header.flags |= kMoreSections;
  Data out = fat(code, header);
  out.resize((out.size() + 3) / 4 * 4);
  put4(out, (clauses.size() + 4) << 8 | kind);
  return out + clauses;
}
inline Data with_small(const Data& code, const Data& clauses) { return with_section(code, 0x01, clauses); }
inline Data with_fat(const Data& code, const Data& clauses) { return with_section(code, 0x41, clauses); }

}  // namespace walkabout::il::testing
