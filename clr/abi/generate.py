#!/usr/bin/env python3
"""Writes the CLR's interfaces, enums and structs as C++ headers from abi.json, the facts beside this file.

  generate.py           writes the files
  generate.py --check   exits 1 and names each file that differs from what would be written (ctest runs this)

The output is committed, so a build needs no python. Names are the CLR's own; integer types become <cstdint> types.
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ABI = json.loads((HERE / "abi.json").read_text())
WIDTH = 110

CALLBACKS = ["ICorProfilerCallback"] + [f"ICorProfilerCallback{n}" for n in range(2, 12)]
INFOS = ["ICorProfilerInfo"] + [f"ICorProfilerInfo{n}" for n in range(2, 16)]
INFO_HELPERS = [
    "ICorProfilerObjectEnum", "ICorProfilerFunctionEnum", "ICorProfilerModuleEnum", "ICorProfilerMethodEnum",
    "ICorProfilerThreadEnum", "IMethodMalloc", "ICorProfilerFunctionControl",
    "ICorProfilerAssemblyReferenceProvider",
]
METADATA = ["IMetaDataImport", "IMetaDataImport2", "IMetaDataAssemblyImport", "IMetaDataEmit", "IMetaDataAssemblyEmit"]
ENUMS = [name for name in ABI["enums"] if name.startswith("COR_PRF_")] + [
    "CorDebugIlToNativeMappingTypes", "CorTypeAttr", "CorMethodAttr", "CorGenericParamAttr", "CorTokenType",
    "CorOpenFlags",
]
STRUCTS = [name for name in ABI["structs"]]
UNIONS = {"FunctionIDOrClientID"}
FUNCTION_TYPES = {name: text for name, text in ABI["typedefs"].items() if text.startswith("function ")}

PLAIN_TYPES = {
    "ULONG": "uint32_t", "ULONG32": "uint32_t", "DWORD": "uint32_t", "UINT32": "uint32_t", "UINT": "uint32_t",
    "USHORT": "uint16_t", "UINT64": "uint64_t", "UINT8": "uint8_t", "BYTE": "uint8_t", "UINT_PTR": "uintptr_t",
    "SIZE_T": "size_t", "PVOID": "void*", "LPCVOID": "const void*", "LPCBYTE": "const uint8_t*",
    "LPCWSTR": "const WCHAR*", "LPWSTR": "WCHAR*", "REFIID": "const GUID&", "REFGUID": "const GUID&",
    "REFCLSID": "const GUID&", "LPCGUID": "const GUID*", "CorSaveSize": "uint32_t",
    "IStream": "IUnknown", "IMapToken": "IUnknown", "COR_SECATTR": "void",  # nobody here makes one
}

GENERATED = "// Made by clr/abi/generate.py from clr/abi/abi.json; change those and run it.\n"
OPEN = "\nnamespace walkabout::clr {\n"
CLOSE = "\n}  // namespace walkabout::clr\n"


def declaration(text):
    """'LPCBYTE *pStart' -> ('const uint8_t**', 'pStart'); a trailing [ ] is one more *."""
    text = re.sub(r"_(In|Out)_\w*\([^)]*\)", "", text)
    text = re.sub(r"\s+", " ", text).strip()
    match = re.fullmatch(r"(?:(const) )?(\w+)( const)?((?: ?\*)*) ?(\w+) ?(\[ ?\])?", text)
    if match is None:
        raise SystemExit(f"generate.py: cannot read the declaration {text!r}")
    const, base, const_after, stars, name, array = match.groups()
    base = PLAIN_TYPES.get(base, base)
    const = "const " if const or const_after else ""
    return const + base + "*" * (stars.count("*") + bool(array)), {"__unused": "unused"}.get(name, name)


def wrapped(head, params, tail):
    """A function's declaration as clang-format lays it out: on one line, else aligned behind the bracket."""
    line = head + ", ".join(params) + tail
    if len(line) <= WIDTH:
        return line + "\n"
    lines, current = [], head
    for i, param in enumerate(params):
        part_text = param + ("," if i + 1 < len(params) else tail)
        if len(current) + len(part_text) > WIDTH:
            lines.append(current.rstrip())
            current = " " * len(head)
            if len(current) + len(part_text) > WIDTH:
                raise SystemExit(f"generate.py: too long for one line: {head}{part_text}")
        current += part_text + " "
    return "\n".join(lines + [current.rstrip()]) + "\n"


