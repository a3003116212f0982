"""The dialects that a file mentions, with their versions, and the names of its operations.

Source of the rules: *MLIR Bytecode Format*, "Dialect Section"; the reader of MLIR 22 for the wording of mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from fathom.bytecode.encoding import ByteReader, Malformed
from fathom.bytecode.form import Section, Version
from fathom.records import record


@record
class DialectEntry:
    """A dialect that a file mentions. One that `is_refused` is not known, and may not be met. `version` is what it says
    of its own version, if it says anything."""

    name: str
    is_refused: bool
    version: ByteReader | None = None


@record
class OperationName:
    """The name of an operation. `was_registered` tells whether it was known where the file was written; None where the
    file does not say."""

    dialect: DialectEntry
    name: str
    was_registered: bool | None

    @property
    def full_name(self) -> str:
        return f"{self.dialect.name}.{self.name}" if self.name else self.dialect.name


@record
class Names:
    """What the section of dialects holds."""

    dialects: list[DialectEntry]
    operations: list[OperationName]


def read_names(section: ByteReader, strings: Sequence[str], version: int, refuses: Callable[[str], bool]) -> Names:
    """The dialects and the names of operations; `refuses` tells of a dialect that it may not be met."""
    dialects = section.list(lambda: _dialect(section, strings, version, refuses))
    if version >= Version.UNKNOWN_LOCATIONS:
        section.varint()  # How many names there are, which follows from what comes.
    names: list[OperationName] = []
    while section.left:
        for dialect in grouped(section, dialects):
            if version < Version.PROPERTIES:
                index, was_registered = section.varint(), None
            else:
                index, was_registered = section.flagged()
            names.append(OperationName(dialect, string_at(strings, index), was_registered))
    return Names(dialects, names)


def _dialect(section: ByteReader, strings: Sequence[str], version: int, refuses: Callable[[str], bool]) -> DialectEntry:
    if version < Version.DIALECT_VERSIONS:
        name = string_at(strings, section.varint())
        return DialectEntry(name, refuses(name))
    index, has_version = section.flagged()
    name = string_at(strings, index)
    if not has_version:
        return DialectEntry(name, refuses(name))
    kind, body = section.section()
    if kind is not Section.DIALECT_VERSIONS:
        raise Malformed("expected dialect version section")
    return DialectEntry(name, refuses(name), body)


def grouped(section: ByteReader, dialects: Sequence[DialectEntry], most: int | None = None) -> Iterator[DialectEntry]:
    """The dialect of each entry of a group, before which the entry is to be read. There may be no more than `most`."""
    index = section.varint()
    if index >= len(dialects):
        raise Malformed(f"invalid dialect index: {index}")
    count = section.varint()
    if most is not None and count > most:
        raise Malformed(f"a group of {count} entries where {most} are left")
    for _ in range(count):
        yield dialects[index]


def string_at(strings: Sequence[str], index: int) -> str:
    if index >= len(strings):
        raise Malformed(f"invalid string index: {index}")
    return strings[index]
