"""Object files of WebAssembly: the functions in them, and what a linker is told of these.

Source of the rules: the core specification, *Binary Format*, *Modules*; `tool-conventions/Linking.md` for symbols and
relocations, and `tool-conventions/Debugging.md` for the line table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.llvm.disassembly.bytes_read import Reader
from fathom.llvm.disassembly.line_table import line_rows
from fathom.llvm.disassembly.objects import Instruction, NotShown, ObjectFile, Relocation, Section, printable
from fathom.llvm.disassembly.relocation_names import WEBASSEMBLY
from fathom.llvm.disassembly.webassembly_code import instructions
from fathom.llvm.disassembly.webassembly_names import TYPES

MAGIC: Final = b"\0asm"
FORMAT: Final = "wasm"
_CUSTOM, _IMPORT, _CODE = 0, 2, 10
_SYMBOLS: Final = 8
"""The part of the section `linking` that lists symbols."""
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40
_DATA, _SECTION = 1, 3
_TYPE_INDEX: Final = "R_WASM_TYPE_INDEX_LEB"
_WITH_ADDEND: Final = ("MEMORY_ADDR", "FUNCTION_OFFSET", "SECTION_OFFSET")
_KINDS: Final = 5
"""Functions, tables, memories, globals and tags are numbered, each kind for itself."""


class _Module:
    """The parts of an object file that are asked for."""

    def __init__(self, data: bytes) -> None:
        self.code = Reader(b"")
        self.code_number = -1
        self.custom: dict[str, Reader] = {}
        self.imported: list[list[str]] = [[] for _ in range(_KINDS)]
        """Names of what is imported, by its kind; these have the first numbers."""
        reader = Reader(data, 8)
        number = 0
        while not reader.is_done:
            kind = reader.byte()
            content = reader.within(reader.unsigned())
            if kind == _CUSTOM:
                self.custom[content.name()] = content
            elif kind == _IMPORT:
                self._imports(content)
            elif kind == _CODE:
                self.code, self.code_number = content, number
            number += 1

    def _imports(self, reader: Reader) -> None:
        for _ in range(reader.unsigned()):
            reader.name()
            name, kind = reader.name(), reader.byte()
            if kind >= _KINDS:
                raise NotShown("an import that is not known here")
            self.imported[kind].append(name)
            if kind == 1:
                reader.byte()
            if kind in (1, 2):
                _limits(reader)
            elif kind == 3:
                reader.bytes(2)
            else:
                reader.bytes(int(kind == 4))
                reader.unsigned()


def _limits(reader: Reader) -> None:
    has_most = reader.byte() & 1
    reader.unsigned()
    if has_most:
        reader.unsigned()


def read_webassembly(data: bytes) -> ObjectFile:
    """An object file of WebAssembly. Raises NotShown; of a line table that is wrong, anything."""
    module = _Module(data)
    if module.code_number < 0:
        return ObjectFile(FORMAT, ())
    code = module.code
    symbols = [*_symbols(module)]
    names = {index: name for kind, index, name in symbols if kind == 0}
    first = len(module.imported[0])
    labels = [(start, names.get(first + number, "")) for number, start, _ in bodies(code.data[code.at : code.end])]
    lines = module.custom.get(".debug_line")
    rows = sorted(line_rows(lines.data[lines.at : lines.end], 4), key=lambda row: row[0]) if lines is not None else ()
    relocations = [*_relocations(module, symbols)]
    content = code.data[code.at : code.end]
    return ObjectFile(FORMAT, [Section("CODE", content, labels, relocations, rows)])


def bodies(content: bytes) -> Iterator[tuple[int, int, Reader]]:
    """The functions of a section: the number of each, where its size stands, and its body."""
    reader = Reader(content)
    for number in range(reader.unsigned()):
        start = reader.at
        yield number, start, reader.within(reader.unsigned())


def webassembly_code(section: Section) -> Iterator[Instruction]:
    """The instructions of the section, and before those of a function its local variables."""
    for _, _, body in bodies(section.data):
        start = body.at
        told: list[str] = []
        for _ in range(body.unsigned()):
            count = body.unsigned()
            name = TYPES.get(body.byte(), "?")
            told.append(f"{name} x {count}" if count > 1 else name)
        if told:
            yield Instruction(start, section.data[start : body.at], ".local", ", ".join(told))
        yield from instructions(body)


def _symbols(module: _Module) -> Iterator[tuple[int, int, str]]:
    """Kind, number and name of each symbol."""
    linking = module.custom.get("linking")
    if linking is None:
        return
    linking.unsigned()
    while not linking.is_done:
        kind = linking.byte()
        content = linking.within(linking.unsigned())
        if kind != _SYMBOLS:
            continue
        for _ in range(content.unsigned()):
            yield _symbol(module, content)


def _symbol(module: _Module, content: Reader) -> tuple[int, int, str]:
    kind, flags = content.byte(), content.unsigned()
    if kind == _DATA:
        name = content.name()
        if not flags & _UNDEFINED:
            for _ in range(3):
                content.unsigned()
        return kind, -1, printable(name)
    index = content.unsigned()
    if kind == _SECTION:
        return kind, index, f"section {index}"
    if not flags & _UNDEFINED or flags & _EXPLICIT_NAME:
        return kind, index, printable(content.name())
    # Kinds of symbols and of imports have other numbers, but for functions.
    of = {0: 0, 2: 3, 4: 4, 5: 1}.get(kind, 0)
    imported = module.imported[of]
    return kind, index, printable(imported[index]) if index < len(imported) else f"#{index}"


def _relocations(module: _Module, symbols: list[tuple[int, int, str]]) -> Iterator[Relocation]:
    content = module.custom.get("reloc.CODE")
    if content is None or content.unsigned() != module.code_number:
        return
    for _ in range(content.unsigned()):
        kind, offset, index = content.byte(), content.unsigned(), content.unsigned()
        name = WEBASSEMBLY[kind] if kind < len(WEBASSEMBLY) else f"type {kind}"
        addend = content.signed() if name.removeprefix("R_WASM_").startswith(_WITH_ADDEND) else 0
        if name == _TYPE_INDEX or index >= len(symbols):
            target = str(index)
        else:
            target = symbols[index][2]
        yield Relocation(offset, name, f"{target}{addend:+d}" if addend else target)
