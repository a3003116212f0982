"""The body of a function of WebAssembly as instructions.

Source of the rules: the core specification, *Binary Format*, *Instructions*.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from fathom.llvm.disassembly.bytes_read import Reader
from fathom.llvm.disassembly.objects import Instruction, NotShown
from fathom.llvm.disassembly.webassembly_names import MAIN, PREFIXED, TYPES, Immediate

_NO_RESULT: Final = 0x40
_MEMORY_INDEX: Final = 0x40
"""The bit of an alignment that says that the number of a memory follows."""
_BITS: Final = re.compile(r"(?:load|store|rmw|wait)(\d+)(?:x(\d+))?")
_BYTES: Final = {"i32": 4, "f32": 4, "i64": 8, "f64": 8, "v128": 16, "memory": 4}
"""How many bytes an instruction reads or writes that does not say so itself."""
_CATCHES: Final = ("catch", "catch_ref", "catch_all", "catch_all_ref")


def instructions(reader: Reader) -> Iterator[Instruction]:
    """Instructions up to the end of the reader. From one on that nobody knows, the rest are bytes."""
    while not reader.is_done:
        start = reader.at
        try:
            name, operands = _instruction(reader)
        except NotShown:
            reader.at = start
            rest = reader.bytes(reader.end - start)
            for offset, byte in enumerate(rest, start):
                yield Instruction(offset, bytes((byte,)), ".byte", f"{byte:#04x}", is_known=False)
            return
        yield Instruction(start, reader.data[start : reader.at], name, operands)


def _instruction(reader: Reader) -> tuple[str, str]:
    opcode = reader.byte()
    more = PREFIXED.get(opcode)
    known = MAIN.get(opcode) if more is None else more.get(reader.unsigned())
    if known is None:
        raise NotShown("an instruction that is not known here")
    name, immediate = known
    if immediate == "memory":
        return name, _memory(reader, name)
    if immediate == "memory lane":
        return name, f"{_memory(reader, name)}, {reader.byte()}"
    return name, _IMMEDIATES[immediate](reader) if immediate is not None else ""


def _type(reader: Reader) -> str:
    byte = reader.byte()
    name = TYPES.get(byte)
    if name is None:
        raise NotShown("a type that is not known here")
    return name


def _block(reader: Reader) -> str:
    """Nothing, a type of a result, or the number of a type of functions."""
    byte = reader.data[reader.at] if not reader.is_done else 0
    if byte == _NO_RESULT:
        reader.byte()
        return ""
    return _type(reader) if byte in TYPES else f"type {reader.signed()}"


def _type_index(reader: Reader) -> str:
    """The type of what is called, and the table; the table stands first in the text."""
    type, table = reader.unsigned(), reader.unsigned()
    return f"{table}, {type}" if table else str(type)


def _table(reader: Reader) -> str:
    """The labels of `br_table`, and the one for all else."""
    count = reader.unsigned()
    if count > reader.end - reader.at:
        raise NotShown("a table that is longer than its function")
    labels = [str(reader.unsigned()) for _ in range(count + 1)]
    return f"{{{', '.join(labels)}}}"


def _memory(reader: Reader, name: str) -> str:
    """The offset, and the alignment as a power of two where it is not that of what is read or written."""
    alignment = reader.unsigned()
    if alignment & _MEMORY_INDEX:
        reader.unsigned()
    said, offset = alignment & ~_MEMORY_INDEX, reader.unsigned()
    return str(offset) if 1 << said == _width(name) else f"{offset}:p2align={said}"


def _width(name: str) -> int:
    """How many bytes an instruction reads or writes."""
    if (bits := _BITS.search(name)) is not None:
        return int(bits[1]) * int(bits[2] or 1) // 8
    return _BYTES[name.partition(".")[0]]


def _floating(size: int) -> Callable[[Reader], str]:
    def read(reader: Reader) -> str:
        value = reader.floating(size)
        if not math.isfinite(value):
            return str(value).replace("inf", "infinity")
        digits, _, exponent = value.hex().partition("p")
        return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}p{int(exponent)}"

    return read


def _types(reader: Reader) -> str:
    count = reader.unsigned()
    if count > reader.end - reader.at:
        raise NotShown("more types than there is room for")
    return ", ".join(_type(reader) for _ in range(count))


def _catches(reader: Reader) -> str:
    block, count = _block(reader), reader.unsigned()
    if count > reader.end - reader.at:
        raise NotShown("more handlers than there is room for")
    said: list[str] = []
    for _ in range(count):
        kind = reader.byte()
        if kind >= len(_CATCHES):
            raise NotShown("a handler that is not known here")
        tag = f" {reader.unsigned()}" if kind < 2 else ""
        said.append(f"({_CATCHES[kind]}{tag} {reader.unsigned()})")
    return " ".join(filter(None, (block, *said)))


_IMMEDIATES: Final[Mapping[Immediate, Callable[[Reader], str]]] = {
    "block": _block,
    "index": lambda reader: str(reader.unsigned()),
    "two indices": lambda reader: f"{reader.unsigned()}, {reader.unsigned()}",
    "type index": _type_index,
    "table": _table,
    "i32": lambda reader: str(reader.signed()),
    "i64": lambda reader: str(reader.signed()),
    "f32": _floating(4),
    "f64": _floating(8),
    "v128": lambda reader: ", ".join(map(str, struct.unpack("<4I", reader.bytes(16)))),
    "lanes": lambda reader: ", ".join(map(str, reader.bytes(16))),
    "lane": lambda reader: str(reader.byte()),
    "types": _types,
    "heap type": _type,
    "zero": lambda reader: str(reader.byte()),
    "catches": _catches,
}
"""How what is behind an opcode is read."""
