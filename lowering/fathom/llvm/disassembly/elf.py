"""ELF object files, read by pyelftools.

Source of the rules: System V ABI, chapters *Object Files*; the ABIs of the machines for their relocations, and for
mapping symbols, which say where constants stand between instructions.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Final, cast

from elftools.elf.descriptions import describe_reloc_type
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from fathom.llvm.codegen.printed import Place
from fathom.llvm.disassembly.line_table import line_rows
from fathom.llvm.disassembly.objects import ObjectFile, Relocation, Section, printable, rows_by_section
from fathom.llvm.disassembly.relocation_names import AARCH64, RISCV

if TYPE_CHECKING:
    from elftools.elf.sections import Section as ElfSection

MAGIC: Final = b"\x7fELF"
_EXECUTABLE: Final = 4
"""The flag of sections with instructions."""
_FORMATS: Final[Mapping[tuple[str, int], str]] = {
    ("x64", 64): "elf64-x86-64",
    ("x86", 32): "elf32-i386",
    ("AArch64", 64): "elf64-littleaarch64",
    ("RISC-V", 64): "elf64-littleriscv",
    ("RISC-V", 32): "elf32-littleriscv",
}
"""What LLVM's tools call objects whose low bytes stand first, by the machine and the number of bits of an address."""
_SHIFTS: Final = {64: 48, 32: 24}
"""In the line table the number of a section stands so many bits above the offset in it; what is bigger has no lines."""


def read_elf(data: bytes) -> ObjectFile:
    """An ELF object file. The content may be anything, and what is wrong with it raises anything."""
    file = ELFFile(BytesIO(data))
    sections = list(file.iter_sections())
    symbols = next((each for each in sections if isinstance(each, SymbolTableSection)), None)
    labels: dict[int, list[tuple[int, str]]] = {}
    marks: dict[int, list[tuple[int, str]]] = {}
    for symbol in symbols.iter_symbols() if symbols is not None else ():
        section, name = symbol["st_shndx"], printable(symbol.name)
        # The assembler's own labels have a blank, which no other has.
        if (
            isinstance(section, int)
            and name not in ("", ".L0 ")
            and symbol["st_info"]["type"] not in ("STT_SECTION", "STT_FILE")
        ):
            is_mark = name.startswith("$") and symbol["st_info"]["bind"] == "STB_LOCAL"
            (marks if is_mark else labels).setdefault(section, []).append((symbol["st_value"], name))
    rows = rows_by_section([*_rows(file, sections)])
    code = [
        Section(
            printable(each.name),
            each.data(),
            sorted(labels.get(index, ()), key=lambda label: label[0]),
            [*_relocations(file, sections, index)],
            rows.get(index, ()),
            _constants(marks.get(index, []), each["sh_size"]),
        )
        for index, each in enumerate(sections)
        if each["sh_flags"] & _EXECUTABLE and each["sh_type"] == "SHT_PROGBITS" and each["sh_size"]
    ]
    format = _FORMATS.get((file.get_machine_arch(), file.elfclass)) if file.little_endian else None
    return ObjectFile(format or f"elf{file.elfclass}", code)


def _constants(marks: list[tuple[int, str]], size: int) -> list[tuple[int, int]]:
    """Where constants stand, by the mapping symbols `$d`, up to the next of another kind."""
    ordered = sorted(marks)
    return [
        (start, end)
        for (start, name), (end, _) in pairwise((*ordered, (size, "")))
        if name.startswith("$d") and start < end
    ]


def _relocations(file: ELFFile, sections: list[ElfSection], of: int) -> Iterator[Relocation]:
    for relocations, symbols in _tables(sections, of):
        for entry in relocations.iter_relocations():
            symbol = symbols.get_symbol(entry["r_info_sym"])
            section = symbol["st_shndx"]
            is_section = symbol["st_info"]["type"] == "STT_SECTION" and isinstance(section, int)
            name: str = sections[section].name if is_section else symbol.name
            addend = entry["r_addend"] if entry.is_RELA() else 0
            target = printable(name) + (f"{addend:+#x}" if addend else "")
            yield Relocation(entry["r_offset"], _type(file, entry["r_info_type"]), target)


def _type(file: ELFFile, number: int) -> str:
    own = {"RISC-V": RISCV, "AArch64": AARCH64}.get(file.get_machine_arch(), {})
    name = own.get(number) or describe_reloc_type(number, file)
    return name if name.startswith("R_") else f"type {number}"


def _rows(file: ELFFile, sections: list[ElfSection]) -> Iterator[tuple[int, int, Place | None]]:
    """The line table, in numbers of sections and offsets in them. The addresses in it are to be relocated; what else is
    relocated there has to do with no instruction."""
    index = next((number for number, each in enumerate(sections) if each.name == ".debug_line"), None)
    if index is None:
        return
    data, shift = bytearray(sections[index].data()), _SHIFTS[file.elfclass]
    layout = ("<" if file.little_endian else ">") + ("Q" if file.elfclass == 64 else "I")
    for relocations, symbols in _tables(sections, index):
        for entry in relocations.iter_relocations():
            symbol = symbols.get_symbol(entry["r_info_sym"])
            section = symbol["st_shndx"]
            if not isinstance(section, int) or not sections[section]["sh_flags"] & _EXECUTABLE:
                continue
            offset = symbol["st_value"] + (entry["r_addend"] if entry.is_RELA() else 0)
            if 0 <= offset < 1 << shift and section >> (file.elfclass - shift) == 0:
                struct.pack_into(layout, data, entry["r_offset"], (section << shift) + offset)
    for address, place in line_rows(bytes(data), file.elfclass // 8, is_little=file.little_endian):
        yield address >> shift, address & ((1 << shift) - 1), place


def _tables(sections: list[ElfSection], of: int) -> Iterator[tuple[RelocationSection, SymbolTableSection]]:
    """The relocations of a section, with the symbols that they name."""
    for each in sections:
        if isinstance(each, RelocationSection) and each["sh_info"] == of:
            symbols = cast("object", sections[each["sh_link"]])
            if isinstance(symbols, SymbolTableSection):
                yield each, symbols
