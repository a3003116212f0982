"""Descriptions of dialects in the one form (`docs/dialects.md`), and the dialects that they describe."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fathom.descriptions.places import Finding, Place, Severity, place_in
from fathom.dialects import code_of
from fathom.irdl.description import Description
from fathom.irdl.dialect import Dialect
from fathom.irdl.sections import Mistake
from fathom.records import field, record, replace
from fathom.slices import rest

if TYPE_CHECKING:
    from fathom.descriptions.irdl import IrdlDialect

IRDL: Final = ".mlir"
"""What the names of files of IRDL end with."""
CODE: Final = ".py"
"""What the names of modules with code end with."""

Kind: TypeAlias = Literal["op", "type", "attribute"]


@record
class DialectFile:
    """The description of a dialect: the file that it stands in, or that it was made of, and its text."""

    path: str
    text: str


@record(eq=False, slots=False)
class Described:
    """A dialect that was read. What is wrong with it is not defined, and the rest of it is."""

    file: DialectFile
    dialect: Dialect
    findings: tuple[Finding, ...]
    kept: tuple[Finding, ...] = field(default=(), kw_only=True)
    """What is not understood, so that texts of it are kept as they are written; nothing is wrong with that."""

    @property
    def name(self) -> str:
        return self.dialect.name

    def place(self, kind: Kind, name: str) -> Place | None:
        """Where an operation is defined, or the type or attribute that is written so."""
        raise AssertionError("each kind of description knows its places")

    @property
    def beginning(self) -> Place:
        """Where it says which dialect it describes."""
        raise AssertionError("each kind of description knows its places")


@record(eq=False, slots=False)
class InTables(Described):
    """One in the form of `docs/dialects.md`."""

    description: Description

    def place(self, kind: Kind, name: str) -> Place | None:
        sections = self.description.sections
        table = self.table_of(kind, name)
        if table is None or not sections.has(kind, table):
            return None
        header = re.search(rf'^\[{kind}\.(?:"{re.escape(table)}"|{re.escape(table)})\]', self.file.text, re.MULTILINE)
        return place_in(self.file.path, self.file.text, header.start(), header.end()) if header is not None else None

    def table_of(self, kind: Kind, name: str) -> str | None:
        """The name of its table."""
        return name if kind == "op" else self.description.table_of(kind, name)

    @property
    def beginning(self) -> Place:
        return finding_of(self.file.text, self.description.sections.mistake("", "", "", "dialect")).place


@record(eq=False, slots=False)
class InIrdl(Described):
    """One that is IR."""

    defined: IrdlDialect

    def place(self, kind: Kind, name: str) -> Place | None:
        return self.defined.places.get((kind, name))

    @property
    def beginning(self) -> Place:
        return self.defined.place


class Descriptions:
    """Reads descriptions, each again only when its text is another."""

    def __init__(self) -> None:
        self._read: dict[DialectFile, list[Described]] = {}

    def read(self, files: Iterable[DialectFile]) -> list[Described]:
        """What files say, one after the other. What was read before and is not among them is forgotten."""
        by_file: dict[DialectFile, list[Described]] = {}
        for file in files:
            rest()
            if file not in by_file:
                by_file[file] = self._read.get(file) or list(_read(file))
        self._read = by_file
        return [described for of_file in by_file.values() for described in of_file]


def dialects_in(files: Iterable[DialectFile]) -> dict[str, Dialect]:
    """The dialects that files describe, by their names."""
    return dialects_of(Descriptions().read(files))


def dialects_of(described: Iterable[Described]) -> dict[str, Dialect]:
    """The dialects that are described, by their names."""
    return together(file.dialect for file in described)


def together(dialects: Iterable[Dialect]) -> dict[str, Dialect]:
    """Dialects by their names. Of several of one name the first counts, with those that extend it."""
    by_name: dict[str, Dialect] = {}
    for dialect in dialects:
        name, known = dialect.name, by_name.get(dialect.name)
        if known is None and name:
            by_name[name] = dialect
        elif known is not None and dialect.extends:
            by_name[name] = dialect.added_to(known)
        elif known is not None and known.extends:
            by_name[name] = known.added_to(dialect)
    return by_name


def _read(file: DialectFile) -> Iterator[Described]:
    if file.path.endswith(IRDL):
        from fathom.descriptions.irdl import read_irdl

        defined, wrong = read_irdl(file.path, file.text)
        for irdl_dialect in defined:
            yield InIrdl(file, irdl_dialect.dialect, tuple(wrong), irdl_dialect)
        if not defined:
            yield Described(file, Dialect(""), tuple(wrong))
        return
    description = Description(file.text, file.path)
    if description.extends and (code := code_of(description.name)) is not None:
        description = Description(file.text, file.path, code)
    mistakes = description.check()
    dialect = description.dialect()
    if mistakes:  # What is wrong is not defined, and its uses are none the worse for it.
        dialect = replace(dialect, complete=False, all_types=False, all_attributes=False)
    findings = tuple(finding_of(file.text, mistake) for mistake in mistakes)
    kept = tuple(finding_of(file.text, mistake, "note") for mistake in description.kept)
    yield InTables(file, dialect, findings, description, kept=kept)


def finding_of(text: str, mistake: Mistake, severity: Severity = "error") -> Finding:
    """A mistake of a description, from its column to the end of the line."""
    lines = text.split("\n")
    line = lines[mistake.line - 1] if mistake.line <= len(lines) else ""
    start = min(mistake.column - 1, len(line))
    place = Place(mistake.origin, mistake.line - 1, start, max(start, len(line.rstrip())), line)
    return Finding(mistake.message, place, severity, mistake.key)
