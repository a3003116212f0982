"""Reads a `.td` file with all that it includes, and reads it again when something changed.

    reader = Reader()
    reading = reader.read("Ops.td", ["include"])
    reading.records, reading.mistakes

A reader remembers where each statement of the file began, and how much was known there. What has not changed since the
last time is not read again: reading goes on at the first statement in which something did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from fathom.cached import cached_property
from fathom.records import NamedTuple, record
from fathom.slices import paced, rest
from fathom.tablegen.freezing import frozen_records, location_of
from fathom.tablegen.keeper import Declaration, Keeper, Mark, Reference
from fathom.tablegen.mistakes import Consequence, Finding, Place, Refused, TooLarge, file_of, offset_of
from fathom.tablegen.parser import Parser
from fathom.tablegen.records import NO_RECORDS, Location, Records
from fathom.tablegen.rules import RULES
from fathom.tablegen.sources import Library, Text, Texts
from fathom.tablegen.statements import statement
from fathom.tablegen.stream import File, Position, Stream
from fathom.tablegen.tokens import EOF, STATEMENTS
from fathom.tablegen.values import value
from fathom.text.beginnings import LONGEST_MESSAGE, beginning

_MARGIN: Final = 2
"""Characters behind a token that can make it another: a sign of `...`, the `x` of a number."""
_MOST_MISTAKES: Final = 100


@record
class Mistake:
    """A message about a file. `location` is None where it is about none of its places."""

    message: str
    location: Location | None
    severity: Literal["error", "warning", "note"] = "error"
    notes: tuple[Mistake, ...] = ()


@record
class Span:
    """A part of a file: offsets into its text."""

    file: str
    start: int
    end: int


@record
class Declared:
    """A name that a file declares: a class, a record, a field …; `within` is the class or record of a field, `type` its
    type."""

    kind: str
    name: str
    span: Span
    within: str = ""
    type: str = ""


@record
class Included:
    """A file that was read. `span` is its name in the `include`; None for the first."""

    path: str
    text: str
    span: Span | None


@record
class Link:
    """A name that refers to a place: where it is declared."""

    span: Span
    target: Span


@record(eq=False)
class Inputs:
    """The files of a reading, each with its text, and whether an include was found for each name."""

    _files: tuple[File, ...] = ()
    _is_whole: bool = False

    def are_current(self, texts: Texts, folders: Sequence[str] = (), buffers: Mapping[str, str] | None = None) -> bool:
        """Whether reading them again would read the same."""
        if not self._is_whole:
            return False
        library = Library(texts, folders, buffers or {})
        text = library.open(self._files[0].path)
        return text is not None and not _differences(self._files, library, text)


@record(eq=False, slots=False)
class Reading:
    """What was read. Nothing changes it."""

    records: Records
    mistakes: tuple[Mistake, ...]
    _files: tuple[File, ...]
    _declarations: tuple[Declaration, ...]
    _references: tuple[Reference, ...]
    inputs: Inputs = Inputs()

    @property
    def errors(self) -> tuple[Mistake, ...]:
        return tuple(mistake for mistake in self.mistakes if mistake.severity == "error")

    @cached_property
    def files(self) -> tuple[Included, ...]:
        """The files in the order in which they were included, each as often as it was."""
        return tuple(
            Included(file.path, file.text.text, self._span(*file.name_at) if file.name_at else None)
            for file in self._files
        )

    @cached_property
    def declarations(self) -> tuple[Declared, ...]:
        """All names that are declared, in the order of the text."""
        return tuple(
            Declared(
                declaration.kind,
                declaration.name,
                self._span(declaration.start, declaration.end),
                declaration.within,
                declaration.type,
            )
            for declaration in paced(self._declarations)
        )

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """All names that refer to a declaration, in the order of the text."""
        return tuple(
            Link(self._span(reference.start, reference.end), self._span(reference.to, reference.to))
            for reference in paced(self._references)
        )

    def _span(self, start: Place, end: Place) -> Span:
        return Span(self._files[file_of(start)].path, offset_of(start), offset_of(end))


NOT_READ: Final = Reading(NO_RECORDS, (), (), (), ())


class _Checkpoint(NamedTuple):
    """The beginning of a statement outside of all others: how much was known."""

    position: Position
    mark: Mark
    broken: int


class Reader:
    """Reads one file again and again. `keeps_going` says whether it goes on behind a mistake, as an editor needs it, or
    stops there, as llvm-tblgen does."""

    def __init__(self, texts: Texts | None = None, *, keeps_going: bool = False) -> None:
        self._texts = texts or Texts()
        self._keeps_going = keeps_going
        self._asked: tuple[str, tuple[str, ...], tuple[str, ...]] | None = None
        self._checkpoints: list[_Checkpoint] = []
        self._reading = NOT_READ
        self._parser: Parser | None = None

    def read(
        self,
        path: str,
        folders: Sequence[str] = (),
        buffers: Mapping[str, str] | None = None,
        macros: Sequence[str] = (),
    ) -> Reading:
        """Reads a file. `folders` are where includes are looked up, `buffers` texts that stand for files on disk."""
        library = Library(self._texts, folders, buffers or {})
        text = library.open(path)
        if text is None:
            self._asked = None
            return Reading(NO_RECORDS, (Mistake(f"Could not open input file '{path}'", None),), (), (), ())
        asked = (path, tuple(folders), tuple(macros))
        parser = self._parser
        if parser is not None and self._asked == asked:
            changed = _differences(parser.stream.files, library, text)
            if not changed:
                return self._reading
            went_back = self._go_back(parser, library, changed)
        else:
            went_back = False
        if parser is None or not went_back:
            keeper = Keeper(RULES)
            parser = Parser(Stream(library, path, text, macros, keeper.findings.append), keeper, value)
            self._checkpoints = []
        if went_back or self._try(parser, parser.stream.begin):
            self._run(parser)
        # A file for an include that was not found may be there the next time.
        self._asked, self._parser = None if parser.stream.has_missed else asked, parser
        self._reading = self._frozen(parser)
        return self._reading

    # ---- reading

    def _run(self, parser: Parser) -> None:
        stream, keeper = parser.stream, parser.keeper
        while stream.kind != EOF:
            self._checkpoints.append(_Checkpoint(stream.position(), keeper.mark(), len(parser.broken)))
            parser.begin()
            rest()
            if not self._try(parser, lambda: _top_level(parser)) and not self._recover(parser):
                return

    def _try(self, parser: Parser, read: Callable[[], None]) -> bool:
        """Whether something could be read; what is wrong with it is kept."""
        keeper = parser.keeper
        try:
            read()
        except TooLarge as refused:
            keeper.findings.append(Finding(refused.finding.message, (keeper.here,)))
            return False
        except Refused as refused:
            keeper.findings.append(refused.finding)
            return False
        except Consequence:
            return False
        except RecursionError:
            keeper.findings.append(Finding("nested too deeply", (keeper.here,)))
            return False
        return True

    def _recover(self, parser: Parser) -> bool:
        """Goes to the next statement behind a mistake, if it should and can."""
        if not self._keeps_going or len(parser.keeper.findings) >= _MOST_MISTAKES:
            return False
        parser.give_up(self._checkpoints[-1].mark)
        return parser.stream.to_next_statement()

    def _frozen(self, parser: Parser) -> Reading:
        keeper = parser.keeper
        files = tuple(parser.stream.files)
        return Reading(
            frozen_records(keeper.defs, tuple(keeper.classes), files),
            tuple(_mistake(finding, files) for finding in keeper.findings),
            files,
            tuple(keeper.declarations),
            tuple(keeper.references),
            Inputs(files, not parser.stream.has_missed),
        )

    # ---- reading again

    def _go_back(self, parser: Parser, library: Library, changed: Mapping[int, _Change]) -> bool:
        """Goes back to the last statement before everything that changed; False where there is none."""
        while self._checkpoints and not _untouched(self._checkpoints[-1].position, changed):
            self._checkpoints.pop()
        if not self._checkpoints:
            return False
        position, mark, broken = self._checkpoints.pop()
        parser.keeper.back_to(mark)
        while len(parser.broken) > broken:
            parser.broken.popitem()
        texts = {index: change.text for index, change in changed.items() if change.text is not None}
        parser.stream.back_to(position, library, texts)
        return True


class _Change(NamedTuple):
    """What became of a file: its text now, None if an `include` means another file or none, and the offset from which
    on it is another."""

    text: Text | None
    offset: int


def _differences(files: Sequence[File], library: Library, text: Text) -> Mapping[int, _Change]:
    """The files that are not what they were when they were read, by their numbers."""
    differences: dict[int, _Change] = {}
    for index, file in enumerate(files):
        now = text if index == 0 else _now(file, library)
        if now is not file.text:
            differences[index] = _Change(now, -1 if now is None else _difference(file.text.text, now.text))
    return differences


def _top_level(parser: Parser) -> None:
    if parser.stream.kind not in STATEMENTS:
        raise parser.error("Unexpected token at top level")
    statement(parser)


def _now(file: File, library: Library) -> Text | None:
    """The text of an included file as it is now; None if the `include` means another file."""
    include = library.include(file.name)
    return include[1] if include is not None and include[0] == file.path else None


def _difference(before: str, after: str) -> int:
    """How many characters two texts begin with alike."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _untouched(position: Position, changed: Mapping[int, _Change]) -> bool:
    """Whether all that was read up to a position is as it was."""
    *around, here = position.frames
    read = {frame.file: frame.offset for frame in around}
    read[here.file] = position.end
    return all(
        file >= position.files or (file in read and read[file] + _MARGIN <= change.offset)
        for file, change in changed.items()
    )


def _mistake(of: Finding, files: Sequence[File]) -> Mistake:
    notes = [Finding("instantiated from multiclass", (place,), "note") for place in of.places[1:]]
    return Mistake(
        beginning(of.message.rstrip("\n"), LONGEST_MESSAGE),
        location_of(of.places[0], files) if of.places else None,
        of.severity,
        tuple(_mistake(note, files) for note in (*notes, *of.notes)),
    )