def method(m, prefix, tail):
    params = [" ".join(declaration(p)) for p in m["params"]]
    returns = PLAIN_TYPES.get(m["returns"], m["returns"])
    return wrapped(f"  {prefix}{returns} {m['name']}(", params, f"){tail}")


def definition(m, body):
    """An override with a body of at most one statement and unnamed parameters."""
    head = f"  {PLAIN_TYPES.get(m['returns'], m['returns'])} {m['name']}("
    params = [declaration(p)[0] for p in m["params"]]
    line = head + ", ".join(params) + ") override {" + (f" {body} }}" if body else "}") + "\n"
    if len(line) <= WIDTH + 1:
        return line
    return wrapped(head, params, ") override {") + f"    {body}\n  }}\n"


def interface(name):
    spec = ABI["interfaces"][name]
    out = f"\nclass {name} : public {spec['base']} {{\n public:\n"
    out += f'  static constexpr GUID kIid = guid("{spec["iid"]}");\n\n'
    for m in spec["methods"]:
        # Two methods of one name and signature but for the number, in base and derived: both are the CLR's.
        if m["name"] == "EnumJITedFunctions2":
            out += "  // NOLINTNEXTLINE(bugprone-virtual-near-miss)\n"
        out += method(m, "virtual ", " = 0;")
    return out + f"\n protected:\n  ~{name}() = default;\n}};\n"


def interfaces_header(about, includes, names):
    forward = sorted({n for name in names for n in mentioned(name)} - set(names) - {"IUnknown"})
    out = about + GENERATED + "#pragma once\n\n" + "".join(f'#include "clr/abi/{i}"\n' for i in includes) + OPEN
    later = [n for n in names if any(n in mentioned(m) for m in names[:names.index(n) + 1])]
    for n in sorted(set(forward) | set(later)):
        out += ("\n" if out.endswith("{\n") else "") + f"class {n};\n"
    return out + "".join(interface(n) for n in names) + CLOSE


def mentioned(name):
    text = " ".join(p for m in ABI["interfaces"][name]["methods"] for p in m["params"])
    return {n for n in re.findall(r"\bI[A-Z]\w+", text) if n in ABI["interfaces"]}


def enums_header():
    out = ("// Flags and values of the profiling API, and the metadata attributes that names need.\n" + GENERATED +
           "#pragma once\n\n#include <cstdint>\n" + OPEN)
    for name in ENUMS:
        signed = any(re.search(r"= *-", v) for v in ABI["enums"][name])
        out += f"\nenum {name} : {'int32_t' if signed else 'uint32_t'} {{\n"
        out += "".join(enumerator(v) for v in ABI["enums"][name]) + "};\n"
    return out + CLOSE


def enumerator(text):
    text = re.sub(r"\s*=\s*", " = ", text.strip()).replace("0X", "0x")
    if len(text) + 3 <= WIDTH:
        return f"  {text},\n"
    name, value = text.split(" = ")
    indent = " " * 6
    lines, current = [], f"  {name} ="
    if len(current) + len(value) + 2 > WIDTH:
        parts = value.split(" | ")
        lines, current = [current], indent
        for i, part in enumerate(parts):
            part_text = part + (" |" if i + 1 < len(parts) else ",")
            if len(current) + len(part_text) > WIDTH:
                lines.append(current.rstrip())
                current = indent
            current += part_text + " "
        return "\n".join(lines + [current.rstrip()]) + "\n"
    return f"{current}\n{indent}{value},\n"


