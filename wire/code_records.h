// What frames refer to: images, methods, their code, names of native code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "wire/field.h"
#include "wire/record_type.h"

namespace walkabout::wire {

enum class ModuleKind : uint8_t { kElf = 1, kReadyToRun = 2, kVdso = 3, kPe = 4 };

// A native or ready-to-run image in memory. Frames of kind kNative and kReadyToRun refer to it.
struct Module {
  static constexpr RecordType kType = RecordType::kModule;
  base::CodeId code;
  ModuleKind kind = ModuleKind::kElf;
  std::string path;      // as the target sees it
  std::string build_id;  // raw bytes of the GNU build id; of a PE: of its headers (format.md); empty if none
  uint64_t start = 0;    // lowest mapped address
  uint64_t size = 0;
  uint64_t bias = 0;  // ELF: load bias; PE: image base
};
template <typename = void>
constexpr auto fields(const Module*) {
  return std::tuple(
      as::number(1, &Module::code), as::choice(2, &Module::kind, ModuleKind::kPe).always_written(),
      as::text(3, &Module::path, Place::kPath), as::raw(4, &Module::build_id), as::number(5, &Module::start),
      as::number(6, &Module::size), as::number(7, &Module::bias));
}

enum class MethodFlag : uint32_t {
  kDynamic = 1,  // a DynamicMethod: no metadata, named by its event
  kIlStub = 2,   // marshalling, delegate and other stubs the runtime generates
  kIterator =
      4,  // a MoveNext that returns bool: the body of an iterator (one that returns void: of an async method)
  kPlainName = 8,  // is named as an accessor or an operator is, and is none
};

// A managed method. Names are raw metadata names ("<Main>b__0_0", "<RunAsync>d__5.MoveNext"); the reader
// makes them readable. type is "Namespace.Outer+Inner<System.Int32>" with its generic arguments; method has
// its own ("Map<T>").
struct Method {
  static constexpr RecordType kType = RecordType::kMethod;
  base::MethodId id;
  std::string type;
  std::string method;
  std::string parameters;     // "System.Int32, System.String[]"
  std::string module;         // file name of its module, "Demo.dll"
  uint32_t flags = 0;         // MethodFlag
  std::string returns;        // of a conversion (op_Implicit, op_Explicit); else empty
  uint32_t token = 0;         // its MethodDef; 0: not said
  base::AssemblyId assembly;  // that the token is of
};
template <typename = void>
constexpr auto fields(const Method*) {
  return std::tuple(as::number(1, &Method::id), as::text(2, &Method::type, Place::kNone),
                    as::text(3, &Method::method, Place::kNone),
                    as::text(4, &Method::parameters, Place::kNone),
                    as::text(5, &Method::module, Place::kPath), as::number(6, &Method::flags),
                    as::text(7, &Method::returns, Place::kNone), as::number(8, &Method::token),
                    as::number(9, &Method::assembly));
}

enum class Tier : uint8_t {
  kUnknown = 0,
  kMinOpts = 1,    // optimizations off (debug build, huge method)
  kOptimized = 2,  // jitted once, fully (no tiering)
  kTier0 = 3,
  kTier1 = 4,
  kOsr = 5,  // on-stack replacement
  kTier0Instrumented = 6,
  kTier1Instrumented = 7,
  kReadyToRun = 8,
  kPreJit = 9,  // other precompiled code
};

// One compiled method. Frames of kind kJitted refer to it.
struct JitCode {
  static constexpr RecordType kType = RecordType::kJitCode;
  base::CodeId code;
  base::MethodId method;
  Tier tier = Tier::kUnknown;
  uint64_t start = 0;
  uint32_t size = 0;
  uint32_t main_size = 0;  // bytes before its funclets (catch, finally, filter bodies); 0: it has none
};
template <typename = void>
constexpr auto fields(const JitCode*) {
  return std::tuple(as::number(1, &JitCode::code), as::number(2, &JitCode::method),
                    as::choice(3, &JitCode::tier, Tier::kPreJit), as::number(4, &JitCode::start),
                    as::number(5, &JitCode::size), as::number(6, &JitCode::main_size));
}

// The precompiled code of one method (or a funclet of it) in a ready-to-run image: [begin, end) are RVAs.
struct MethodRange {
  static constexpr RecordType kType = RecordType::kMethodRange;
  base::CodeId module;
  uint32_t begin = 0;
  uint32_t end = 0;
  base::MethodId method;
};
template <typename = void>
constexpr auto fields(const MethodRange*) {
  return std::tuple(as::number(1, &MethodRange::module), as::number(2, &MethodRange::begin),
                    as::number(3, &MethodRange::end), as::number(4, &MethodRange::method));
}

// Names for native code of one image, found outside the target. One entry per distinct function that samples
// hit.
struct NativeSymbol {
  uint32_t begin = 0;  // offset range the name stands for, [begin, end)
  uint32_t end = 0;
  std::string name;      // demangled
  std::string raw_name;  // as in the symbol table, empty if the same
  bool approximate =
      false;  // not its own name: the nearest exported one below plus the distance ("foo+0x1c0")
};
template <typename = void>
constexpr auto fields(const NativeSymbol*) {
  return std::tuple(as::number(1, &NativeSymbol::begin), as::number(2, &NativeSymbol::end),
                    as::text(3, &NativeSymbol::name, Place::kNone),
                    as::text(4, &NativeSymbol::raw_name, Place::kNone),
                    as::number(5, &NativeSymbol::approximate));
}

struct NativeSymbols {
  static constexpr RecordType kType = RecordType::kNativeSymbols;
  base::CodeId module;
  bool stripped = false;  // the file has no .symtab and no debug file was found
  bool found = true;      // false: no file with this build id could be read
  std::string source;     // file the names came from
  std::vector<NativeSymbol> symbols;
};
template <typename = void>
constexpr auto fields(const NativeSymbols*) {
  return std::tuple(as::number(1, &NativeSymbols::module), as::number(2, &NativeSymbols::stripped),
                    as::number(3, &NativeSymbols::found).always_written(),
                    as::text(4, &NativeSymbols::source, Place::kPath),
                    as::messages(5, &NativeSymbols::symbols));
}

}  // namespace walkabout::wire
