// For tests: a small portable PDB, and the assembly it is of, byte by byte. Its methods:
//   1 without lines
//   2 /src/a.cs: IL 0 line 10, IL 4 line 12, IL 9 hidden, IL 12 line 11
//   3 IL 0 line 20 of /src/a.cs, IL 7 line 300 of /lib/b.cs
// It has the text of /src/a.cs compressed, that of /lib/b.cs as it is.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha.h"
#include "pdb/portable_pdb.h"

namespace walkabout::pdb::testing {

using Data = std::vector<uint8_t>;

inline void u1(Data& out, size_t v) { out.push_back(static_cast<uint8_t>(v)); }
inline void u2(Data& out, size_t v) { u1(out, v), u1(out, v >> 8); }
inline void u4(Data& out, size_t v) { u2(out, v), u2(out, v >> 16); }
inline void add(Data& out, const Data& more) { out.insert(out.end(), more.begin(), more.end()); }
inline Data bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

inline PdbId test_id() {
  PdbId id;
  for (size_t i = 0; i < id.size(); ++i) id[i] = static_cast<uint8_t>(0xa0 + i);
  return id;
}
inline constexpr char kVersion[] = "0123456789abcdef";  // the assembly's MVID

// Of ECMA-335 II.24.2.1: named streams behind a root.
inline Data metadata_root(const std::vector<std::pair<std::string, Data>>& streams) {
  Data root, contents;
  u4(root, 0x424a5342), u2(root, 1), u2(root, 1), u4(root, 0), u4(root, 12);
  add(root, bytes_of(std::string_view("PDB v1.0\0\0\0\0", 12))), u2(root, 0), u2(root, streams.size());
  size_t headers = root.size();
  for (const auto& [name, bytes] : streams) headers += 8 + (name.size() / 4 + 1) * 4;
  for (const auto& [name, bytes] : streams) {
    u4(root, headers + contents.size()), u4(root, bytes.size());
    Data text = bytes_of(name);
    text.resize((name.size() / 4 + 1) * 4);
    add(root, text);
    add(contents, bytes);
    contents.resize((contents.size() + 3) / 4 * 4);
  }
  add(root, contents);
  return root;
}

inline Data tables_header(uint64_t present) {
  Data out;
  u4(out, 0), u1(out, 2), u1(out, 0), u1(out, 0), u1(out, 1);
  u4(out, present & 0xffffffff), u4(out, present >> 32), u4(out, 0), u4(out, 0);
  return out;
}

inline Data deflated(const Data& from) {
  Data packed(from.size() + 100);
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = const_cast<Bytef*>(from.data());
  stream.avail_in = static_cast<uInt>(from.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

class TestPdb {
 public:
  static constexpr char kTextA[] = "class A\r\n{\n}\n", kTextB[] = "class B {}\n";

  TestPdb() {
    const size_t name_a = blob(path({"src", "a.cs"})), name_b = blob(path({"lib", "b.cs"}));
    const size_t hash = blob(hash_of(kTextA)), hash_b = blob(hash_of(kTextB));
    const size_t second = blob({0, 0, 2, 6, 10, 5, 4, 0, 3, 4, 0, 5, 0, 0, 3, 0, 2, 0x7f, 0x7d});
    // The document is in the blob; a second one is behind it.
    const size_t third = blob({0, 1, 0, 0, 9, 20, 1, 0, 2, 7, 0, 9, 0x82, 0x30, 0});
    const size_t link = blob(bytes_of(kSourceLink));
    Data packed, plain;
    u4(packed, sizeof kTextA - 1), add(packed, deflated(bytes_of(kTextA)));
    u4(plain, 0), add(plain, bytes_of(kTextB));
    const size_t text_a = blob(packed), text_b = blob(plain), steps = blob(kSteps);
    Data tables = tables_header(uint64_t{1} << 0x30 | uint64_t{1} << 0x31 | uint64_t{1} << 0x37);
    u4(tables, 2), u4(tables, 3), u4(tables, 4);
    u2(tables, name_a), u2(tables, 1), u2(tables, hash), u2(tables, 0);
    u2(tables, name_b), u2(tables, 1), u2(tables, hash_b), u2(tables, 0);
    u2(tables, 0), u2(tables, 0), u2(tables, 1), u2(tables, second), u2(tables, 0), u2(tables, third);
    u2(tables, 1 << 5 | 7), u2(tables, 2), u2(tables, link);
    u2(tables, 1 << 5 | 22), u2(tables, 3), u2(tables, text_a);
    u2(tables, 2 << 5), u2(tables, 4), u2(tables, steps);
    u2(tables, 2 << 5 | 22), u2(tables, 3), u2(tables, text_b);
    Data pdb;
    for (const uint8_t byte : test_id()) u1(pdb, byte);
    u4(pdb, 0), u4(pdb, 1 << 0x06), u4(pdb, 0), u4(pdb, 3);
    Data guids = {0x0f, 0xd0, 0x29, 0x88, 0xb8, 0x11, 0x13, 0x42,
                  0x87, 0x8b, 0x77, 0x0e, 0x85, 0x97, 0xac, 0x16};
    add(guids,
        {0x56, 0x05, 0x11, 0xcc, 0x91, 0xa0, 0x38, 0x4d, 0x9f, 0xec, 0x25, 0xab, 0x9a, 0x35, 0x1a, 0x6a});
    add(guids,
        {0x1b, 0x57, 0x8a, 0x0e, 0x26, 0x69, 0x6e, 0x46, 0xb4, 0xad, 0x8a, 0xb0, 0x46, 0x11, 0xf5, 0xfe});
    add(guids,
        {0xc5, 0x2a, 0xfd, 0x54, 0x25, 0xe9, 0x1a, 0x40, 0x9c, 0x2a, 0xf9, 0x4f, 0x17, 0x10, 0x72, 0xf8});
    bytes = metadata_root(
        {{"#Pdb", pdb}, {"#~", tables}, {"#Strings", {0}}, {"#Blob", blobs_}, {"#GUID", guids}});
  }

  // Of method 2: it yields at IL 9, and goes on at IL 12.
  inline static const Data kSteps = {0, 0, 0, 0, 9, 0, 0, 0, 12, 0, 0, 0, 2};
  static constexpr char kSourceLink[] =
      R"({"documents":{"/src/*":"https://localhost/c0ffee/*","/src/a.cs":"https://localhost/the-a"}})";
  static Data hash_of(std::string_view text) {
    return bytes_of(base::sha(base::ShaKind::k256, bytes_of(text)));
  }
  // As the compiler has it, its id left out.
  Data checksum() const {
    Data blank = bytes;
    const PdbId id = test_id();
    std::fill_n(std::search(blank.begin(), blank.end(), id.begin(), id.end()), id.size(), uint8_t{0});
    return bytes_of(base::sha(base::ShaKind::k256, blank));
  }
  Data bytes;

 private:
  size_t blob(const Data& contents) {
    const size_t at = blobs_.size();
    if (contents.size() > 0x7f) u1(blobs_, 0x80 | contents.size() >> 8);
    u1(blobs_, contents.size());
    add(blobs_, contents);
    return at;
  }
  // "/src/a.cs" as its parts; the one before the first '/' is empty.
  Data path(const std::vector<std::string>& parts) {
    Data out = {'/', 0};
    for (const std::string& part : parts) u1(out, blob(bytes_of(part)));
    return out;
  }

  Data blobs_ = {0};
};

// An AnyCPU image (PE32) with metadata, and a debug directory that names a PDB, or has it. Its methods, if
// there are any, share one body.
class TestAssembly {
 public:
  // checksum: SHA-256 of the PDB; empty: it has none.
  explicit TestAssembly(const PdbId& id = test_id(), const Data& embedded = {}, const Data& checksum = {},
                        size_t methods = 0, const Data& body = {}) {
    Data tables = tables_header(1 | (methods == 0 ? 0 : 1 << 6));
    u4(tables, 1);
    if (methods != 0) u4(tables, methods);
    u2(tables, 0), u2(tables, 0), u2(tables, 1), u2(tables, 0), u2(tables, 0);
    for (size_t i = 0; i < methods; ++i)
      u4(tables, kEmbedded), u4(tables, 0), u2(tables, 0), u2(tables, 0), u2(tables, 0);
    const Data metadata = metadata_root({{"#~", tables}, {"#GUID", bytes_of({kVersion, 16})}});
    Data code_view = bytes_of("RSDS");
    for (size_t i = 0; i < 16; ++i) u1(code_view, id[i]);
    u4(code_view, 1);
    add(code_view, bytes_of(std::string_view("/src/obj/Made.pdb\0", 18)));
    Data packed;
    if (!embedded.empty()) {
      packed = bytes_of("MPDB");
      u4(packed, embedded.size());
      add(packed, deflated(embedded));
    }
    Data hash = bytes_of(std::string_view("SHA256\0", 7));
    add(hash, checksum);
    Data debug;
    Data stamp(id.begin() + 16, id.end());
    entry(debug, stamp, 2, kCodeView, code_view.size());
    if (!packed.empty()) entry(debug, Data(4), 17, kEmbedded, packed.size());
    if (!checksum.empty()) entry(debug, Data(4), 19, kChecksum, hash.size());
    place(kCli, cli(metadata.size()));
    place(kMetadata, metadata);
    place(kDebug, debug);
    place(kCodeView, code_view);
    place(kEmbedded, packed.empty() ? body : packed);
    place(kChecksum, hash);
    headers(debug.size());
  }

  Data bytes = Data(kRaw + kSize);

 private:
  static constexpr size_t kRva = 0x2000, kRaw = 0x200, kSize = 0x1000;
  static constexpr size_t kCli = 0x2000, kMetadata = 0x2080, kDebug = 0x2200, kCodeView = 0x2280,
                          kEmbedded = 0x2300, kChecksum = 0x2f00;

  void place(size_t rva, const Data& what) {
    std::copy(what.begin(), what.end(), bytes.begin() + static_cast<ptrdiff_t>(rva - kRva + kRaw));
  }
  static Data cli(size_t metadata_size) {
    Data out;
    u4(out, 72), u2(out, 2), u2(out, 5), u4(out, kMetadata), u4(out, metadata_size);
    out.resize(72);
    return out;
  }
  static void entry(Data& out, const Data& stamp, size_t type, size_t rva, size_t size) {
    u4(out, 0), add(out, stamp), u2(out, 0x100), u2(out, 0x504d);
    u4(out, type), u4(out, size), u4(out, rva), u4(out, rva - kRva + kRaw);
  }
  void headers(size_t debug_size) {
    Data h(0x40);
    h[0] = 'M', h[1] = 'Z', h[0x3c] = 0x40;
    u4(h, 0x4550), u2(h, 0x14c), u2(h, 1), u4(h, 0), u4(h, 0), u4(h, 0), u2(h, 224), u2(h, 0);
    Data optional;
    u2(optional, 0x10b);
    optional.resize(92);
    u4(optional, 16);
    optional.resize(224);
    const auto directory = [&optional](size_t which, size_t rva, size_t size) {
      Data both;
      u4(both, rva), u4(both, size);
      std::copy(both.begin(), both.end(), optional.begin() + static_cast<ptrdiff_t>(96 + 8 * which));
    };
    directory(6, kDebug, debug_size);
    directory(14, kCli, 72);
    add(h, optional);
    add(h, bytes_of(std::string_view(".text\0\0\0", 8)));
    u4(h, kSize), u4(h, kRva), u4(h, kSize), u4(h, kRaw), u4(h, 0), u4(h, 0), u4(h, 0), u4(h, 0x60000020);
    std::copy(h.begin(), h.end(), bytes.begin());
  }
};

}  // namespace walkabout::pdb::testing