def structs_header():
    out = ("// Structures that cross the profiling and metadata interfaces by value or pointer, and the function types\n"
           "// they call back.\n" + GENERATED +
           '#pragma once\n\n#include "clr/abi/enums.h"\n#include "clr/abi/types.h"\n' + OPEN)
    for name in STRUCTS:
        out += f"\n{'union' if name in UNIONS else 'struct'} {name} {{\n"
        for field in ABI["structs"][name]:
            match = re.fullmatch(r"(.*)\[(\d+)\]", field)
            kind, member = declaration(match.group(1) if match else field)
            out += f"  {kind} {member}{'[' + match.group(2) + ']' if match else ''};\n"
        out += "};\n"
    out += "\n"
    for name, text in FUNCTION_TYPES.items():
        returns, params = re.fullmatch(r"function (\w+) \((.*)\)", text).groups()
        params = [" ".join(declaration(p)) for p in params.split(", ")]
        out += wrapped(f"using {name} = {PLAIN_TYPES.get(returns, returns)}(", params, ");")
    # Not in abi.json: these two are only named in its parameter lists, so only their pointers may be passed on.
    out += "\nusing EventPipeProviderCallback = void();  // opaque: cast to the documented signature\n"
    out += "using ObjectCallback = BOOL(ObjectID object, void* callbackState);\n"
    return out + CLOSE


def hresults_header():
    out = ("// What the profiling API says when it refuses. See clr/abi/types.h for the general codes.\n" + GENERATED +
           '#pragma once\n\n#include "clr/abi/types.h"\n' + OPEN + "\n")
    for name, value in ABI["hresults"].items():
        out += f"inline constexpr HRESULT {name} = hresult({value});\n"
    return out + CLOSE


def callback_base_header():
    out = ("// A profiler that does nothing: every callback returns S_OK, so a derived class overrides what it needs.\n"
           "// Callbacks arrive concurrently on any thread. Reference counting never deletes: the object belongs to\n"
           "// whoever made it and must live until the process ends (the CLR calls a profiler until then).\n" + GENERATED +
           '#pragma once\n\n#include <atomic>\n\n#include "clr/abi/callback.h"\n' + OPEN)
    out += "\nclass CallbackBase : public ICorProfilerCallback11 {\n public:\n"
    out += "  HRESULT QueryInterface(const GUID& riid, void** object) override;\n"
    out += "  uint32_t AddRef() override { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }\n"
    out += "  uint32_t Release() override { return references_.fetch_sub(1, std::memory_order_acq_rel) - 1; }\n"
    for name in CALLBACKS:
        out += f"\n  // {name}\n"
        out += "".join(definition(m, "return S_OK;") for m in ABI["interfaces"][name]["methods"])
    out += "\n protected:\n  ~CallbackBase() = default;\n"
    out += "\n private:\n  std::atomic<uint32_t> references_ = 1;\n};\n"
    # Inline: a key function in a library without RTTI would leave programs with RTTI without the class's typeinfo.
    out += "\ninline HRESULT CallbackBase::QueryInterface(const GUID& riid, void** object) {\n"
    out += "  if (object == nullptr) return E_POINTER;\n"
    out += "  static constexpr GUID kKnown[] = {\n      IUnknown::kIid,\n"
    out += "".join(f"      {name}::kIid,\n" for name in CALLBACKS) + "  };\n"
    out += "  for (const GUID& known : kKnown) {\n    if (riid == known) {\n"
    out += "      *object = static_cast<ICorProfilerCallback11*>(this);\n      AddRef();\n      return S_OK;\n    }\n  }\n"
    return out + "  *object = nullptr;\n  return E_NOINTERFACE;\n}\n" + CLOSE


