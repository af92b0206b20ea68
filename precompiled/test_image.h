// For tests: the file of a small ready-to-run assembly, "Made.dll", byte by byte. Its functions, of 0x10
// bytes each from kCode on:
//   0 N.Plain.Run(int, N.Plain)     1 a funclet of it           2 N.Plain.MoveNext()
//   3 N.Box<int>.Put(int)           4 N.Box<__Canon>.Put(T)     5 N.Box<System.DateTime>.Put(System.DateTime)
//   6 N.Plain+Inner.Map<long>(long)
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace walkabout::precompiled::testing {

constexpr uint32_t kCode = 0x3000;
constexpr uint32_t kFunctions = 7;

class TestImage {
 public:
  using Data = std::vector<uint8_t>;

  TestImage() {
    const Data metadata_bytes = metadata();
    place(kCli, cli(static_cast<uint32_t>(metadata_bytes.size())));
    place(kMetadata, metadata_bytes);
    const Data array = methods(), table = instances(), functions = runtime_functions();
    Data header;
    u4(header, 0x00525452), u2(header, 9), u2(header, 1), u4(header, 0x8), u4(header, 3);
    section(header, 102, kRuntimeFunctions, functions);
    section(header, 103, kArray, array);
    section(header, 109, kTable, table);
    place(kHeader, header);
    place(kRuntimeFunctions, functions);
    place(kArray, array);
    place(kTable, table);
    write_headers();
  }

  Data bytes = Data(kRaw + kSize);

 private:
  static constexpr uint32_t kRva = 0x1000, kRaw = 0x200, kSize = 0x1000;
  static constexpr uint32_t kCli = 0x1000, kHeader = 0x1080, kArray = 0x1100, kTable = 0x1180,
                            kRuntimeFunctions = 0x1200, kMetadata = 0x1300;

  static void u1(Data& out, size_t v) { out.push_back(static_cast<uint8_t>(v)); }
  static void u2(Data& out, size_t v) { u1(out, v), u1(out, v >> 8); }
  static void u4(Data& out, size_t v) { u2(out, v), u2(out, v >> 16); }
  static void add(Data& out, const Data& more) { out.insert(out.end(), more.begin(), more.end()); }
  static void section(Data& out, uint32_t type, uint32_t rva, const Data& of) {
    u4(out, type), u4(out, rva), u4(out, of.size());
  }
  void place(uint32_t rva, const Data& what) {
    std::memcpy(&bytes[rva - kRva + kRaw], what.data(), what.size());
  }

  void write_headers() {
    Data h(0x40);
    h[0] = 'M', h[1] = 'Z', h[0x3c] = 0x40;
    u4(h, 0x4550), u2(h, 0xfd1d), u2(h, 1), u4(h, 0x12345678), u4(h, 0), u4(h, 0), u2(h, 240), u2(h, 0);
    Data optional;
    u2(optional, 0x20b);
    optional.resize(56);
    u4(optional, 0x4000);
    optional.resize(108);
    u4(optional, 16);
    optional.resize(240);
    const auto directory = [&optional](size_t i, uint32_t rva, uint32_t size) {
      std::memcpy(&optional[112 + 8 * i], &rva, 4);
      std::memcpy(&optional[116 + 8 * i], &size, 4);
    };
    directory(3, kRuntimeFunctions, kFunctions * 12);
    directory(14, kCli, 72);
    add(h, optional);
    add(h, {'.', 't', 'e', 'x', 't', 0, 0, 0});
    u4(h, kSize), u4(h, kRva), u4(h, kSize), u4(h, kRaw), u4(h, 0), u4(h, 0), u4(h, 0), u4(h, 0x60000020);
    std::memcpy(bytes.data(), h.data(), h.size());
  }

  static Data cli(uint32_t metadata_size) {
    Data out;
    u4(out, 72), u2(out, 2), u2(out, 5), u4(out, kMetadata), u4(out, metadata_size);
    out.resize(64);
    u4(out, kHeader), u4(out, 16 + 3 * 12);
    return out;
  }

  static Data runtime_functions() {
    Data out;
    for (uint32_t i = 0; i < kFunctions; ++i)
      u4(out, kCode + i * 0x10), u4(out, kCode + (i + 1) * 0x10), u4(out, 0);
    return out;
  }

  static void number(Data& out, size_t v) { u1(out, v << 2 | 1), u1(out, v >> 6); }  // in two bytes
  // A block of an array: entries 0 and 1 are there, each the number of a function.
  static Data methods() {
    Data out;
    number(out, 2 << 2);
    u1(out, 1);                                              // where the block's tree begins
    for (int level = 0; level < 3; ++level) number(out, 1);  // only the lower half
    number(out, 4 << 2 | 3);                                 // both halves, the upper one from there
    number(out, 0 << 1), number(out, 2 << 1);
    return out;
  }
  static Data instances() {
    const Data entries[] = {
        {0x40, 0x15, 0x12, 3 << 2, 1, 0x08, 3, 3 << 1 << 1},              // Box<int>.Put: 3
        {0x40, 0x15, 0x12, 3 << 2, 1, 0x3e, 3, 4 << 1 << 1},              // Box<__Canon>.Put
        {0x40, 0x15, 0x12, 3 << 2, 1, 0x11, 1 << 2 | 1, 3, 5 << 1 << 1},  // Box<DateTime>.Put
        {0x44, 0x12, 4 << 2, 4, 1, 0x0a, (6 << 2 | 1) << 1, 0},           // Inner.Map<long>, a fixup
    };
    Data out = {0, 2, 2 + 4 * 2};
    size_t at = 3 + 4 * 2;  // behind the bucket
    for (const Data& entry : entries) {
      u1(out, 0);
      u1(out, (at - out.size()) << 1);
      at += entry.size();
    }
    for (const Data& entry : entries) add(out, entry);
    return out;
  }

  // A heap that grows as texts are asked for.
  struct Heap {
    Data data = {0};
    size_t text(std::string_view s) {
      const size_t at = data.size();
      data.insert(data.end(), s.begin(), s.end());
      data.push_back(0);
      return at;
    }
    size_t blob(const Data& b) {
      const size_t at = data.size();
      data.push_back(static_cast<uint8_t>(b.size()));
      add(data, b);
      return at;
    }
  };

  static Data metadata() {
    Heap s, b;
    Data t;
    u4(t, 0), u1(t, 2), u1(t, 0), u1(t, 0), u1(t, 1);
    constexpr uint64_t kPresent = 0x7 | 1 << 6 | 1ull << 0x20 | 1ull << 0x23 | 1ull << 0x29 | 1ull << 0x2a;
    u4(t, kPresent & 0xffffffff), u4(t, kPresent >> 32), u4(t, 0), u4(t, 0);
    for (const uint32_t rows : {1, 1, 4, 4, 1, 1, 1, 2}) u4(t, rows);
    u2(t, 0), u2(t, s.text("Made.dll")), u2(t, 0), u2(t, 0), u2(t, 0);
    u2(t, 1 << 2 | 2), u2(t, s.text("DateTime")), u2(t, s.text("System"));
    const auto type = [&](uint32_t flags, std::string_view name, std::string_view space, uint32_t method) {
      u4(t, flags), u2(t, s.text(name)), u2(t, space.empty() ? 0 : s.text(space)), u2(t, 0), u2(t, 1),
          u2(t, method);
    };
    type(0, "<Module>", "", 1);
    type(1, "Plain", "N", 1);
    type(1, "Box`1", "N", 3);
    type(2, "Inner", "", 4);
    const auto method = [&](std::string_view name, const Data& signature) {
      u4(t, 0), u2(t, 0), u2(t, 0), u2(t, s.text(name)), u2(t, b.blob(signature)), u2(t, 1);
    };
    method("Run", {0, 2, 0x01, 0x08, 0x12, 2 << 2});
    method("MoveNext", {0x20, 0, 0x02});
    method("Put", {0x20, 1, 0x01, 0x13, 0});
    method("Map", {0x10, 1, 1, 0x01, 0x1e, 0});
    u4(t, 0), u2(t, 0), u2(t, 0), u2(t, 0), u2(t, 0), u4(t, 0), u2(t, 0), u2(t, s.text("Made")), u2(t, 0);
    u2(t, 0), u2(t, 0), u2(t, 0), u2(t, 0), u4(t, 0), u2(t, 0), u2(t, s.text("System.Runtime")), u2(t, 0),
        u2(t, 0);
    u2(t, 4), u2(t, 2);                                         // Inner is in Plain
    u2(t, 0), u2(t, 0), u2(t, 3 << 1), u2(t, s.text("T"));      // of Box
    u2(t, 0), u2(t, 0), u2(t, 4 << 1 | 1), u2(t, s.text("M"));  // of Map
    Data out;
    u4(out, 0x424a5342), u2(out, 1), u2(out, 1), u4(out, 0), u4(out, 4), u4(out, 0), u2(out, 0), u2(out, 3);
    size_t at = out.size() + 12 + 20 + 16;
    const auto stream = [&](const Data& data, std::string_view padded_name) {
      u4(out, at), u4(out, data.size());
      out.insert(out.end(), padded_name.begin(), padded_name.end());
      at += data.size();
    };
    stream(t, {"#~\0\0", 4});
    stream(s.data, {"#Strings\0\0\0\0", 12});
    stream(b.data, {"#Blob\0\0\0", 8});
    for (const Data* data : {&t, &s.data, &b.data}) add(out, *data);
    return out;
  }
};

}  // namespace walkabout::precompiled::testing
