"""What is shown of an object file, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from fathom.llvm.codegen.printed import Place
from fathom.records import record

Row: TypeAlias = "tuple[int, Place | None]"
"""From an offset on, instructions come from a place; or from none, as behind the end of a function."""


class NotShown(RuntimeError):
    """An object file that cannot be shown as text; the message says why."""


@record
class Relocation:
    """What a linker puts in at an offset of a section: by which rule, and what it is made of."""

    offset: int
    type: str
    target: str


@record
class Instruction:
    """An instruction at an offset of its section; or bytes that are none, with a directive in the place of its name."""

    offset: int
    data: bytes
    name: str
    operands: str = ""
    is_known: bool = True

    @property
    def text(self) -> str:
        """Name and operands, without what comes after these."""
        return f"{self.name}\t{self.operands.partition(' <')[0]}"


@record
class Section:
    """A section with instructions. `labels` are offsets and the names there, `rows` the line table, each in the
    order of offsets; in between `constants`, from one offset to another, stand no instructions."""

    name: str
    data: bytes
    labels: Sequence[tuple[int, str]]
    relocations: Sequence[Relocation]
    rows: Sequence[Row] = ()
    constants: Sequence[tuple[int, int]] = ()


@record
class ObjectFile:
    """An object file: its format, as tools call it, and its sections with instructions."""

    format: str
    sections: Sequence[Section]


def printable(name: str) -> str:
    """A name that anybody may have chosen, in one line."""
    return "".join(each if each.isprintable() else f"\\{ord(each):02x}" for each in name)


def rows_by_section(rows: Sequence[tuple[int, int, Place | None]]) -> Mapping[int, list[Row]]:
    """The rows of a line table, each with its section first, by sections and in the order of offsets."""
    found: dict[int, list[Row]] = {}
    for section, offset, place in rows:
        found.setdefault(section, []).append((offset, place))
    for each in found.values():
        each.sort(key=lambda row: row[0])
    return found