# No recording has begun in these, or none is there any more; and what the runtime never calls (docs/events.md).
NOT_REPORTED = {"LoadAsNotificationOnly", "InitializeForAttach", "ProfilerDetachSucceeded"}
NEVER_CALLED = ("Remoting", "COMClassicVTableDestroyed", "ExceptionOSHandler", "ExceptionCLRCatcher", "JITFunctionPitched",
                "GetAssemblyReferences")
# Before the profiler's own part there is no recording either, or the thread is not known yet.
REPORTED_BEHIND = {"Initialize", "ProfilerAttachComplete", "ThreadAssignedToOSThread"}
WORDS = 3  # of a callback's parameters


def reported(m):
    params = [declaration(p) for p in m["params"]]
    names = [name for _, name in params]
    words = [f"word({'&' * kind.endswith('&')}{name})" for kind, name in params[:WORDS]]
    report = wrapped("    this->called(", [f"Callback::k{m['name']}"] + words, ");")
    own = wrapped(f"Base::{m['name']}(", names, ");")
    out = wrapped(f"  {PLAIN_TYPES.get(m['returns'], m['returns'])} {m['name']}(", [" ".join(p) for p in params],
                  ") override {")
    if m["name"] in REPORTED_BEHIND:
        return out + f"    const HRESULT result = {own}{report}    return result;\n  }}\n"
    return out + report + wrapped(f"    return Base::{m['name']}(", names, ");") + "  }\n"


def callback_report_header():
    methods = [m for name in CALLBACKS for m in ABI["interfaces"][name]["methods"]
               if m["name"] not in NOT_REPORTED and not m["name"].startswith(NEVER_CALLED)]
    out = ("// The callbacks that come, as numbers and names, and a profiler that says of each that it came.\n" +
           GENERATED + '#pragma once\n\n#include <array>\n#include <cstddef>\n#include <cstdint>\n#include <type_traits>\n\n'
           '#include "clr/abi/callback.h"\n' + OPEN)
    out += "\nenum class Callback : uint8_t {\n" + "".join(f"  k{m['name']},\n" for m in methods) + "};\n"
    out += f"inline constexpr size_t kCallbacks = {len(methods)};\n"
    out += "\n// Their names, each with a zero behind it.\ninline constexpr char kCallbackNames[] =\n"
    out += "\n".join(f'    "{m["name"]}\\0"' for m in methods) + ";\n"
    out += f"\n// One that came, with the first {WORDS} of its parameters: numbers, and pointers as numbers.\n"
    out += f"struct CallbackCall {{\n  Callback which;\n  std::array<uintptr_t, {WORDS}> words{{}};\n}};\n"
    out += ("\ntemplate <typename T>\nuintptr_t word(T value) {\n  if constexpr (std::is_pointer_v<T>)\n"
            "    return reinterpret_cast<uintptr_t>(value);\n  else\n    return static_cast<uintptr_t>(value);\n}\n")
    out += ("\n// Base: a profiler with `void called(Callback, uintptr_t...)`, which gets such a call's parts on its thread:\n"
            "// before Base's own part, but behind it where that makes the recording or the thread known.\n"
            "template <typename Base>\nclass Reporting : public Base {\n public:\n")
    for name in CALLBACKS:
        part = "".join(reported(m) for m in ABI["interfaces"][name]["methods"] if m in methods)
        out += f"  // {name}\n{part}\n" if part else ""
    return out.rstrip("\n") + "\n};\n" + CLOSE


