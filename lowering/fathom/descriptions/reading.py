"""All that files say of dialects, read again and again: what did not change is not read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fathom.descriptions.files import Described, Descriptions, DialectFile, InIrdl, InTables, Kind, dialects_of
from fathom.descriptions.includes import Includes
from fathom.descriptions.places import Finding, Place
from fathom.irdl.dialect import Dialect
from fathom.records import record

if TYPE_CHECKING:
    from fathom.descriptions.tablegen import TableGenDialect, TableGenFiles
    from fathom.tablegen.reading import Reading

LARGEST: Final = 16 << 20
"""Bytes that a description may have."""


@record(eq=False, slots=False)
class Known:
    """What files say: the descriptions, each of a dialect of its own, those that extend these, and what is wrong with
    the files."""

    described: Mapping[str, Described] = MappingProxyType({})
    extending: tuple[Described, ...] = ()
    findings: tuple[Finding, ...] = ()
    _made: Mapping[DialectFile, TableGenDialect] = MappingProxyType({})

    @property
    def files(self) -> tuple[DialectFile, ...]:
        return tuple(dict.fromkeys(described.file for described in (*self.described.values(), *self.extending)))

    @property
    def dialects(self) -> dict[str, Dialect]:
        return dialects_of((*self.described.values(), *self.extending))

    def place(self, kind: Kind, dialect: str, name: str) -> Place | None:
        """Where an operation is defined, or the type or attribute that is written so."""
        for described in (*self.extending, self.described.get(dialect)):
            if described is None or described.name != dialect:
                continue
            made = self._made.get(described.file)
            if made is None or not isinstance(described, InTables):
                place = described.place(kind, name)
            else:
                place = made.place(kind, described.table_of(kind, name) or name)
            if place is not None:
                return place
        return None


class DialectReader:
    """Reads the files that describe dialects."""

    def __init__(self) -> None:
        self._descriptions = Descriptions()
        self._tablegen: TableGenFiles | None = None
        self._sound: dict[str, DialectFile] = {}
        """What files of IRDL said last, by their paths, when nothing was wrong with them."""
        self._defined: dict[str, TableGenDialect] = {}
        """The same of dialects that `.td` files define, by the names of the dialects."""

    @property
    def tablegen(self) -> TableGenFiles:
        """The `.td` files, for which more is loaded when there is one."""
        if self._tablegen is None:
            from fathom.descriptions.tablegen import TableGenFiles

            self._tablegen = TableGenFiles()
        return self._tablegen

    def read(
        self, paths: Sequence[str], includes: Includes | None = None, buffers: Mapping[str, str] | None = None
    ) -> Known:
        """What files say, with `buffers` for those that are open. Of a dialect that several describe the first one
        counts, and it is a mistake in the others; `.td` files describe a dialect together."""
        buffers = buffers or {}
        files: list[DialectFile] = []
        for path in paths:
            text = None if path.endswith(".td") else buffers.get(path) or read_text(path)
            if text is not None:
                files.append(DialectFile(path, text))
        findings: list[Finding] = []
        made: dict[DialectFile, TableGenDialect] = {}
        sources = [path for path in paths if path.endswith(".td")]
        if sources or self._tablegen is not None:
            in_tablegen, wrong = self.tablegen.dialects(sources, includes or Includes(), buffers)
            findings += wrong
            made = {
                table_gen_dialect.file: table_gen_dialect
                for table_gen_dialect in (*in_tablegen, *self._defined.values())
            }
            files += (table_gen_dialect.file for table_gen_dialect in in_tablegen)
        described: dict[str, Described] = {}
        extending: list[Described] = []
        for file in self._read(files, made):
            # Several dialects of a file share what is wrong with it.
            findings += (_found(finding, made.get(file.file)) for finding in file.findings)
            first = described.setdefault(file.name, file) if file.name else file
            if first is not file and (file.dialect.extends or first.dialect.extends):
                extending.append(file if file.dialect.extends else first)
                described[file.name] = first if file.dialect.extends else file
            elif first is not file:
                what = f"'{file.name}' is described in {first.file.path} too"
                findings.append(_found(Finding(what, file.beginning, key="dialect"), made.get(file.file)))
        if not findings:  # What is wrong comes first.
            findings += (
                _found(note, made.get(file.file)) for file in (*described.values(), *extending) for note in file.kept
            )
        return Known(described, tuple(extending), tuple(dict.fromkeys(findings)), made)

    def _read(self, files: Sequence[DialectFile], made: Mapping[DialectFile, TableGenDialect]) -> Iterator[Described]:
        """What files say; of one of IRDL with a mistake, what it said before as well, and so of a dialect that is
        defined in `.td` files. `made` are the descriptions that were made of such."""
        former = self._defined
        of_irdl = [self._sound[file.path] for file in files if file.path in self._sound]
        read = self._descriptions.read(
            (*files, *of_irdl, *(table_gen_dialect.file for table_gen_dialect in former.values()))
        )
        of_files = [described for described in read if described.file in files]
        self._sound |= {described.file.path: described.file for described in of_files if isinstance(described, InIrdl)}
        broken = {described.file.path for described in of_files if not described.name}
        defined = [described for described in of_files if described.file in made]
        self._defined = {described.name: former[described.name] for described in defined if described.name in former}
        # Of a dialect alone nothing is worth keeping: what else is sound in what it becomes says more.
        self._defined |= {
            described.name: made[described.file]
            for described in defined
            if not described.findings and _has_names(described)
        }
        for described in read:
            if described.file not in files:
                if described.file.path in broken:
                    yield described
            elif described.file in made and described.findings and described.name in former:
                yield Described(described.file, Dialect(""), described.findings)
                yield from (before for before in read if before.file == former[described.name].file)
            else:
                yield described

    def reading(self, path: str, includes: Includes, buffers: Mapping[str, str]) -> Reading:
        """What stands in a `.td` file."""
        return self.tablegen.reading(path, includes.of(path), buffers)


def _has_names(described: Described) -> bool:
    """Whether a description names more than a dialect."""
    dialect = described.dialect
    return bool(dialect.by_name or dialect.types or dialect.attributes)


def _found(finding: Finding, made: TableGenDialect | None) -> Finding:
    """A mistake where it is to be mended: in the file that a description was made of."""
    if made is None:
        return finding
    return finding.at(made.place_of(finding) or Place(made.file.path, 0, 0, 0, ""))


def read_text(path: str) -> str | None:
    """The text of a file; None if it cannot be read as one."""
    try:
        if Path(path).stat().st_size > LARGEST:
            return None
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
