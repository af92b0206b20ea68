"""The machine code of generated methods (x64), and where in it their chains of divisions are.

Jitted code is what the compiler prints (DOTNET_JitDisasm, DOTNET_JitDisasmWithCodeBytes), ready-to-run code what the program's file has.
"""
import pathlib
import re
import struct

# divsd: as SSE2, with VEX of two or three bytes, with EVEX.
SCALAR = b"[" + b"".join(re.escape(bytes([byte])) for byte in range(3, 256, 4)) + b"]"  # ends a VEX prefix of such instructions
DIVISION = re.compile(rb"(?s:\xf2[\x40-\x4f]?\x0f\x5e|\xc5" + SCALAR + rb"\x5e|\xc4." + SCALAR + rb"\x5e|\x62." + SCALAR + rb".\x5e)")
BETWEEN = 48  # bytes at most from one division of a chain to the next


def jitted(path: pathlib.Path) -> dict[str, bytes]:
    """By method."""
    found: dict[str, bytearray] = {}
    code = bytearray()
    for line in path.read_text(errors="replace").splitlines() if path.exists() else []:
        if begin := re.match(r"; Assembly listing for method Generated:(\w+)", line):
            code = found[begin[1]] = bytearray()
        elif label := re.search(r";; offset=0x([0-9A-F]+)", line):
            code += b"\x90" * (int(label[1], 16) - len(code))  # what aligns it is not listed as it is
        elif instruction := re.match(r" +((?:[0-9A-F]{2})+) +[a-z]", line):
            code += bytes.fromhex(instruction[1])
    return {name: bytes(code) for name, code in found.items()}


def image(path: pathlib.Path) -> bytes:
    """A PE file as it lies in memory, from its first RVA."""
    data = path.read_bytes()
    [header] = struct.unpack_from("<I", data, 0x3C)
    [sections] = struct.unpack_from("<H", data, header + 6)
    [optional] = struct.unpack_from("<H", data, header + 20)
    memory = bytearray()
    for at in range(header + 24 + optional, header + 24 + optional + 40 * sections, 40):
        rva, size, offset = struct.unpack_from("<III", data, at + 12)
        memory += bytes(max(0, rva + size - len(memory)))
        memory[rva : rva + size] = data[offset : offset + size]
    return bytes(memory)


def in_chain(code: bytes, at: int) -> bool:
    """Whether a division is done shortly before it, and another there or shortly behind it."""
    return DIVISION.search(code, max(0, at - BETWEEN), at) is not None and DIVISION.search(code, at, at + BETWEEN) is not None