def null_interface_header(target, about, chain, includes):
    """Every method of the chain answers what not_overridden() returns, by default E_NOTIMPL."""
    out = about + GENERATED + "#pragma once\n\n" + "".join(f'#include "clr/abi/{i}"\n' for i in includes) + OPEN
    out += f"\nclass Null{target} : public {target} {{\n public:\n"
    out += "  HRESULT QueryInterface(const GUID& riid, void** object) override;\n"
    out += "  uint32_t AddRef() override { return ++references; }\n  uint32_t Release() override { return --references; }\n"
    for name in chain:
        out += f"\n  // {name}\n"
        for m in ABI["interfaces"][name]["methods"]:
            body = f'return not_overridden("{m["name"]}");'
            out += definition(m, {"void": "", "BOOL": "return 0;"}.get(m["returns"], body))
    out += "\n  // Whatever is not overridden comes here.\n"
    out += "  virtual HRESULT not_overridden(const char* /*method*/) { return E_NOTIMPL; }\n"
    out += "\n  uint32_t references = 1;\n};\n"
    known = " || ".join(f"riid == {name}::kIid" for name in ["IUnknown", target])
    out += f"\ninline HRESULT Null{target}::QueryInterface(const GUID& riid, void** object) {{\n"
    out += f"  const bool known = {known};\n  *object = known ? this : nullptr;\n  if (known) AddRef();\n"
    return out + "  return known ? S_OK : E_NOINTERFACE;\n}\n" + CLOSE


def test_table():
    """Every declared name beside its C++ symbol, for abi_test.cc to compare with abi.json."""
    out = "// Every symbol the generated headers declare, for abi_test.cc.\n" + GENERATED
    for name in CALLBACKS + INFOS + INFO_HELPERS + METADATA:
        out += f"INTERFACE({name})\n"
        out += "".join(f"METHOD({name}, {m['name']})\n" for m in ABI["interfaces"][name]["methods"])
    for name in ENUMS:
        out += f"ENUM({name})\n"
        out += "".join(f"ENUMERATOR({name}, {re.match(r'[A-Za-z_0-9]+', v).group()})\n" for v in ABI["enums"][name])
    for name in STRUCTS:
        out += f"STRUCT({name})\n"
        out += "".join(f"FIELD({name}, {declaration(re.sub(r'.[0-9]+.$', '', f))[1]})\n" for f in ABI["structs"][name])
    out += "".join(f"HRESULT_VALUE({name})\n" for name in ABI["hresults"])
    return out


def files():
    return {
        "enums.h": enums_header(),
        "structs.h": structs_header(),
        "hresults.h": hresults_header(),
        "callback.h": interfaces_header(
            "// What the CLR calls in a profiler. Concurrently, on any thread, sometimes on small stacks: do not block.\n",
            ["class_factory.h", "enums.h", "structs.h"], CALLBACKS),
        "info.h": interfaces_header(
            "// What a profiler may ask of the CLR. Which calls are allowed where (and on which threads) is documented per\n"
            "// method by the CLR; none of them may be made from a signal handler but DoStackSnapshot on its own thread.\n",
            ["class_factory.h", "enums.h", "structs.h"], INFOS),
        "info_helpers.h": interfaces_header(
            "// Objects that ICorProfilerInfo and ICorProfilerCallback hand out: enumerators, allocators, controls.\n",
            ["class_factory.h", "enums.h", "structs.h"], INFO_HELPERS),
        "metadata.h": interfaces_header(
            "// Reading an assembly's metadata, and adding to it. Names come out as UTF-16 with their length including the\n"
            "// terminating NUL.\n",
            ["class_factory.h", "enums.h", "structs.h"], METADATA),
        "callback_base.h": callback_base_header(),
        "callback_report.h": callback_report_header(),
        "null_info.h": null_interface_header(
            "ICorProfilerInfo15", "// An ICorProfilerInfo that knows nothing: for tests, and to derive from.\n", INFOS, ["info.h"]),
        "null_metadata.h": null_interface_header(
            "IMetaDataImport2", "// A module without metadata: for tests, and to derive from.\n", METADATA[:2], ["metadata.h"]),
        "abi_test_table.inc": test_table(),
    }


def main():
    stale = []
    for name, text in files().items():
        path = HERE / name
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(name)
    if stale:
        sys.exit(f"generate.py: not what abi.json and generate.py say: {', '.join(stale)}; run clr/abi/generate.py")


if __name__ == "__main__":
    main()
