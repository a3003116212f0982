"""`.td` files as descriptions of the dialects that they define.

A dialect may be defined in several files, each of which says a part of it. What a file says is worked out again when
it changed, or what it includes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from fathom.descriptions.files import DialectFile
from fathom.descriptions.includes import Includes
from fathom.descriptions.origins import Lines, Origins
from fathom.descriptions.places import Finding, Place
from fathom.dialects import find_dialect
from fathom.irdl.ods.generator_checks import refused
from fathom.irdl.ods.reader import Tables, dialects_of, joined, left_open, tables_of
from fathom.records import record
from fathom.tablegen.reading import Inputs, Mistake, Reader, Reading
from fathom.tablegen.records import Location
from fathom.tablegen.sources import Texts

MOST_READERS: Final = 12
"""Files of which more is remembered than what they say of dialects, beside those that are open."""


@record(eq=False, slots=False)
class TableGenDialect:
    """The description that was made of the `.td` files of a dialect, and where each of them says what."""

    file: DialectFile
    origins: tuple[Origins, ...]

    def place(self, kind: str, name: str) -> Place | None:
        """Where the definition is that became a table."""
        return next((place for origin in self.origins if (place := origin.place(kind, name)) is not None), None)

    def place_of(self, finding: Finding) -> Place | None:
        """Where that is to be mended which is wrong with the description."""
        return next((place for origin in self.origins if (place := origin.place_of(finding)) is not None), None)


@record(eq=False, slots=False)
class _Said:
    """What a file says: its parts of dialects by their names, which are those from before while there is a mistake in
    it, and what is wrong with it."""

    inputs: Inputs
    folders: tuple[str, ...]
    dialects: Mapping[str, tuple[Tables, Origins]]
    findings: tuple[Finding, ...]


class TableGenFiles:
    """Reads `.td` files again and again."""

    def __init__(self) -> None:
        self._texts: Final = Texts()
        self._readers: dict[str, Reader] = {}
        self._said: dict[str, _Said] = {}
        self._shared: dict[str, tuple[dict[str, str], dict[str, str]]] = {}

    def reading(self, path: str, folders: Sequence[str], buffers: Mapping[str, str]) -> Reading:
        """What stands in a file, with `buffers` for those files that are open."""
        reader = self._readers.pop(path, None) or Reader(self._texts, keeps_going=True)
        self._readers[path] = reader
        for old in [reader for reader in self._readers if reader not in buffers][:-MOST_READERS]:
            del self._readers[old]
        return reader.read(path, folders, buffers)

    def dialects(
        self, paths: Sequence[str], includes: Includes, buffers: Mapping[str, str]
    ) -> tuple[list[TableGenDialect], list[Finding]]:
        """The dialects that files define, and what is wrong with the files."""
        self._said = {path: self._what_says(path, includes.of(path), buffers) for path in paths}
        parts: dict[str, list[tuple[str, Tables, Origins]]] = {}
        for path, said in self._said.items():
            for name, (tables, origins) in said.dialects.items():
                parts.setdefault(name, []).append((path, tables, origins))
        made: list[TableGenDialect] = []
        for name, of in parts.items():
            sources = [tables for _, tables, _ in of]
            text = joined(name, sources, left_open(sources))
            made.append(TableGenDialect(DialectFile(of[0][0], text), tuple(origins for _, _, origins in of)))
        return made, list(dict.fromkeys(finding for said in self._said.values() for finding in said.findings))

    def _what_says(self, path: str, folders: tuple[str, ...], buffers: Mapping[str, str]) -> _Said:
        said = self._said.get(path)
        if said is not None and said.folders == folders and said.inputs.are_current(self._texts, folders, buffers):
            return said
        reading = self.reading(path, folders, buffers)
        findings = tuple(findings_of(path, reading))
        if reading.errors and said is not None:
            return _Said(reading.inputs, folders, said.dialects, findings)
        lines = lines_of(reading)
        dialects: dict[str, tuple[Tables, Origins]] = {}
        for name in dialects_of(reading.records, path):
            is_known = find_dialect(name) is not None
            shared = self._shared.setdefault(name, ({}, {}))
            tables = tables_of(reading.records, name, *shared, extension_in=path if is_known else "")
            if is_known and not any(where.file == path for where in tables.places.values()):
                continue  # A file that only includes MLIR's own says nothing new of them.
            dialects[name] = (tables, Origins(tables.places, lines))
        findings += tuple(
            Finding(mistake.message, lines.place(mistake.location or Location(path, 1, 1)))
            for mistake in refused(reading.records, path)
        )
        return _Said(reading.inputs, folders, dialects, findings)


def findings_of(path: str, reading: Reading) -> Iterator[Finding]:
    """What is wrong in a file and in what it includes; warnings about the file alone."""
    lines = lines_of(reading)
    for mistake in reading.mistakes:
        where = mistake.location or Location(path, 1, 1)
        if mistake.severity != "warning" or where.file == path:
            notes = [f"{_where(note)}{note.severity}: {note.message}" for note in mistake.notes]
            yield Finding("\n".join([mistake.message, *notes]), lines.place(where), mistake.severity)


def lines_of(reading: Reading) -> Lines:
    """The lines of the files of a reading."""
    return Lines({file.path: file.text for file in reading.files}.get)


def _where(note: Mistake) -> str:
    return f"{Path(note.location.file).name}:{note.location.line}: " if note.location is not None else ""
