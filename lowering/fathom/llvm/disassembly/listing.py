"""An object file as text, as `llvm-objdump -dr` prints it, and the places that its instructions come from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.llvm.codegen.assembly import paired
from fathom.llvm.codegen.printed import Place
from fathom.llvm.disassembly import elf, webassembly
from fathom.llvm.disassembly.machine_code import MACHINES, machine_code
from fathom.llvm.disassembly.objdump import by_objdump, has_objdump
from fathom.llvm.disassembly.objects import Instruction, NotShown, ObjectFile, Row, Section
from fathom.llvm.disassembly.webassembly import webassembly_code
from fathom.records import record

_LONG: Final = ("elf64-x86-64", "elf32-i386")
"""The formats in which instructions may have many bytes."""


@record
class Listing:
    """A text, and for each line the place that it comes from."""

    text: str
    places: tuple[Place | None, ...]


@record
class _Line:
    """A line, and the section and the offset of the instruction in it, if it has one, with its text alone."""

    text: str
    section: int = -1
    offset: int = 0
    instruction: str = ""


def listing(data: bytes, located: bytes | None = None) -> Listing:
    """An object file as text. Where instructions come from says the line table of the `located` one, which is the same
    code; without it nobody does. Raises NotShown."""
    shown = _read(data)
    lines = _lines(data, shown)
    places: list[Place | None] = [None] * len(lines)
    if located is not None:
        _locate(places, lines, shown, located)
    return Listing("\n".join(line.text for line in lines) + "\n", (*places, None))


def _read(data: bytes) -> ObjectFile | None:
    """The object file, if it is of a format that is read here."""
    reader = elf.read_elf if data.startswith(elf.MAGIC) else None
    if data.startswith(webassembly.MAGIC):
        reader = webassembly.read_webassembly
    if reader is None:
        return None
    try:
        return reader(data)
    except (NotShown, MemoryError):
        raise
    except Exception as problem:
        # Assembly in a module may put anything into sections and tables, and what reads these raises anything.
        raise NotShown(f"the object file cannot be read: {type(problem).__name__}: {problem}") from None


def _lines(data: bytes, shown: ObjectFile | None) -> list[_Line]:
    if shown is None or (shown.format not in MACHINES and shown.format != webassembly.FORMAT):
        return _of_objdump(data, shown)
    lines: list[_Line] = [_Line(f"file format {shown.format}")]
    for number, section in enumerate(shown.sections):
        if shown.format == webassembly.FORMAT:
            found = [*webassembly_code(section)]
        else:
            found = [*machine_code(shown.format, section)]
            if not all(each.is_known for each in found) and has_objdump():
                return _of_objdump(data, shown)
        lines += _section(shown, number, section, found)
    return lines


def _of_objdump(data: bytes, shown: ObjectFile | None) -> list[_Line]:
    """The lines of LLVM's own tool, which shows the same sections in the same order."""
    count = len(shown.sections) if shown is not None else 0
    return [_Line(text, at if at < count else -1, offset, said) for text, at, offset, said in by_objdump(data)]


def _section(shown: ObjectFile, number: int, section: Section, found: Sequence[Instruction]) -> Iterator[_Line]:
    yield _Line("")
    yield _Line(f"Disassembly of section {section.name}:")
    labels, relocations = iter(section.labels), iter(sorted(section.relocations, key=lambda each: each.offset))
    label, relocation = next(labels, None), next(relocations, None)
    digits = 16 if "64" in shown.format else 8
    for each in found:
        end = each.offset + len(each.data)
        while label is not None and label[0] < end:
            yield _Line("")
            yield _Line(f"{label[0]:0{digits}x} <{label[1]}>:")
            label = next(labels, None)
        said = f"{each.name}\t{each.operands}" if each.operands else each.name
        yield _Line(f"{each.offset:8x}: {_bytes(shown.format, each.data)}\t{said}", number, each.offset, each.text)
        while relocation is not None and relocation.offset < end:
            yield _Line(f"\t\t{relocation.offset:0{digits}x}:  {relocation.type}\t{relocation.target}")
            relocation = next(relocations, None)


def _bytes(format: str, data: bytes) -> str:
    """What an instruction is, as its bytes or as a number of two or four of them."""
    if format in _LONG:
        return data.hex(" ").ljust(29)
    if format == webassembly.FORMAT:
        return data.hex(" ").ljust(13)
    return f"{int.from_bytes(data, 'little'):0{2 * len(data)}x}".ljust(13)


def _locate(places: list[Place | None], lines: list[_Line], shown: ObjectFile | None, located: bytes) -> None:
    """Says where instructions come from, by the line table of the same code. Where it is read and cannot be understood,
    nobody knows."""
    try:
        other = _read(located)
    except NotShown:
        return
    if shown is None or other is None:
        return
    numbers = [number for number, line in enumerate(lines) if line.section >= 0]
    same = [section.data for section in shown.sections] == [section.data for section in other.sections]
    there = [lines[number] for number in numbers] if same else [
        line for line in _lines(located, other) if line.section >= 0
    ]  # fmt: skip
    before = [(place_at(other.sections[line.section].rows, line.offset), line.instruction) for line in there]
    found = (
        [place for place, _ in before] if same else paired(before, [lines[number].instruction for number in numbers])
    )
    for number, place in zip(numbers, found, strict=True):
        places[number] = place


def place_at(rows: Sequence[Row], offset: int) -> Place | None:
    """The place of the instruction at an offset. Of several rows for one offset the last holds."""
    at = bisect_right(rows, offset, key=lambda row: row[0])
    return rows[at - 1][1] if at else None
